#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "xwalk/hub/array.h"
#include "xwalk/skiff/codec.h"

namespace xwalk::skiff {

/// Why a value was rejected.
enum class Refusal : uint8_t {
  None,
  Null,
  Range,
  Value,
  Large,  ///< more bytes than any row may have
};

/// Appends the value of a row in Skiff: for columns that are not encoded as a whole. On a refusal,
/// part of it may have been appended.
Refusal encode_value(const Codec& codec, const hub::Array& array, int64_t row, std::string* out);

/// Returns true if an Arrow integer of the codec's type fits type and wire.
bool integer_fits(const Codec& codec, int64_t value);

}  // namespace xwalk::skiff
