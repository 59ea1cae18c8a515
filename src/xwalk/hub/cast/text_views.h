#pragma once

#include <cstdint>

#include "xwalk/hub/cast/text_values.h"

namespace xwalk::hub::cast {

/// Texts with 32-bit offsets.
struct TextsToView {
  const int32_t* offsets;
  const char* data;
  /// Validity from bit `first_bit` on; null if all are valid. A null slot may have text.
  const uint8_t* validity;
  int64_t first_bit;
  int64_t count;
};

/// Writes views of the texts into one buffer, which begins with the first of them. Returns true if
/// any text is too long to be inline.
bool put_views(const TextsToView& texts, View* out);

}  // namespace xwalk::hub::cast
