#include "xwalk/hub/yson_row.h"

#include <algorithm>
#include <array>
#include <cstdint>
#include <cstring>
#include <limits>
#include <span>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "xwalk/base/error.h"
#include "xwalk/base/half_float.h"
#include "xwalk/base/text.h"
#include "xwalk/base/wide_integer.h"
#include "xwalk/hub/cast/number_types.h"
#include "xwalk/hub/children.h"
#include "xwalk/hub/kinds.h"
#include "xwalk/yson/print.h"

namespace xwalk::hub {
namespace {

using yson::Node;

[[noreturn]] void refuse(std::string_view expected, const Node& found) {
  throw Error(ErrorCode::Input, fmt::format("expected {}, found {}", expected, yson::print(found)));
}

Type plain_layout(const Type& type) {
  std::vector<Field> children;
  for (const Field& child : type.children()) {
    children.emplace_back(child.name, plain_layout(child.type), child.nullable);
  }
  const Kind kind = type.kind();
  if (is_encoded(type)) return plain_layout(without_encoding(type));
  if (is_utf8(kind)) return Kind::Utf8;
  if (is_binary(kind)) return Kind::Binary;
  const bool is_list = kind == Kind::List || kind == Kind::LargeList || kind == Kind::ListView ||
                       kind == Kind::LargeListView || kind == Kind::FixedSizeList;
  if (is_list) return list(std::move(children.front()));
  return children.empty() ? type : with_children(type, std::move(children));
}

int64_t integer_of(const Node& value, int64_t low, int64_t high) {
  if (value.is(Node::Kind::Uint64) && value.as_uint64() <= static_cast<uint64_t>(high)) {
    return static_cast<int64_t>(value.as_uint64());
  }
  const bool fits =
      value.is(Node::Kind::Int64) && value.as_int64() >= low && value.as_int64() <= high;
  if (!fits) refuse(fmt::format("an integer from {} to {}", low, high), value);
  return value.as_int64();
}

template <typename T>
void append_integer(const Node& value, ColumnBuilder* out) {
  using Limits = std::numeric_limits<T>;
  if constexpr (std::is_same_v<T, uint64_t>) {
    if (value.is(Node::Kind::Uint64)) return out->append(value.as_uint64());
    out->append(static_cast<uint64_t>(integer_of(value, 0, INT64_MAX)));
  } else {
    out->append(static_cast<T>(integer_of(value, Limits::min(), Limits::max())));
  }
}

void append_real(const Node& value, Kind kind, ColumnBuilder* out) {
  double real = 0;
  if (value.is(Node::Kind::Double)) {
    real = value.as_double();
  } else if (value.is(Node::Kind::Int64)) {
    real = static_cast<double>(value.as_int64());
  } else {
    refuse("a number", value);
  }
  if (kind == Kind::Double) return out->append(real);
  const auto single = static_cast<float>(real);
  if (kind == Kind::Float) return out->append(single);
  out->append(narrowed(single).bits);
}

const std::string& text_of(const Node& value, std::string_view expected) {
  if (!value.is(Node::Kind::String)) refuse(expected, value);
  return value.as_string();
}

/// Appends a decimal from its text, which has at most as many fraction digits as the scale.
void append_decimal(const Node& value, const Type& type, ColumnBuilder* out) {
  const std::string& text = text_of(value, "a decimal as text");
  const size_t point = text.find('.');
  std::string digits = text.substr(0, point);
  const std::string fraction = point == std::string::npos ? "" : text.substr(point + 1);
  const auto scale = static_cast<size_t>(std::max(0, type.scale()));
  digits += fraction;
  if (fraction.size() <= scale) digits.append(scale - fraction.size(), '0');
  const size_t zeros = static_cast<size_t>(std::max(0, -type.scale()));
  const bool ends_in_zeros = digits.size() > zeros && digits.ends_with(std::string(zeros, '0'));
  const bool is_zero = digits.find_first_not_of("-0") == std::string::npos;
  if (zeros > 0 && ends_in_zeros && !is_zero) digits.resize(digits.size() - zeros);
  Int256 number;
  if (fraction.size() > scale || !(ends_in_zeros || is_zero) ||
      !parse_decimal_text(digits, &number)) {
    refuse(to_string(type), value);
  }
  std::array<char, 32> bytes{};
  store_little_endian(number, bytes.data());
  const auto width = static_cast<size_t>(out->width());
  // The bytes that are cut off must be those of the sign. char is unsigned on some processors.
  const auto is_negative = [](char byte) { return static_cast<signed char>(byte) < 0; };
  const char sign = is_negative(bytes.back()) ? '\xff' : '\0';
  const bool fits = std::all_of(bytes.begin() + static_cast<ptrdiff_t>(width), bytes.end(),
                                [&](char byte) { return byte == sign; }) &&
                    is_negative(bytes[width - 1]) == (sign != '\0');
  if (!fits) refuse(to_string(type), value);
  out->append_fixed(bytes.data());
}

void append_value(const Node& value, const Field& field, ColumnBuilder* out);

const Node::List& list_of(const Node& value, size_t size, std::string_view expected) {
  if (!value.is(Node::Kind::List) || (size > 0 && value.as_list().size() != size)) {
    refuse(expected, value);
  }
  return value.as_list();
}

void append_interval(const Node& value, Kind kind, ColumnBuilder* out) {
  const bool nanos = kind == Kind::IntervalMonthDayNano;
  const Node::List& parts = list_of(value, nanos ? 3 : 2, "the parts of an interval");
  std::array<char, 16> bytes{};
  for (size_t i = 0; i < 2; ++i) {
    const auto part = static_cast<int32_t>(integer_of(parts[i], INT32_MIN, INT32_MAX));
    std::memcpy(bytes.data() + 4 * i, &part, 4);
  }
  if (nanos) {
    const int64_t rest = integer_of(parts[2], INT64_MIN, INT64_MAX);
    std::memcpy(bytes.data() + 8, &rest, 8);
  }
  out->append_fixed(bytes.data());
}

/// Appends the members of a struct by their names, as columns of a row.
template <typename ChildOf>
void append_members(const Node& value, std::span<const Field> fields, const ChildOf& child_of) {
  if (!value.is(Node::Kind::Map)) refuse("a map", value);
  const Node::Map& entries = value.as_map();
  std::vector<bool> taken(entries.size());
  for (size_t i = 0; i < fields.size(); ++i) {
    // Names may be there twice, in the order of the columns.
    size_t entry = i;
    if (entry >= entries.size() || entries[entry].first != fields[i].name || taken[entry]) {
      entry = 0;
      while (entry < entries.size() && (taken[entry] || entries[entry].first != fields[i].name)) {
        ++entry;
      }
    }
    try {
      append_value(entry < entries.size() ? entries[entry].second : Node(), fields[i], child_of(i));
    } catch (Error& error) {
      if (error.place().path.empty()) error.place().path = Path::column(fields[i].name);
      throw;
    }
    if (entry < entries.size()) taken[entry] = true;
  }
  for (size_t i = 0; i < entries.size(); ++i) {
    if (taken[i]) continue;
    throw Error(ErrorCode::Input,
                fmt::format("expected columns of the schema, found {}", quoted(entries[i].first)));
  }
}

void append_list(const Node& value, const Type& type, ColumnBuilder* out) {
  for (const Node& item : list_of(value, 0, "a list")) {
    if (type.kind() == Kind::Map) {
      const Node::List& pair = list_of(item, 2, "a pair of key and value");
      append_value(pair[0], type.key(), &out->child(0).child(0));
      append_value(pair[1], type.value(), &out->child(0).child(1));
      out->child(0).append_struct();
    } else {
      append_value(item, type.child(), &out->child(0));
    }
  }
  out->append_list();
}

void append_union(const Node& value, const Type& type, ColumnBuilder* out) {
  const Node::List& pair = list_of(value, 2, "a pair of the name of an alternative and its value");
  const std::string& name = text_of(pair[0], "the name of an alternative");
  const auto found = std::ranges::find(type.children(), name, &Field::name);
  if (found == type.children().end()) refuse("the name of an alternative", pair[0]);
  const auto index = static_cast<size_t>(found - type.children().begin());
  out->append_union(index);
  append_value(pair[1], *found, &out->child(index));
}

void append_present(const Node& value, const Type& type, ColumnBuilder* out) {
  const Kind kind = type.kind();
  if (kind == Kind::Bool) {
    if (!value.is(Node::Kind::Boolean)) refuse("a boolean", value);
    return out->append_bool(value.as_boolean());
  }
  if (is_integer(kind)) {
    return cast::with_integer(kind, [&](auto zero) { append_integer<decltype(zero)>(value, out); });
  }
  if (kind == Kind::HalfFloat || kind == Kind::Float || kind == Kind::Double) {
    return append_real(value, kind, out);
  }
  if (is_decimal(kind)) return append_decimal(value, type, out);
  if (is_utf8(kind) || is_binary(kind)) return out->append_bytes(text_of(value, "a string"));
  if (kind == Kind::FixedSizeBinary) {
    const std::string& bytes = text_of(value, "a string");
    if (std::ssize(bytes) != type.size()) refuse(fmt::format("{} bytes", type.size()), value);
    return out->append_fixed(bytes.data());
  }
  if (kind == Kind::IntervalDayTime || kind == Kind::IntervalMonthDayNano) {
    return append_interval(value, kind, out);
  }
  if (kind == Kind::List || kind == Kind::Map) return append_list(value, type, out);
  if (kind == Kind::Struct) {
    append_members(value, type.children(), [&](size_t i) { return &out->child(i); });
    return out->append_struct();
  }
  if (kind == Kind::DenseUnion || kind == Kind::SparseUnion) return append_union(value, type, out);
  // Dates, times, instants and durations are numbers in their own unit.
  if (out->width() == 4) return append_integer<int32_t>(value, out);
  append_integer<int64_t>(value, out);
}

void append_value(const Node& value, const Field& field, ColumnBuilder* out) {
  const bool is_union = out->layout() == ColumnBuilder::Layout::Union;
  if (value.is(Node::Kind::Entity) && !is_union) {
    if (!field.nullable && field.type.kind() != Kind::Null) refuse("a value", value);
    return out->append_null();
  }
  if (field.type.kind() == Kind::Null) refuse("null", value);
  append_present(value, field.type, out);
}

}  // namespace

Schema plain_layouts(const Schema& schema) {
  Schema out = schema;
  for (Field& field : out.fields) field.type = plain_layout(field.type);
  return out;
}

YsonRowBuilder::YsonRowBuilder(const Schema& schema) : schema_(schema) {
  for (const Field& field : schema_.fields) columns_.emplace_back(field);
}

void YsonRowBuilder::append(const yson::Node& row) {
  ++rows_;
  try {
    append_members(row, schema_.fields, [&](size_t i) { return &columns_[i]; });
  } catch (const Error&) {
    for (ColumnBuilder& column : columns_) {
      column.truncate(rows_ - 1);
      column.append_placeholder();
    }
    throw;
  }
}

Array YsonRowBuilder::finish() {
  std::vector<Array> columns;
  for (ColumnBuilder& column : columns_) columns.push_back(column.finish());
  return struct_of(std::move(columns), std::exchange(rows_, 0));
}

}  // namespace xwalk::hub
