#include "xwalk/cli/row_text.h"

#include <array>
#include <bit>
#include <cmath>
#include <cstring>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "xwalk/base/base64.h"
#include "xwalk/base/half_float.h"
#include "xwalk/base/text.h"
#include "xwalk/base/wide_integer.h"
#include "xwalk/hub/annotation.h"
#include "xwalk/hub/domain.h"
#include "xwalk/yson/parse.h"
#include "xwalk/yson/print.h"

namespace xwalk::cli {
namespace {

using hub::Kind;

template <typename T>
T load(const ArrowArray& array, int buffer, int64_t index) {
  T value{};
  std::memcpy(
      &value,
      static_cast<const char*>(array.buffers[buffer]) + index * static_cast<int64_t>(sizeof(T)),
      sizeof(T));
  return value;
}

bool bit_at(const void* bits, int64_t index) {
  return ((static_cast<const uint8_t*>(bits)[index / 8] >> (index % 8)) & 1) != 0;
}

bool has_validity(Kind kind) {
  return kind != Kind::DenseUnion && kind != Kind::SparseUnion && kind != Kind::RunEndEncoded &&
         kind != Kind::Null;
}

bool is_null(const hub::Type& type, const ArrowArray& array, int64_t index) {
  if (type.kind() == Kind::Null) return true;
  if (!has_validity(type.kind())) return false;
  return array.n_buffers > 0 && array.buffers[0] != nullptr && !bit_at(array.buffers[0], index);
}

void append_string(std::string_view text, std::string* out) { *out += nlohmann::json(text).dump(); }

void append_bytes(std::string_view bytes, std::string* out) {
  if (is_valid_utf8(bytes)) {
    append_string(bytes, out);
    return;
  }
  *out += "{\"base64\":\"" + to_base64(bytes) + "\"}";
}

void append_float(double value, std::string* out) {
  if (std::isnan(value)) {
    *out += "\"nan\"";
  } else if (std::isinf(value)) {
    *out += value < 0 ? "\"-inf\"" : "\"inf\"";
  } else {
    fmt::format_to(std::back_inserter(*out), "{}", value);
  }
}

template <typename T>
void append_decimal(const T& value, int scale, std::string* out) {
  std::string text(scaled_text_size(scale), '\0');
  text.resize(static_cast<size_t>(write_scaled_text(value, scale, text.data()) - text.data()));
  append_string(text, out);
}

std::string uuid_text(std::string_view bytes) {
  std::string hex = to_hex(bytes);
  for (size_t at : {20, 16, 12, 8}) hex.insert(at, "-");
  return hex;
}

std::string_view variable(const hub::Type& type, const ArrowArray& array, int64_t index) {
  Kind kind = type.kind();
  if (kind == Kind::Utf8View || kind == Kind::BinaryView) {
    const char* view = static_cast<const char*>(array.buffers[1]) + index * 16;
    int32_t size = 0;
    std::memcpy(&size, view, 4);
    if (size <= 12) return {view + 4, static_cast<size_t>(size)};
    std::array<int32_t, 2> where{};
    std::memcpy(where.data(), view + 8, 8);
    return {static_cast<const char*>(array.buffers[2 + where[0]]) + where[1],
            static_cast<size_t>(size)};
  }
  bool large = kind == Kind::LargeUtf8 || kind == Kind::LargeBinary;
  int64_t begin = large ? load<int64_t>(array, 1, index) : load<int32_t>(array, 1, index);
  int64_t end = large ? load<int64_t>(array, 1, index + 1) : load<int32_t>(array, 1, index + 1);
  if (begin == end) return {};
  return {static_cast<const char*>(array.buffers[2]) + begin, static_cast<size_t>(end - begin)};
}

/// Returns the items of one list: index in the child, without its offset, and count.
std::pair<int64_t, int64_t> items_of(const hub::Type& type, const ArrowArray& array,
                                     int64_t index) {
  switch (type.kind()) {
    case Kind::LargeList: {
      auto begin = load<int64_t>(array, 1, index);
      return {begin, load<int64_t>(array, 1, index + 1) - begin};
    }
    case Kind::ListView:
      return {load<int32_t>(array, 1, index), load<int32_t>(array, 2, index)};
    case Kind::LargeListView:
      return {load<int64_t>(array, 1, index), load<int64_t>(array, 2, index)};
    case Kind::FixedSizeList:
      return {index * type.size(), type.size()};
    default: {
      auto begin = load<int32_t>(array, 1, index);
      return {begin, load<int32_t>(array, 1, index + 1) - begin};
    }
  }
}

int64_t integer_at(Kind kind, const ArrowArray& array, int64_t index) {
  switch (kind) {
    case Kind::Int8:
      return load<int8_t>(array, 1, index);
    case Kind::Int16:
      return load<int16_t>(array, 1, index);
    case Kind::Int32:
    case Kind::Date32:
    case Kind::Time32:
    case Kind::IntervalMonths:
      return load<int32_t>(array, 1, index);
    case Kind::Uint8:
      return load<uint8_t>(array, 1, index);
    case Kind::Uint16:
      return load<uint16_t>(array, 1, index);
    case Kind::Uint32:
      return load<uint32_t>(array, 1, index);
    default:
      return load<int64_t>(array, 1, index);
  }
}

bool is_yson_column(const hub::Field& field) {
  auto text = hub::annotation(field, "yt");
  return text && text->find("yson") != std::string_view::npos;
}

}  // namespace

void append_json(const hub::Field& field, const ArrowArray& array, int64_t row, std::string* out) {
  const hub::Type& type = field.type;
  int64_t index = row + array.offset;
  if (is_null(type, array, index)) {
    *out += "null";
    return;
  }
  switch (type.kind()) {
    case Kind::Null:
      *out += "null";
      return;
    case Kind::Bool:
      *out += bit_at(array.buffers[1], index) ? "true" : "false";
      return;
    case Kind::Int8:
    case Kind::Int16:
    case Kind::Int32:
    case Kind::Int64:
    case Kind::Uint8:
    case Kind::Uint16:
    case Kind::Uint32:
      *out += std::to_string(integer_at(type.kind(), array, index));
      return;
    case Kind::Uint64:
      *out += std::to_string(load<uint64_t>(array, 1, index));
      return;
    case Kind::HalfFloat:
      append_float(static_cast<double>(widened(load<Half>(array, 1, index))), out);
      return;
    case Kind::Float: {
      auto value = load<float>(array, 1, index);
      if (std::isfinite(value)) {
        fmt::format_to(std::back_inserter(*out), "{}", value);
      } else {
        append_float(static_cast<double>(value), out);
      }
      return;
    }
    case Kind::Double:
      append_float(load<double>(array, 1, index), out);
      return;
    case Kind::Utf8:
    case Kind::LargeUtf8:
    case Kind::Utf8View:
      append_bytes(variable(type, array, index), out);
      return;
    case Kind::Binary:
    case Kind::LargeBinary:
    case Kind::BinaryView: {
      std::string_view bytes = variable(type, array, index);
      if (is_yson_column(field)) {
        try {
          append_string(yson::print(yson::parse(bytes)), out);
          return;
        } catch (const Error&) {
          // Shown as the bytes it is.
        }
      }
      append_bytes(bytes, out);
      return;
    }
    case Kind::FixedSizeBinary: {
      auto size = static_cast<size_t>(type.size());
      std::string_view bytes{static_cast<const char*>(array.buffers[1]) + index * type.size(),
                             size};
      if (field.extension_name() == "arrow.uuid" && size == 16) {
        append_string(uuid_text(bytes), out);
      } else {
        append_bytes(bytes, out);
      }
      return;
    }
    case Kind::Date32:
    case Kind::Date64:
    case Kind::Time32:
    case Kind::Time64:
    case Kind::Timestamp:
      append_string(hub::value_text(hub::domain_of(field), integer_at(type.kind(), array, index)),
                    out);
      return;
    case Kind::Duration:
      append_string(
          fmt::format("{}{}", load<int64_t>(array, 1, index), hub::unit_name(type.unit())), out);
      return;
    case Kind::IntervalMonths:
      *out += fmt::format("{{\"months\":{}}}", load<int32_t>(array, 1, index));
      return;
    case Kind::IntervalDayTime:
      *out += fmt::format("{{\"days\":{},\"milliseconds\":{}}}", load<int32_t>(array, 1, index * 2),
                          load<int32_t>(array, 1, index * 2 + 1));
      return;
    case Kind::IntervalMonthDayNano:
      *out += fmt::format(
          "{{\"months\":{},\"days\":{},\"nanoseconds\":{}}}", load<int32_t>(array, 1, index * 4),
          load<int32_t>(array, 1, index * 4 + 1), load<int64_t>(array, 1, index * 2 + 1));
      return;
    case Kind::Decimal32:
      append_decimal(Int128{load<int32_t>(array, 1, index)}, type.scale(), out);
      return;
    case Kind::Decimal64:
      append_decimal(Int128{load<int64_t>(array, 1, index)}, type.scale(), out);
      return;
    case Kind::Decimal128:
      append_decimal(load<Int128>(array, 1, index), type.scale(), out);
      return;
    case Kind::Decimal256:
      append_decimal(load<Int256>(array, 1, index), type.scale(), out);
      return;
    case Kind::List:
    case Kind::LargeList:
    case Kind::ListView:
    case Kind::LargeListView:
    case Kind::FixedSizeList: {
      auto [begin, count] = items_of(type, array, index);
      *out += '[';
      for (int64_t i = 0; i < count; ++i) {
        if (i > 0) *out += ',';
        append_json(type.child(), *array.children[0], begin + i, out);
      }
      *out += ']';
      return;
    }
    case Kind::Map: {
      auto [begin, count] = items_of(type, array, index);
      const ArrowArray& entries = *array.children[0];
      *out += '[';
      for (int64_t i = 0; i < count; ++i) {
        *out += i > 0 ? ",[" : "[";
        append_json(type.key(), *entries.children[0], begin + i + entries.offset, out);
        *out += ',';
        append_json(type.value(), *entries.children[1], begin + i + entries.offset, out);
        *out += ']';
      }
      *out += ']';
      return;
    }
    case Kind::Struct: {
      *out += '{';
      for (size_t i = 0; i < type.children().size(); ++i) {
        if (i > 0) *out += ',';
        append_bytes(type.child(i).name, out);
        *out += ':';
        append_json(type.child(i), *array.children[i], index, out);
      }
      *out += '}';
      return;
    }
    case Kind::DenseUnion:
    case Kind::SparseUnion: {
      auto code = load<int8_t>(array, 0, index);
      size_t which = 0;
      while (which < type.type_codes().size() && type.type_codes()[which] != code) ++which;
      if (which == type.type_codes().size()) {
        *out += "null";
        return;
      }
      int64_t place = type.kind() == Kind::DenseUnion ? load<int32_t>(array, 1, index) : index;
      *out += '{';
      append_bytes(type.child(which).name, out);
      *out += ':';
      append_json(type.child(which), *array.children[which], place, out);
      *out += '}';
      return;
    }
    case Kind::Dictionary: {
      hub::Field values = type.child();
      int64_t place = integer_at(type.index_kind(), array, index);
      append_json(values, *array.dictionary, place, out);
      return;
    }
    case Kind::RunEndEncoded: {
      const ArrowArray& ends = *array.children[0];
      int64_t low = 0;
      int64_t high = ends.length;
      while (low < high) {
        int64_t middle = (low + high) / 2;
        if (integer_at(type.child(0).type.kind(), ends, middle + ends.offset) <= index) {
          low = middle + 1;
        } else {
          high = middle;
        }
      }
      append_json(type.child(1), *array.children[1], low, out);
      return;
    }
  }
}

void append_json_row(const hub::Schema& schema, const ArrowArray& array, int64_t row,
                     std::string* out) {
  *out += '{';
  for (size_t i = 0; i < schema.fields.size(); ++i) {
    if (i > 0) *out += ',';
    append_bytes(schema.fields[i].name, out);
    *out += ':';
    append_json(schema.fields[i], *array.children[i], row + array.offset, out);
  }
  *out += '}';
}

std::string cell_text(const hub::Field& field, const ArrowArray& array, int64_t row) {
  std::string json;
  append_json(field, array, row, &json);
  if (json.size() < 2 || json.front() != '"') return json;
  std::string text = nlohmann::json::parse(json).get<std::string>();
  std::string out;
  for (char c : text) {
    auto byte = static_cast<unsigned char>(c);
    if (byte >= 0x20 && byte != 0x7f) {
      out += c;
    } else if (c == '\n') {
      out += "\\n";
    } else if (c == '\t') {
      out += "\\t";
    } else {
      out += fmt::format("\\x{:02x}", byte);
    }
  }
  return out;
}

}  // namespace xwalk::cli
