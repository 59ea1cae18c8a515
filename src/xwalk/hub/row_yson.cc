#include "xwalk/hub/row_yson.h"

#include <string>
#include <string_view>

#include "xwalk/base/wide_integer.h"
#include "xwalk/hub/value_at.h"
#include "xwalk/yson/transcode.h"

namespace xwalk::hub {
namespace {

void append_int(int64_t value, yson::Buffer* out) {
  out->set_end(yson::write_text_int64(out->reserve(yson::kMaxScalarBytes), value));
}

void append_uint(uint64_t value, yson::Buffer* out) {
  out->set_end(yson::write_text_uint64(out->reserve(yson::kMaxScalarBytes), value));
}

void append_real(double value, yson::Buffer* out) {
  out->set_end(yson::write_text_double(out->reserve(yson::kMaxScalarBytes), value));
}

void append_text(std::string_view value, yson::Buffer* out) {
  yson::write_string(value, yson::Format::Text, out);
}

void append_items(const Array& array, const Type& type, int64_t index, yson::Buffer* out) {
  const auto [first, count] = items_at(array, type, index);
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

void append_decimal(const Array& array, const Type& type, int64_t index, yson::Buffer* out) {
  std::string text(scaled_text_size(type.scale()), '\0');
  const char* end =
      write_scaled_text(decimal_at(array, type.kind(), index), type.scale(), text.data());
  text.resize(static_cast<size_t>(end - text.data()));
  append_text(text, out);
}

/// The parts of a calendar interval: days and milliseconds, or months, days and nanoseconds.
void append_interval(const Array& array, Kind kind, int64_t index, yson::Buffer* out) {
  bool nanos = kind == Kind::IntervalMonthDayNano;
  const char* at = array.fixed(index, nanos ? 16 : 8);
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
  const auto [child, at] = alternative_at(array, type, index);
  out->append('[');
  append_text(type.child(child).name, out);
  out->append(';');
  append_yson(array.children[child], type.child(child).type, at, out);
  out->append(";]");
}

}  // namespace

void append_yson(const Array& array, const Type& type, int64_t index, yson::Buffer* out) {
  const Kind kind = type.kind();
  if (kind == Kind::Null || array.is_null(index)) {
    out->append('#');
    return;
  }
  switch (kind) {
    case Kind::Null:
      return;
    case Kind::Bool:
      out->append(array.bit(index) ? "%true" : "%false");
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
      return append_int(integer_at(array, kind, index), out);
    case Kind::Uint8:
    case Kind::Uint16:
    case Kind::Uint32:
    case Kind::Uint64:
      return append_uint(static_cast<uint64_t>(integer_at(array, kind, index)), out);
    case Kind::HalfFloat:
    case Kind::Float:
    case Kind::Double:
      return append_real(real_at(array, kind, index), out);
    case Kind::Utf8:
    case Kind::LargeUtf8:
    case Kind::Utf8View:
    case Kind::Binary:
    case Kind::LargeBinary:
    case Kind::BinaryView:
    case Kind::FixedSizeBinary:
      return append_text(bytes_at(array, type, index), out);
    case Kind::IntervalDayTime:
    case Kind::IntervalMonthDayNano:
      return append_interval(array, kind, index, out);
    case Kind::Decimal32:
    case Kind::Decimal64:
    case Kind::Decimal128:
    case Kind::Decimal256:
      return append_decimal(array, type, index, out);
    case Kind::List:
    case Kind::LargeList:
    case Kind::ListView:
    case Kind::LargeListView:
    case Kind::FixedSizeList:
    case Kind::Map:
      return append_items(array, type, index, out);
    case Kind::Struct:
      return append_struct(array, type, index, out);
    case Kind::DenseUnion:
    case Kind::SparseUnion:
      return append_union(array, type, index, out);
    case Kind::Dictionary:
      return append_yson(*array.dictionary, type.child().type,
                         integer_at(array, type.index_kind(), index), out);
    case Kind::RunEndEncoded:
      return append_yson(array.children[1], type.child(1).type, run_at(array, type, index), out);
  }
}

}  // namespace xwalk::hub
