#include "xwalk/hub/row_yson.h"

#include <algorithm>
#include <string>
#include <string_view>

#include "xwalk/base/half_float.h"
#include "xwalk/base/wide_integer.h"
#include "xwalk/yson/transcode.h"

namespace xwalk::hub {
namespace {

void append_int(int64_t value, yson::Buffer* out) {
  out->set_end(yson::write_text_int64(out->reserve(yson::kScalarRoom), value));
}

void append_uint(uint64_t value, yson::Buffer* out) {
  out->set_end(yson::write_text_uint64(out->reserve(yson::kScalarRoom), value));
}

void append_real(double value, yson::Buffer* out) {
  out->set_end(yson::write_text_double(out->reserve(yson::kScalarRoom), value));
}

void append_text(std::string_view value, yson::Buffer* out) {
  yson::write_string(value, yson::Format::Text, out);
}

template <typename Offset>
std::string_view offset_text(const Array& array, int64_t index) {
  const Offset* offsets = array.values<Offset>(1);
  return {array.raw<char>(2) + offsets[index],
          static_cast<size_t>(offsets[index + 1] - offsets[index])};
}

std::string_view view_text(const Array& array, int64_t index) {
  const char* view = array.raw<char>(1) + (array.offset + index) * 16;
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

void append_items(const Array& array, const Type& type, int64_t first, int64_t count,
                  yson::Buffer* out) {
  out->append('[');
  for (int64_t i = 0; i < count; ++i) {
    if (type.kind() == Kind::Map) {
      const Array& entries = array.children[0];
      out->append('[');
      for (size_t side = 0; side < 2; ++side) {
        append_yson(entries.children[side], type.child().type.child(side).type,
                    entries.offset + first + i, out);
        out->append(';');
      }
      out->append(']');
    } else {
      append_yson(array.children[0], type.child().type, first + i, out);
    }
    out->append(';');
  }
  out->append(']');
}

template <typename Offset>
void append_list(const Array& array, const Type& type, int64_t index, yson::Buffer* out) {
  const Offset* offsets = array.values<Offset>(1);
  append_items(array, type, offsets[index], offsets[index + 1] - offsets[index], out);
}

template <typename Offset>
void append_list_view(const Array& array, const Type& type, int64_t index, yson::Buffer* out) {
  append_items(array, type, array.values<Offset>(1)[index], array.values<Offset>(2)[index], out);
}

int64_t integer(const Array& array, Kind kind, int64_t index) {
  switch (kind) {
    case Kind::Int8:
      return array.values<int8_t>()[index];
    case Kind::Int16:
      return array.values<int16_t>()[index];
    case Kind::Uint8:
      return array.values<uint8_t>()[index];
    case Kind::Uint16:
      return array.values<uint16_t>()[index];
    case Kind::Uint32:
      return array.values<uint32_t>()[index];
    case Kind::Int32:
    case Kind::Date32:
    case Kind::Time32:
    case Kind::IntervalMonths:
      return array.values<int32_t>()[index];
    default:
      return array.values<int64_t>()[index];
  }
}

void append_decimal(const Array& array, const Type& type, int64_t index, yson::Buffer* out) {
  const char* bytes = array.raw<char>(1);
  Int256 value;
  switch (type.kind()) {
    case Kind::Decimal32:
      value = Int256(static_cast<int64_t>(array.values<int32_t>()[index]));
      break;
    case Kind::Decimal64:
      value = Int256(array.values<int64_t>()[index]);
      break;
    case Kind::Decimal128:
      value = Int256(load_little_endian_128(bytes + (array.offset + index) * 16));
      break;
    default:
      std::memcpy(value.limbs.data(), bytes + (array.offset + index) * 32, 32);
      break;
  }
  std::string text(scaled_text_size(type.scale()), '\0');
  text.resize(
      static_cast<size_t>(write_scaled_text(value, type.scale(), text.data()) - text.data()));
  append_text(text, out);
}

/// The parts of a calendar interval: days and milliseconds, or months, days and nanoseconds.
void append_interval(const Array& array, Kind kind, int64_t index, yson::Buffer* out) {
  bool nanos = kind == Kind::IntervalMonthDayNano;
  const char* at = array.raw<char>(1) + (array.offset + index) * (nanos ? 16 : 8);
  int32_t parts[2];
  std::memcpy(parts, at, sizeof(parts));
  out->append('[');
  for (int32_t part : parts) {
    append_int(part, out);
    out->append(';');
  }
  if (nanos) {
    int64_t rest;
    std::memcpy(&rest, at + 8, 8);
    append_int(rest, out);
    out->append(';');
  }
  out->append(']');
}

void append_struct(const Array& array, const Type& type, int64_t index, yson::Buffer* out) {
  out->append('{');
  for (size_t i = 0; i < array.children.size(); ++i) {
    append_text(type.child(i).name, out);
    out->append('=');
    append_yson(array.children[i], type.child(i).type, array.offset + index, out);
    out->append(';');
  }
  out->append('}');
}

void append_union(const Array& array, const Type& type, int64_t index, yson::Buffer* out) {
  const int8_t code = array.values<int8_t>(0)[index];
  const auto codes = type.type_codes();
  const auto child = static_cast<size_t>(std::ranges::find(codes, code) - codes.begin());
  const int64_t at =
      type.kind() == Kind::DenseUnion ? array.values<int32_t>(1)[index] : array.offset + index;
  out->append('[');
  append_text(type.child(child).name, out);
  out->append(';');
  append_yson(array.children[child], type.child(child).type, at, out);
  out->append(";]");
}

int64_t run_of(const Array& array, Kind kind, int64_t index) {
  const Array& ends = array.children[0];
  int64_t run = 0;
  while (run + 1 < ends.length && integer(ends, kind, run) <= array.offset + index) ++run;
  return run;
}

}  // namespace

void append_yson(const Array& array, const Type& type, int64_t index, yson::Buffer* out) {
  const Kind kind = type.kind();
  if (kind == Kind::Null || (has_validity(kind) && !is_valid(array, index))) {
    out->append('#');
    return;
  }
  switch (kind) {
    case Kind::Null:
      return;
    case Kind::Bool:
      out->append(bit_is_set(array.raw<uint8_t>(1), array.offset + index) ? "%true" : "%false");
      return;
    case Kind::Int8:
    case Kind::Int16:
    case Kind::Int32:
    case Kind::Int64:
    case Kind::Date32:
    case Kind::Date64:
    case Kind::Time32:
    case Kind::Time64:
    case Kind::Timestamp:
    case Kind::Duration:
    case Kind::IntervalMonths:
      return append_int(integer(array, kind, index), out);
    case Kind::Uint8:
    case Kind::Uint16:
    case Kind::Uint32:
    case Kind::Uint64:
      return append_uint(static_cast<uint64_t>(integer(array, kind, index)), out);
    case Kind::HalfFloat:
      return append_real(static_cast<double>(widened(array.values<Half>()[index])), out);
    case Kind::Float:
      return append_real(static_cast<double>(array.values<float>()[index]), out);
    case Kind::Double:
      return append_real(array.values<double>()[index], out);
    case Kind::Utf8:
    case Kind::Binary:
      return append_text(offset_text<int32_t>(array, index), out);
    case Kind::LargeUtf8:
    case Kind::LargeBinary:
      return append_text(offset_text<int64_t>(array, index), out);
    case Kind::Utf8View:
    case Kind::BinaryView:
      return append_text(view_text(array, index), out);
    case Kind::FixedSizeBinary:
      return append_text({array.raw<char>(1) + (array.offset + index) * type.size(),
                          static_cast<size_t>(type.size())},
                         out);
    case Kind::IntervalDayTime:
    case Kind::IntervalMonthDayNano:
      return append_interval(array, kind, index, out);
    case Kind::Decimal32:
    case Kind::Decimal64:
    case Kind::Decimal128:
    case Kind::Decimal256:
      return append_decimal(array, type, index, out);
    case Kind::List:
    case Kind::Map:
      return append_list<int32_t>(array, type, index, out);
    case Kind::LargeList:
      return append_list<int64_t>(array, type, index, out);
    case Kind::ListView:
      return append_list_view<int32_t>(array, type, index, out);
    case Kind::LargeListView:
      return append_list_view<int64_t>(array, type, index, out);
    case Kind::FixedSizeList:
      return append_items(array, type, (array.offset + index) * type.size(), type.size(), out);
    case Kind::Struct:
      return append_struct(array, type, index, out);
    case Kind::DenseUnion:
    case Kind::SparseUnion:
      return append_union(array, type, index, out);
    case Kind::Dictionary:
      return append_yson(*array.dictionary, type.child().type,
                         integer(array, type.index_kind(), index), out);
    case Kind::RunEndEncoded:
      return append_yson(array.children[1], type.child(1).type,
                         run_of(array, type.child(0).type.kind(), index), out);
  }
}

}  // namespace xwalk::hub
