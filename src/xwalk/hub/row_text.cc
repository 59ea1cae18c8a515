#include "xwalk/hub/row_text.h"

#include <array>
#include <cmath>
#include <limits>
#include <optional>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "xwalk/base/base64.h"
#include "xwalk/base/text.h"
#include "xwalk/base/uuid_text.h"
#include "xwalk/base/visible.h"
#include "xwalk/base/wide_integer.h"
#include "xwalk/hub/domain.h"
#include "xwalk/hub/extension.h"
#include "xwalk/hub/kinds.h"
#include "xwalk/hub/value_at.h"
#include "xwalk/hub/variant.h"
#include "xwalk/variant/transcode.h"
#include "xwalk/yson/json.h"
#include "xwalk/yson/parse.h"
#include "xwalk/yson/print.h"

namespace xwalk::hub {
namespace {

/// Long text is written in pieces of this many bytes, a multiple of base64's unit.
constexpr size_t kPieceBytes = size_t{3} << 16;

/// How values are written, and how long text is flushed or cut.
struct Style {
  HoldsYson holds_yson = nullptr;
  bool yson_as_json = false;
  size_t most = std::string::npos;  ///< bytes after which the rest may be cut
  const Spill* spill = nullptr;

  /// Has long text taken. Returns whether more is wanted.
  bool go_on(std::string* text) const {
    if (spill != nullptr && text->size() >= kPieceBytes) (*spill)(text);
    return text->size() <= most;
  }
};

void append_bytes(std::string_view bytes, const Style& style, std::string* out) {
  const bool text = is_valid_utf8(bytes);
  if (text && bytes.size() <= kPieceBytes) return append_visible_json(bytes, out);
  *out += text ? "\"" : "{\"base64\":\"";
  while (!bytes.empty() && style.go_on(out)) {
    std::string_view piece = bytes.substr(0, kPieceBytes);
    if (text) piece = piece.substr(0, utf8_prefix(piece));
    bytes.remove_prefix(piece.size());
    if (text) {
      std::string in_quotes;
      append_visible_json(piece, &in_quotes);
      out->append(in_quotes, 1, in_quotes.size() - 2);
    } else {
      *out += to_base64(piece);
    }
  }
  *out += text ? "\"" : "\"}";
}

/// Names are keys, which can only be text.
void append_name(std::string_view name, std::string* out) {
  append_visible_json(with_escaped_bytes(name), out);
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

/// Returns what YTsaurus stores nan of a decimal as: the most that its width holds, beyond all of
/// its numbers. Infinity is one less.
Int256 stored_nan(int precision) {
  if (precision <= 9) return std::numeric_limits<int32_t>::max();
  if (precision <= 18) return std::numeric_limits<int64_t>::max();
  if (precision > 38) return Int256::max();
  return (Int128{std::numeric_limits<int64_t>::max()} << 64) | Int128{UINT64_MAX};
}

void append_decimal(const Int256& value, int precision, int scale, std::string* out) {
  const Int256 nan = stored_nan(precision);
  if (value == nan) return append_visible_json("nan", out);
  if (value == nan - Int256(1)) return append_visible_json("inf", out);
  if (value == Int256(1) - nan) return append_visible_json("-inf", out);
  std::string text(scaled_text_size(scale), '\0');
  text.resize(static_cast<size_t>(write_scaled_text(value, scale, text.data()) - text.data()));
  append_visible_json(text, out);
}

/// Appends a value of text or bytes.
void append_value(const Field& field, std::string_view bytes, const Style& style,
                  std::string* out) {
  if (field.type.kind() == Kind::FixedSizeBinary) {
    if (field.extension_name() == kUuidExtension && bytes.size() == kUuidSize) {
      std::array<char, kUuidTextSize> text;
      write_uuid_text(bytes.data(), text.data());
      return append_visible_json({text.data(), text.size()}, out);
    }
  } else if (!is_utf8(field.type.kind()) && style.holds_yson != nullptr &&
             style.holds_yson(field)) {
    std::optional<yson::Node> node;
    try {
      node = yson::parse(bytes);
      if (style.yson_as_json) {
        *out += visible_json(yson::to_json(*node));
        return;
      }
    } catch (const Error&) {
      // Shown as the bytes it is, or as YSON if JSON has no such strings.
    }
    if (node) return append_visible_json(yson::print(*node), out);
  }
  append_bytes(bytes, style, out);
}

/// Appends a VARIANT as JSON; returns false, and appends nothing, if the bytes are malformed.
bool append_variant(const Array& array, const Type& type, int64_t index, std::string* out) {
  yson::Buffer json;
  const variant::Outcome outcome =
      variant::Reader().to_json(variant_at(array, type, index), variant::Foreign::Text, &json);
  if (outcome.ok()) *out += visible_json(json.view());
  return outcome.ok();
}

/// Returns JSON for a cell: text without quotes.
std::string cell_of(const std::string& json) {
  if (json.size() < 2 || json.front() != '"') return json;
  std::string out;
  for (const char c : nlohmann::json::parse(json).get<std::string>()) {
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

void append_element(const Field& field, const Array& array, int64_t index, const Style& style,
                    std::string* out);

void append_list(const Field& field, const Array& array, int64_t index, const Style& style,
                 std::string* out) {
  const Type& type = field.type;
  auto [begin, count] = items_at(array, type, index);
  *out += '[';
  for (int64_t i = 0; i < count && style.go_on(out); ++i) {
    if (i > 0) *out += ',';
    append_element(type.child(), array.children[0], begin + i, style, out);
  }
  *out += ']';
}

void append_map(const Field& field, const Array& array, int64_t index, const Style& style,
                std::string* out) {
  const Type& type = field.type;
  auto [begin, count] = items_at(array, type, index);
  const Array& entries = array.children[0];
  *out += '[';
  for (int64_t i = 0; i < count && style.go_on(out); ++i) {
    *out += i > 0 ? ",[" : "[";
    append_element(type.key(), entries.children[0], entries.slot(begin + i), style, out);
    *out += ',';
    append_element(type.value(), entries.children[1], entries.slot(begin + i), style, out);
    *out += ']';
  }
  *out += ']';
}

void append_struct(const Field& field, const Array& array, int64_t index, const Style& style,
                   std::string* out) {
  const Type& type = field.type;
  if (is_variant(field) && append_variant(array, type, index, out)) return;
  *out += '{';
  for (size_t i = 0; i < type.children().size() && style.go_on(out); ++i) {
    if (i > 0) *out += ',';
    append_name(type.child(i).name, out);
    *out += ':';
    append_element(type.child(i), array.children[i], array.slot(index), style, out);
  }
  *out += '}';
}

void append_union(const Field& field, const Array& array, int64_t index, const Style& style,
                  std::string* out) {
  const Type& type = field.type;
  auto [which, place] = alternative_at(array, type, index);
  *out += '{';
  append_name(type.child(which).name, out);
  *out += ':';
  append_element(type.child(which), array.children[which], place, style, out);
  *out += '}';
}

void append_interval(Kind kind, const Array& array, int64_t index, std::string* out) {
  if (kind == Kind::IntervalMonths) {
    *out += fmt::format("{{\"months\":{}}}", array.value<int32_t>(index));
    return;
  }
  if (kind == Kind::IntervalDayTime) {
    auto parts = array.value<std::array<int32_t, 2>>(index);
    *out += fmt::format("{{\"days\":{},\"milliseconds\":{}}}", parts[0], parts[1]);
    return;
  }
  struct Parts {
    int32_t months;
    int32_t days;
    int64_t nanoseconds;
  };
  auto parts = array.value<Parts>(index);
  *out += fmt::format("{{\"months\":{},\"days\":{},\"nanoseconds\":{}}}", parts.months, parts.days,
                      parts.nanoseconds);
}

void append_time(const Field& field, const Array& array, int64_t index, std::string* out) {
  const int64_t ticks = integer_at(array, field.type.kind(), index);
  append_visible_json(value_text(domain_of(field), ticks), out);
}

/// Appends a value whose type has no parameters.
void append_plain(const Field& field, const Array& array, int64_t index, const Style& style,
                  std::string* out) {
  const Kind kind = field.type.kind();
  if (is_utf8(kind) || is_binary(kind)) {
    append_value(field, bytes_at(array, field.type, index), style, out);
  } else if (kind == Kind::Bool) {
    *out += array.bit(index) ? "true" : "false";
  } else if (kind == Kind::Uint64) {
    *out += std::to_string(array.value<uint64_t>(index));
  } else if (is_integer(kind)) {
    *out += std::to_string(integer_at(array, kind, index));
  } else if (kind == Kind::Float && std::isfinite(array.value<float>(index))) {
    // A float needs fewer digits than the double that equals it.
    fmt::format_to(std::back_inserter(*out), "{}", array.value<float>(index));
  } else if (kind == Kind::Date32 || kind == Kind::Date64) {
    append_time(field, array, index, out);
  } else if (kind == Kind::HalfFloat || kind == Kind::Float || kind == Kind::Double) {
    append_float(real_at(array, kind, index), out);
  } else {
    append_interval(kind, array, index, out);
  }
}

void append_element(const Field& field, const Array& array, int64_t index, const Style& style,
                    std::string* out) {
  const Type& type = field.type;
  if (type.kind() == Kind::Null || array.is_null(index)) {
    *out += "null";
    return;
  }
  switch (kind_row(type.kind()).form) {
    case Form::Plain:
      return append_plain(field, array, index, style, out);
    case Form::FixedSizeBinary:
      return append_value(field, bytes_at(array, type, index), style, out);
    case Form::Unit:
    case Form::Timestamp:
      return append_time(field, array, index, out);
    case Form::Decimal:
      return append_decimal(decimal_at(array, type.kind(), index), type.precision(), type.scale(),
                            out);
    case Form::List:
    case Form::FixedSizeList:
      return append_list(field, array, index, style, out);
    case Form::Map:
      return append_map(field, array, index, style, out);
    case Form::Struct:
      return append_struct(field, array, index, style, out);
    case Form::Union:
      return append_union(field, array, index, style, out);
    case Form::Dictionary:
      return append_element(type.child(), *array.dictionary,
                            integer_at(array, type.index_kind(), index), style, out);
    case Form::RunEndEncoded:
      return append_element(type.child(1), array.children[1], run_at(array, type, index), style,
                            out);
  }
}

}  // namespace

void append_json(const Field& field, const Array& array, int64_t index, std::string* out,
                 HoldsYson holds_yson, const Spill& spill) {
  append_element(field, array, index, {.holds_yson = holds_yson, .spill = spill ? &spill : nullptr},
                 out);
}

void append_json_row(const Schema& schema, const Array& array, int64_t row, std::string* out,
                     const Spill& spill, HoldsYson holds_yson) {
  const Style style{
      .holds_yson = holds_yson, .yson_as_json = true, .spill = spill ? &spill : nullptr};
  if (array.is_null(row)) {
    *out += "null";
    return;
  }
  *out += '{';
  for (size_t i = 0; i < schema.fields.size(); ++i) {
    if (i > 0) *out += ',';
    append_name(schema.fields[i].name, out);
    *out += ':';
    append_element(schema.fields[i], array.children[i], array.slot(row), style, out);
  }
  *out += '}';
}

std::string cell_text(const Field& field, const Array& array, int64_t row, size_t most,
                      HoldsYson holds_yson) {
  std::string json;
  append_element(field, array, row, {.holds_yson = holds_yson, .most = most}, &json);
  return cell_of(json);
}

std::string cell_text(const Field& field, std::string_view bytes, HoldsYson holds_yson) {
  std::string json;
  append_value(field, bytes, {.holds_yson = holds_yson}, &json);
  if (!json.starts_with('"')) return json;
  return nlohmann::json::parse(json).get<std::string>();
}

}  // namespace xwalk::hub
