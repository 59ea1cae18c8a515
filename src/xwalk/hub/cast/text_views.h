#pragma once

#include <cstdint>

#include "xwalk/hub/cast/text_values.h"

namespace xwalk::hub::cast {

/// Texts behind offsets of 32 bits.
struct TextsToView {
  const int32_t* offsets;
  const char* data;
  /// Validity from bit `first_bit` on; null where all are valid. A text may stand below a null.
  const uint8_t* validity;
  int64_t first_bit;
  int64_t count;
};

/// Writes views of the texts into one buffer, which begins with the first of them. Returns whether
/// any is too long to stand in its view.
bool put_views(const TextsToView& texts, View* out);

}  // namespace xwalk::hub::cast
