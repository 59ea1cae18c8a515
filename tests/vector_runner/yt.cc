// Types, schemas and encodings of YTsaurus. Row values have a source of their own.

#include <fmt/format.h>

#include "runner.h"
#include "tests/skiff/oracle/node_codec.h"
#include "xwalk/base/error.h"
#include "xwalk/base/hex.h"
#include "xwalk/yson/parse.h"
#include "xwalk/yson/print.h"
#include "xwalk/yt/compatibility.h"
#include "xwalk/yt/decimal.h"
#include "xwalk/yt/forms.h"
#include "xwalk/yt/merge.h"
#include "xwalk/yt/schema.h"
#include "xwalk/yt/short_notation.h"
#include "xwalk/yt/tz.h"
#include "xwalk/yt/uuid.h"
#include "xwalk/yt/validate.h"

namespace xwalk::vectors {
namespace {

std::string text(const Json& vector, const char* key) { return vector.at(key).get<std::string>(); }
std::string shown(bool value) { return value ? "true" : "false"; }

yt::Type type_of(const std::string& input) { return yt::parse_type(yson::parse(input)); }

void check_valid_type(const Json& vector, const Context&) {
  yt::Type type = type_of(text(vector, "input"));
  yt::check(type.is(yt::TypeKind::Yson) ? yt::optional(type) : type);
  if (vector.contains("canonical_yson")) {
    expect_equal("canonical_yson", text(vector, "canonical_yson"), yt::print_type_yson(type));
  }
  if (vector.contains("short")) {
    expect_equal("short", text(vector, "short"), yt::print_short(type));
  }
  if (vector.contains("v1")) {
    yt::V1Type v1 = yt::to_v1(type);
    expect_equal("type", text(vector["v1"], "type"), std::string(yt::v1_name(v1.type)));
    expect_equal("required", shown(vector["v1"].at("required")), shown(v1.required));
  }
  if (vector.contains("physical")) {
    expect_equal("physical", text(vector, "physical"),
                 std::string(yt::to_string(yt::physical_type(type))));
  }
  if (vector.contains("is_pure_v1")) {
    expect_equal("is_pure_v1", shown(vector["is_pure_v1"]), shown(yt::is_pure_v1(type)));
  }
  if (vector.contains("nullable")) {
    expect_equal("nullable", shown(vector["nullable"]), shown(yt::is_nullable(type)));
  }
  if (vector.contains("complexity")) {
    expect_equal("complexity", vector["complexity"].dump(), std::to_string(yt::complexity(type)));
  }
  if (vector.contains("can_be_key_column")) {
    expect_equal("can_be_key_column", shown(vector["can_be_key_column"]),
                 shown(yt::can_be_key_column(type)));
  }
}

void check_invalid_type(const Json& vector, const Context& context) {
  std::string input = text(vector, "input");
  if (text(vector, "stage") == "parse") {
    context.expect_refused("parsing", [&] { type_of(input); });
    return;
  }
  expect_equal("stage", text(vector, "stage"), "validate");
  yt::Type type = type_of(input);
  context.expect_refused("validation", [&] { yt::check(type); });
}

void check_column_schema(const Json& vector, const Context& context) {
  auto read = [&] {
    yt::ColumnSchema column = yt::parse_column_schema(yson::parse(text(vector, "input")));
    yt::check(column);
    return column;
  };
  if (!vector.at("valid").get<bool>()) {
    context.expect_refused("column", [&] { read(); });
    return;
  }
  yt::ColumnSchema column = read();
  yt::V1Type v1 = yt::to_v1(column.type);
  expect_equal("type_v3", text(vector, "type_v3"), yt::print_type_yson(column.type));
  expect_equal("type", text(vector, "type"), std::string(yt::v1_name(v1.type)));
  expect_equal("required", shown(vector.at("required")), shown(column.required()));
  expect(yt::parse_column_schema(yt::to_node(column)) == column, "the printed column parses back",
         yson::print(yt::to_node(column)));
}

void check_table_schema(const Json& vector, const Context& context) {
  auto read = [&] {
    yt::TableSchema schema = yt::parse_table_schema(text(vector, "input"));
    yt::check(schema);
    return schema;
  };
  if (!vector.at("valid").get<bool>()) {
    context.expect_refused("table schema", [&] { read(); });
    return;
  }
  yt::TableSchema schema = read();
  std::string attributes = yson::print(yt::attributes_node(schema));
  attributes.resize(attributes.size() - std::string("[]").size());
  expect_equal("canonical_attributes", text(vector, "canonical_attributes"), attributes);
  for (yt::SchemaForm form : {yt::SchemaForm::Yson, yt::SchemaForm::YsonBinary,
                              yt::SchemaForm::Json, yt::SchemaForm::Short}) {
    if (form == yt::SchemaForm::Short && schema.columns.empty()) continue;
    std::string printed = yt::print(schema, form);
    expect(yt::parse_table_schema(printed) == schema, "the printed schema parses back", printed);
  }
}

void check_short_notation(const Json& vector, const Context& context) {
  auto read = [&] {
    yt::Type type = yt::parse_type_short(text(vector, "input"));
    yt::check(type);
    return type;
  };
  if (!vector.at("valid").get<bool>()) {
    context.expect_refused("short notation", [&] { read(); });
    return;
  }
  yt::Type type = read();
  expect_equal("short", text(vector, "short"), yt::print_short(type));
  expect_equal("type_v3", text(vector, "type_v3"), yt::print_type_yson(type));
}

void check_compatibility(const Json& vector, const Context&) {
  yt::Type old_type = type_of(text(vector, "old"));
  yt::Type new_type = type_of(text(vector, "new"));
  auto answer = [&](const yt::CompatibilityOptions& options) {
    return std::string(
        yt::to_string(yt::check_type_compatibility(old_type, new_type, options).compatibility));
  };
  expect_equal("expected", text(vector, "expected"), answer({}));
  expect_equal("expected_with_rename_and_removal", text(vector, "expected_with_rename_and_removal"),
               answer({.allow_rename = true, .allow_removal = true}));
}

void check_merge(const Json& vector, const Context& context) {
  yt::Type first = type_of(text(vector, "first"));
  yt::Type second = type_of(text(vector, "second"));
  if (!vector.at("valid").get<bool>()) {
    context.expect_refused("merge", [&] { yt::merge_types(first, second); });
    return;
  }
  expect_equal("result", text(vector, "result"),
               yt::print_type_yson(yt::merge_types(first, second)));
}

void check_decimal(const Json& vector, const Context&) {
  int precision = vector.at("precision");
  int scale = vector.at("scale");
  std::string bytes = yt::decimal_from_text(text(vector, "text"), precision, scale);
  expect_equal("binary_hex", text(vector, "binary_hex"), to_hex(bytes));
  expect_equal("canonical_text", text(vector, "canonical_text"),
               yt::decimal_to_text(bytes, precision, scale));
}

void check_decimal_binary(const Json& vector, const Context& context) {
  int precision = vector.at("precision");
  int scale = vector.at("scale");
  std::string bytes = from_hex(text(vector, "binary_hex"));
  if (!vector.at("valid").get<bool>()) {
    context.expect_refused("decimal", [&] { yt::decimal_to_text(bytes, precision, scale); });
    return;
  }
  expect_equal("printed_text", text(vector, "printed_text"),
               yt::decimal_to_text(bytes, precision, scale));
}

void check_decimal_text_error(const Json& vector, const Context& context) {
  context.expect_refused("decimal text", [&] {
    yt::decimal_from_text(text(vector, "text"), vector.at("precision"), vector.at("scale"));
  });
}

/// The bytes of a value in Skiff.
std::string skiff_hex(const yt::Type& type, const skiff::Type& wire, const std::string& stored) {
  const yson::Node value = yson::Node::string(stored);
  std::string out;
  skiff::Writer writer(&out);
  skiff::write_node(skiff::bind_nested(type, wire, skiff::Flow::Write), value, &writer);
  return to_hex(out);
}

/// The stored bytes of a value that Skiff's bytes are.
std::string from_skiff(const yt::Type& type, const skiff::Type& wire, const std::string& bytes) {
  skiff::Input input(bytes);
  skiff::Reader reader(input);
  const yson::Node value =
      skiff::read_node(skiff::bind_nested(type, wire, skiff::Flow::Read), &reader);
  expect(reader.at_end(), "all bytes read", "bytes left over");
  return std::string(value.as_string());
}

void check_uuid(const Json& vector, const Context&) {
  std::string bytes = from_hex(text(vector, "binary_hex"));
  expect_equal("text_yt", text(vector, "text_yt"), yt::uuid_to_yt(bytes));
  expect_equal("text_yql", text(vector, "text_yql"), yt::uuid_to_yql(bytes));
  expect_equal("binary_hex", to_hex(bytes), to_hex(yt::uuid_from_yt(text(vector, "text_yt"))));
  expect_equal("binary_hex", to_hex(bytes), to_hex(yt::uuid_from_yql(text(vector, "text_yql"))));
  expect_equal("skiff_uint128_hex", text(vector, "skiff_uint128_hex"),
               skiff_hex(type_of("uuid"), skiff::Type(skiff::WireType::Uint128), bytes));
}

void check_uuid_parse(const Json& vector, const Context& context) {
  auto read = [&] {
    std::string mode = text(vector, "mode");
    return mode == "text_yt" ? yt::uuid_from_yt(text(vector, "text"))
                             : yt::uuid_from_yql(text(vector, "text"));
  };
  if (!vector.contains("binary_hex") || vector["binary_hex"].is_null()) {
    context.expect_refused("uuid", [&] { read(); });
    return;
  }
  expect_equal("binary_hex", text(vector, "binary_hex"), to_hex(read()));
}

void check_tz(const Json& vector, const Context& context) {
  yt::Type type = type_of(text(vector, "type_v3"));
  yt::TypeKind kind = type.kind();
  std::string bytes = from_hex(text(vector, "bytes_hex_name_form"));
  yt::TzValue value{vector.at("value").get<int64_t>(), text(vector, "zone")};
  const std::string integer =
      fmt::format("{}int{}", yt::tz_is_signed(kind) ? "" : "u", 8 * yt::tz_integer_size(kind));
  const skiff::Type wire(skiff::WireType::Tuple, {skiff::Type(*skiff::wire_from_name(integer)),
                                                  skiff::Type(skiff::WireType::Uint16)});
  auto of_skiff = [&] { return from_skiff(type, wire, from_hex(text(vector, "skiff_tuple_hex"))); };
  if (!vector.at("valid").get<bool>()) {
    context.expect_refused("bytes", [&] { yt::tz_from_bytes(kind, bytes); });
    context.expect_refused(
        "bytes", [&] { yt::tz_from_bytes(kind, from_hex(text(vector, "bytes_hex_index_form"))); });
    context.expect_refused("bytes", of_skiff);
    context.expect_refused("value", [&] { yt::tz_to_bytes(kind, value); });
    return;
  }
  expect_equal("bytes_hex_name_form", to_hex(bytes), to_hex(yt::tz_to_bytes(kind, value)));
  for (const char* form : {"bytes_hex_name_form", "bytes_hex_index_form"}) {
    yt::TzValue found = yt::tz_from_bytes(kind, from_hex(text(vector, form)));
    expect(found == value, fmt::format("{} {}", value.instant, value.zone),
           fmt::format("{} {}", found.instant, found.zone));
  }
  expect_equal("zone", value.zone,
               std::string(yt::zone_of_number(vector.at("zone_index").get<uint16_t>())));
  expect_equal("skiff_tuple_hex", to_hex(bytes), to_hex(of_skiff()));
}

}  // namespace

void add_yt_checks(Checks* checks) {
  checks->emplace("type_v3_valid", check_valid_type);
  checks->emplace("type_v3_invalid", check_invalid_type);
  checks->emplace("column_schema", check_column_schema);
  checks->emplace("table_schema", check_table_schema);
  checks->emplace("short_notation_parse", check_short_notation);
  checks->emplace("type_compatibility", check_compatibility);
  checks->emplace("type_merge", check_merge);
  checks->emplace("decimal", check_decimal);
  checks->emplace("decimal_binary_validation", check_decimal_binary);
  checks->emplace("decimal_text_error", check_decimal_text_error);
  checks->emplace("uuid", check_uuid);
  checks->emplace("uuid_parse", check_uuid_parse);
  checks->emplace("tz", check_tz);
}

}  // namespace xwalk::vectors
