#include "xwalk/hub/cast/value_bytes.h"

#include <algorithm>
#include <cmath>

#include "xwalk/base/error.h"
#include "xwalk/base/half_float.h"

namespace xwalk::hub::cast {
namespace {

template <typename T>
void append_raw(T value, std::string& out) {
  char bytes[sizeof(T)];
  std::memcpy(bytes, &value, sizeof(T));
  out.append(bytes, sizeof(T));
}

void append_text(std::string_view text, std::string& out) {
  append_raw(static_cast<uint64_t>(text.size()), out);
  out.append(text);
}

void append_items(const Array& items, const Type& item, int64_t first, int64_t count,
                  std::string& out) {
  append_raw(count, out);
  for (int64_t i = 0; i < count; ++i) append_value_bytes(items, item, first + i, out);
}

template <typename Offset>
void append_offset_text(const Array& array, int64_t index, std::string& out) {
  const Offset* offsets = array.values<Offset>(1);
  append_text({array.raw<char>(2) + offsets[index],
               static_cast<size_t>(offsets[index + 1] - offsets[index])},
              out);
}

template <typename Offset>
void append_offset_list(const Array& array, const Type& type, int64_t index, std::string& out) {
  const Offset* offsets = array.values<Offset>(1);
  append_items(array.children[0], type.child().type, offsets[index],
               offsets[index + 1] - offsets[index], out);
}

template <typename Offset>
void append_list_view(const Array& array, const Type& type, int64_t index, std::string& out) {
  append_items(array.children[0], type.child().type, array.values<Offset>(1)[index],
               array.values<Offset>(2)[index], out);
}

void append_view(const Array& array, int64_t index, std::string& out) {
  const char* view = array.raw<char>(1) + (array.offset + index) * 16;
  int32_t size;
  int32_t buffer;
  int32_t offset;
  std::memcpy(&size, view, 4);
  std::memcpy(&buffer, view + 8, 4);
  std::memcpy(&offset, view + 12, 4);
  const char* data =
      size <= 12 ? view + 4 : array.raw<char>(2 + static_cast<size_t>(buffer)) + offset;
  append_text({data, static_cast<size_t>(size)}, out);
}

void append_union(const Array& array, const Type& type, int64_t index, std::string& out) {
  const int8_t code = array.values<int8_t>(0)[index];
  const auto codes = type.type_codes();
  const auto child = static_cast<size_t>(std::ranges::find(codes, code) - codes.begin());
  append_text(type.child(child).name, out);
  const int64_t at =
      type.kind() == Kind::DenseUnion ? array.values<int32_t>(1)[index] : array.offset + index;
  append_value_bytes(array.children[child], type.child(child).type, at, out);
}

int64_t dictionary_index(const Array& array, Kind kind, int64_t index) {
  switch (kind) {
    case Kind::Int8:
      return array.values<int8_t>()[index];
    case Kind::Int16:
      return array.values<int16_t>()[index];
    case Kind::Int32:
      return array.values<int32_t>()[index];
    case Kind::Uint8:
      return array.values<uint8_t>()[index];
    case Kind::Uint16:
      return array.values<uint16_t>()[index];
    case Kind::Uint32:
      return array.values<uint32_t>()[index];
    default:
      return array.values<int64_t>()[index];
  }
}

int64_t run_index(const Array& array, Kind kind, int64_t index) {
  const Array& ends = array.children[0];
  for (int64_t run = 0; run < ends.length; ++run) {
    if (dictionary_index(ends, kind, run) > array.offset + index) return run;
  }
  throw Error(ErrorCode::Input, "expected run ends up to the length of the array");
}

}  // namespace

void append_value_bytes(const Array& array, const Type& type, int64_t index, std::string& out) {
  const Kind kind = type.kind();
  if (kind == Kind::RunEndEncoded) {
    append_value_bytes(array.children[1], type.child(1).type,
                       run_index(array, type.child(0).type.kind(), index), out);
    return;
  }
  if (kind == Kind::Null || (has_validity(kind) && !is_valid(array, index))) {
    out.push_back('\0');
    return;
  }
  if (kind == Kind::Dictionary) {
    append_value_bytes(*array.dictionary, type.child().type,
                       dictionary_index(array, type.index_kind(), index), out);
    return;
  }
  out.push_back('\1');
  switch (kind) {
    case Kind::Bool:
      out.push_back(bit_is_set(array.raw<uint8_t>(1), array.offset + index) ? '\1' : '\0');
      return;
    case Kind::HalfFloat: {
      const Half value = array.values<Half>()[index];
      append_raw(is_nan(value) ? Half{0x7e00} : value, out);
      return;
    }
    case Kind::Float: {
      const float value = array.values<float>()[index];
      append_raw(std::isnan(value) ? std::nanf("") : value, out);
      return;
    }
    case Kind::Double: {
      const double value = array.values<double>()[index];
      append_raw(std::isnan(value) ? std::nan("") : value, out);
      return;
    }
    case Kind::Utf8:
    case Kind::Binary:
      return append_offset_text<int32_t>(array, index, out);
    case Kind::LargeUtf8:
    case Kind::LargeBinary:
      return append_offset_text<int64_t>(array, index, out);
    case Kind::Utf8View:
    case Kind::BinaryView:
      return append_view(array, index, out);
    case Kind::List:
    case Kind::Map:
      return append_offset_list<int32_t>(array, type, index, out);
    case Kind::LargeList:
      return append_offset_list<int64_t>(array, type, index, out);
    case Kind::ListView:
      return append_list_view<int32_t>(array, type, index, out);
    case Kind::LargeListView:
      return append_list_view<int64_t>(array, type, index, out);
    case Kind::FixedSizeList:
      return append_items(array.children[0], type.child().type,
                          (array.offset + index) * type.size(), type.size(), out);
    case Kind::Struct:
      for (size_t i = 0; i < array.children.size(); ++i) {
        append_value_bytes(array.children[i], type.child(i).type, array.offset + index, out);
      }
      return;
    case Kind::DenseUnion:
    case Kind::SparseUnion:
      return append_union(array, type, index, out);
    default: {
      const int64_t width = *fixed_bits(type) / 8;
      out.append(array.raw<char>(1) + (array.offset + index) * width, static_cast<size_t>(width));
      return;
    }
  }
}

}  // namespace xwalk::hub::cast
