#pragma once

#include <cstdint>
#include <cstring>
#include <string_view>
#include <vector>

#include "xwalk/hub/arrow_abi.h"
#include "xwalk/hub/type.h"

namespace xwalk::hub {

/// Reads the buffers of an Arrow array by the plain layouts that `ColumnBuilder` makes. Indices are
/// those of the array: its own offset is added here. The array outlives the view.
struct ArrayView {
  int64_t length = 0;
  int64_t offset = 0;
  /// Null where every value is valid.
  const uint8_t* validity = nullptr;
  /// Fixed values, bits or type codes.
  const char* values = nullptr;
  /// Of bytes, lists, maps and dense unions.
  const int32_t* offsets = nullptr;
  const char* bytes = nullptr;
  std::vector<ArrayView> children;

  bool is_null(int64_t index) const {
    if (validity == nullptr) return false;
    int64_t at = offset + index;
    return ((validity[at >> 3] >> (at & 7)) & 1) == 0;
  }
  template <typename T>
  T value(int64_t index) const {
    T loaded;
    std::memcpy(&loaded, values + (offset + index) * static_cast<int64_t>(sizeof(T)), sizeof(T));
    return loaded;
  }
  const char* fixed(int64_t index, int width) const { return values + (offset + index) * width; }
  bool bit(int64_t index) const {
    int64_t at = offset + index;
    return ((values[at >> 3] >> (at & 7)) & 1) != 0;
  }
  std::string_view text(int64_t index) const {
    int32_t begin = offsets[offset + index];
    return {bytes + begin, static_cast<size_t>(offsets[offset + index + 1] - begin)};
  }
  /// Lists and maps: the items of a slot are [begin, end) of the child.
  int64_t begin(int64_t index) const { return offsets[offset + index]; }
  int64_t end(int64_t index) const { return offsets[offset + index + 1]; }
  /// Structs: the index in every child.
  int64_t slot(int64_t index) const { return offset + index; }
  /// Dense unions: the type code, and the index in its child.
  int8_t type_code(int64_t index) const { return value<int8_t>(index); }
};

/// Makes the view of an array of a field. Throws Error (Unsupported) for a layout that is not
/// plain, Error (Internal) for an array that is not of the field's shape.
ArrayView view_array(const ArrowArray& array, const Field& field);

}  // namespace xwalk::hub
