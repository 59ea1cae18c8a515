#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "xwalk/hub/array.h"
#include "xwalk/skiff/plan.h"

namespace xwalk::skiff {

/// Why a value was refused.
enum class Refusal : uint8_t { None, Null, Range, Value };

/// Appends single values in Skiff: what columns without a kernel of their own are written with.
class ValueEncoder {
 public:
  /// Appends the value of a row. On a refusal, part of it may have been appended.
  Refusal encode(const Plan& plan, const hub::Array& array, int64_t row, std::string* out);

 private:
  Refusal encode_leaf(const Plan& plan, const hub::Array& array, int64_t row, std::string* out);
  Refusal encode_any(const Plan& plan, std::string_view bytes, std::string* out);
  Refusal encode_as_yson(const Plan& plan, const hub::Array& array, int64_t row, std::string* out);
};

/// Loads an integer of an Arrow array, sign-extended where its type is signed.
int64_t load_integer(hub::Kind kind, const hub::Array& array, int64_t row);
/// Returns true if an Arrow integer of the plan's type fits type and wire.
bool integer_fits(const Plan& plan, int64_t value);

}  // namespace xwalk::skiff
