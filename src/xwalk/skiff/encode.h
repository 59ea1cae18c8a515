#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "xwalk/hub/arrow_abi.h"
#include "xwalk/hub/type.h"
#include "xwalk/skiff/plan.h"
#include "xwalk/yt/tz.h"

namespace xwalk::skiff {

/// The buffers of an Arrow array of a plain layout, and of its children.
struct ArrayView {
  hub::Kind kind = hub::Kind::Null;
  int width = 0;
  int64_t length = 0;
  int64_t offset = 0;
  bool has_nulls = false;
  const uint8_t* validity = nullptr;
  /// Fixed values, bits, or type codes.
  const char* values = nullptr;
  const int32_t* offsets = nullptr;
  const char* bytes = nullptr;
  std::vector<ArrayView> children;

  bool is_null(int64_t row) const {
    if (kind == hub::Kind::Null) return true;
    if (!has_nulls) return false;
    int64_t at = offset + row;
    return ((validity[at >> 3] >> (at & 7)) & 1) == 0;
  }
};

/// Points a view at an array of a field. Throws Error (Internal) for another layout.
void view_array(const hub::Field& field, const ArrowArray& array, ArrayView* view);

/// Why a value was refused.
enum class Refusal : uint8_t { None, Null, Range, Value };

/// Appends single values in Skiff: what columns without a kernel of their own are written with.
class ValueEncoder {
 public:
  /// Appends the value of a row. On a refusal, part of it may have been appended.
  Refusal encode(const Plan& plan, const ArrayView& view, int64_t row, std::string* out);

 private:
  Refusal encode_leaf(const Plan& plan, const ArrayView& view, int64_t row, std::string* out);
  Refusal encode_any(const Plan& plan, std::string_view bytes, std::string* out);
  Refusal encode_as_yson(const Plan& plan, const ArrayView& view, int64_t row, std::string* out);
  /// Returns the stored bytes of a string-like value.
  Refusal text_of(const Plan& plan, const ArrayView& view, int64_t row, std::string* text);

  yt::ZoneNames zones_;
};

/// Loads an integer of an Arrow array, sign-extended where its type is signed.
int64_t load_integer(const ArrayView& view, int64_t row);
/// Returns true if an Arrow integer of the plan's type fits type and wire.
bool integer_fits(const Plan& plan, int64_t value);

}  // namespace xwalk::skiff
