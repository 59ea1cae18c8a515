#include "xwalk/hub/value_at.h"

#include <algorithm>

#include "xwalk/base/error.h"
#include "xwalk/base/half_float.h"

namespace xwalk::hub {
namespace {

template <typename Offset>
std::string_view offset_text(const Array& array, int64_t index) {
  const Offset* offsets = array.values<Offset>() + index;
  return {array.raw<char>(2) + offsets[0], static_cast<size_t>(offsets[1] - offsets[0])};
}

/// Short values are in the view itself, others in one of the variadic buffers.
std::string_view view_text(const Array& array, int64_t index) {
  const char* view = array.fixed(index, 16);
  int32_t size;
  int32_t buffer;
  int32_t offset;
  std::memcpy(&size, view, 4);
  std::memcpy(&buffer, view + 8, 4);
  std::memcpy(&offset, view + 12, 4);
  const char* data =
      size <= 12 ? view + 4 : array.raw<char>(2 + static_cast<size_t>(buffer)) + offset;
  return {data, static_cast<size_t>(size)};
}

template <typename Offset>
std::pair<int64_t, int64_t> offset_items(const Array& array, int64_t index) {
  const Offset* offsets = array.values<Offset>() + index;
  return {offsets[0], offsets[1] - offsets[0]};
}

}  // namespace

int64_t integer_at(const Array& array, Kind kind, int64_t index) {
  if (kind == Kind::Int8) return array.value<int8_t>(index);
  if (kind == Kind::Int16) return array.value<int16_t>(index);
  if (kind == Kind::Uint8) return array.value<uint8_t>(index);
  if (kind == Kind::Uint16) return array.value<uint16_t>(index);
  if (kind == Kind::Uint32) return array.value<uint32_t>(index);
  const bool narrow = kind == Kind::Int32 || kind == Kind::Date32 || kind == Kind::Time32 ||
                      kind == Kind::IntervalMonths;
  return narrow ? array.value<int32_t>(index) : array.value<int64_t>(index);
}

double real_at(const Array& array, Kind kind, int64_t index) {
  if (kind == Kind::HalfFloat) return static_cast<double>(widened(array.value<Half>(index)));
  if (kind == Kind::Float) return static_cast<double>(array.value<float>(index));
  return array.value<double>(index);
}

Int256 decimal_at(const Array& array, Kind kind, int64_t index) {
  if (kind == Kind::Decimal32) return static_cast<int64_t>(array.value<int32_t>(index));
  if (kind == Kind::Decimal64) return array.value<int64_t>(index);
  if (kind == Kind::Decimal128) return load_little_endian_128(array.fixed(index, 16));
  return load_little_endian_256(array.fixed(index, 32));
}

std::string_view bytes_at(const Array& array, const Type& type, int64_t index) {
  const Kind kind = type.kind();
  if (kind == Kind::FixedSizeBinary) {
    return {array.fixed(index, type.size()), static_cast<size_t>(type.size())};
  }
  if (kind == Kind::Utf8View || kind == Kind::BinaryView) return view_text(array, index);
  const bool large = kind == Kind::LargeUtf8 || kind == Kind::LargeBinary;
  return large ? offset_text<int64_t>(array, index) : offset_text<int32_t>(array, index);
}

std::pair<int64_t, int64_t> items_at(const Array& array, const Type& type, int64_t index) {
  const Kind kind = type.kind();
  if (kind == Kind::FixedSizeList) return {array.slot(index) * type.size(), type.size()};
  if (kind == Kind::LargeList) return offset_items<int64_t>(array, index);
  if (kind == Kind::ListView) {
    return {array.value<int32_t>(index, 1), array.value<int32_t>(index, 2)};
  }
  if (kind == Kind::LargeListView) {
    return {array.value<int64_t>(index, 1), array.value<int64_t>(index, 2)};
  }
  return offset_items<int32_t>(array, index);
}

std::pair<size_t, int64_t> alternative_at(const Array& array, const Type& type, int64_t index) {
  const auto codes = type.type_codes();
  const auto found = std::ranges::find(codes, array.type_code(index));
  if (found == codes.end()) {
    throw Error(ErrorCode::Input, "expected a type code of " + to_string(type) + ", found " +
                                      std::to_string(array.type_code(index)));
  }
  const bool dense = type.kind() == Kind::DenseUnion;
  return {static_cast<size_t>(found - codes.begin()),
          dense ? array.union_slot(index) : array.slot(index)};
}

int64_t run_at(const Array& array, const Type& type, int64_t index) {
  const Array& ends = array.children[0];
  const Kind kind = type.child(0).type.kind();
  int64_t low = 0;
  int64_t high = ends.length;
  while (low < high) {
    const int64_t middle = (low + high) / 2;
    if (integer_at(ends, kind, middle) <= array.slot(index)) {
      low = middle + 1;
    } else {
      high = middle;
    }
  }
  if (low == ends.length) {
    throw Error(ErrorCode::Input, "expected run ends up to the length of the array");
  }
  return low;
}

}  // namespace xwalk::hub
