#include "xwalk/hub/row_yson.h"

#include <string>
#include <string_view>

#include "xwalk/base/wide_integer.h"
#include "xwalk/hub/kinds.h"
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

/// Appends a value whose type has no parameters.
void append_plain(const Array& array, const Type& type, int64_t index, yson::Buffer* out) {
  const Kind kind = type.kind();
  if (is_utf8(kind) || is_binary(kind)) {
    append_text(bytes_at(array, type, index), out);
  } else if (kind == Kind::Bool) {
    out->append(array.bit(index) ? "%true" : "%false");
  } else if (is_integer(kind) && !is_signed_integer(kind)) {
    append_uint(static_cast<uint64_t>(integer_at(array, kind, index)), out);
  } else if (kind == Kind::HalfFloat || kind == Kind::Float || kind == Kind::Double) {
    append_real(real_at(array, kind, index), out);
  } else if (kind == Kind::IntervalDayTime || kind == Kind::IntervalMonthDayNano) {
    append_interval(array, kind, index, out);
  } else {
    append_int(integer_at(array, kind, index), out);
  }
}

}  // namespace

void append_yson(const Array& array, const Type& type, int64_t index, yson::Buffer* out) {
  const Kind kind = type.kind();
  if (kind == Kind::Null || array.is_null(index)) {
    out->append('#');
    return;
  }
  switch (kind_row(kind).form) {
    case Form::Plain:
      return append_plain(array, type, index, out);
    case Form::FixedSizeBinary:
      return append_text(bytes_at(array, type, index), out);
    case Form::Unit:
    case Form::Timestamp:
      return append_int(integer_at(array, kind, index), out);
    case Form::Decimal:
      return append_decimal(array, type, index, out);
    case Form::List:
    case Form::FixedSizeList:
    case Form::Map:
      return append_items(array, type, index, out);
    case Form::Struct:
      return append_struct(array, type, index, out);
    case Form::Union:
      return append_union(array, type, index, out);
    case Form::Dictionary:
      return append_yson(*array.dictionary, type.child().type,
                         integer_at(array, type.index_kind(), index), out);
    case Form::RunEndEncoded:
      return append_yson(array.children[1], type.child(1).type, run_at(array, type, index), out);
  }
}

}  // namespace xwalk::hub
