// A random table and its types in every written form: each restores everything that it can express.
// Damaged by the input, it gives a schema that does the same, or is refused. YQL row specs are also
// made of tokens from the input, and combined with a schema. The first byte chooses which.

#include <algorithm>
#include <array>
#include <optional>
#include <string>
#include <string_view>

#include "fuzz/harness.h"
#include "tests/yt/random_type.h"
#include "xwalk/base/error.h"
#include "xwalk/yson/node.h"
#include "xwalk/yson/parse.h"
#include "xwalk/yson/print.h"
#include "xwalk/yt/forms.h"
#include "xwalk/yt/hub.h"
#include "xwalk/yt/row_spec.h"
#include "xwalk/yt/short_notation.h"
#include "xwalk/yt/validate.h"

namespace xwalk::fuzz {
namespace {

using yson::Node;
using yt::SchemaForm;
using yt::TableSchema;
using yt::Type;

constexpr std::array kForms = {SchemaForm::Yson, SchemaForm::YsonBinary, SchemaForm::Json,
                               SchemaForm::Short, SchemaForm::RowSpec};

/// Puts bytes of the input in the place of others.
std::string damaged(std::string text, Choices* choices) {
  for (size_t count = choices->below(4); count > 0 && !text.empty(); --count) {
    const size_t at = (size_t{choices->byte()} << 8 | choices->byte()) % text.size();
    const size_t size = std::min<size_t>(choices->below(12), text.size() - at);
    text.replace(at, size, choices->text());
  }
  return text;
}

/// Prints in a form; empty if the form cannot express it: JSON for bytes that are not UTF-8.
template <typename T>
std::optional<std::string> printed_in(const T& what, SchemaForm form) {
  try {
    return yt::print(what, form);
  } catch (const Error& error) {
    require(form == SchemaForm::Json && error.code() != ErrorCode::Internal, "a form has words",
            error.describe());
    return std::nullopt;
  }
}

/// Returns true if a form holds all of a schema: short notation has only the names that are shown,
/// and a row spec less.
bool is_whole(SchemaForm form) { return form != SchemaForm::RowSpec && form != SchemaForm::Short; }

/// What is read of a form is printed in it, and read again as the same.
void check_table(const std::string& text, SchemaForm form) {
  TableSchema schema;
  try {
    schema = yt::parse_table_schema(text);
  } catch (const Error& error) {
    return require_refusal(error);
  }
  schema.row_spec_differences.clear();
  // A form without columns is no table in short notation, and what breaks rules has no row spec.
  if (form == SchemaForm::Short && schema.columns.empty()) return;
  if (form == SchemaForm::RowSpec && !yt::validate(schema).empty()) return;
  const std::optional<std::string> printed = printed_in(schema, form);
  if (!printed) return;
  const TableSchema again = yt::parse_table_schema(*printed);
  require(yt::print(again, form) == *printed, "a form gives the schema back", *printed);
  require(!is_whole(form) || again == schema, "a form is whole", *printed);
}

void check_tables(Choices* choices) {
  const TableSchema schema = yt::testing::RandomTypes(choices->word()).table();
  const SchemaForm form = kForms[choices->below(kForms.size())];
  const std::optional<std::string> text = printed_in(schema, form);
  if (!text) return;
  const std::string bad = damaged(*text, choices);
  if (bad != *text) return check_table(bad, form);
  check_table(*text, form);
  require(!yt::print(schema, SchemaForm::Commands).empty());
  if (is_whole(form)) require(yt::parse_table_schema(*text) == schema, "a form is whole", *text);
  require(yt::from_arrow(yt::to_arrow(schema)).schema == schema, "Arrow gives it back", *text);
}

void check_types(Choices* choices) {
  const uint32_t seed = choices->word();
  const Type type = yt::testing::RandomTypes(seed).type(4);
  const SchemaForm form = kForms[choices->below(4)];
  const std::string text = yt::print(type, form);
  const Type read = yt::parse_type(text);
  require(is_whole(form) ? read == type : yt::print(read, form) == text,
          "a form gives the type back", text);
  require(!yt::print(type, SchemaForm::Commands).empty());
  require(yt::to_string(yt::physical_type(type)).size() > 2);
  require(yt::can_be_key_column(type) || yt::without_tags(type).content() != yt::Content::Signed);
  const yt::V1Type older = yt::to_v1(type);
  try {
    const Type made = yt::from_v1(older.type, older.required);
    require(!yt::is_pure_v1(type) || yt::to_v1(made) == older, "the older form", text);
  } catch (const Error& error) {
    require(error.code() == ErrorCode::Input);
  }
  const std::string bad = damaged(text, choices);
  Type found;
  try {
    found = yt::parse_type(bad);
  } catch (const Error& error) {
    return require_refusal(error);
  }
  if (const std::optional<std::string> printed = printed_in(found, form)) {
    const Type again = yt::parse_type(*printed);
    require(is_whole(form) ? again == found : yt::print(again, form) == *printed,
            "a form gives the type back", *printed);
  }
  const yt::Problems problems = yt::validate(found);
  for (const yt::Problem& problem : problems) require(!problem.message.empty());
  if (problems.empty()) {
    require(yt::complexity(found) > 0 && yt::print(found, SchemaForm::RowSpec).size() > 2);
  }
}

/// A type node of YQL, mostly right.
Node yql_type(Choices* choices, int depth) {
  static constexpr std::string_view kWords[] = {
      "DataType",      "PgType",       "NullType",    "VoidType",   "EmptyListType",
      "EmptyDictType", "OptionalType", "ListType",    "StructType", "TupleType",
      "DictType",      "TaggedType",   "VariantType", "DataType"};
  static constexpr std::string_view kData[] = {
      "Int8",       "Int16",       "Int32",      "Int64",      "Uint8",        "Uint16",
      "Uint32",     "Uint64",      "Float",      "Double",     "Bool",         "String",
      "Utf8",       "Json",        "Yson",       "Uuid",       "Date",         "Datetime",
      "Timestamp",  "Interval",    "TzDate",     "TzDatetime", "TzTimestamp",  "Date32",
      "Datetime64", "Timestamp64", "Interval64", "TzDate32",   "JsonDocument", "DyNumber",
      "Decimal"};
  static constexpr std::string_view kPg[] = {"bool",   "int2", "int4",  "int8",   "float4",
                                             "float8", "text", "bytea", "numeric"};
  const auto word = [](std::string_view text) { return Node::string(std::string(text)); };
  const size_t kind = choices->below(std::size(kWords));
  Node out = Node::list();
  out.add(word(kWords[kind]));
  const auto below = [&] {
    if (depth > 0) return yql_type(choices, depth - 1);
    return Node::list({word("DataType"), word("Int8")});
  };
  const auto members = [&](bool named) {
    Node list = Node::list();
    for (size_t i = choices->below(3) + 1; i > 0; --i) {
      Node type = below();
      list.add(named ? Node::list({word("m" + std::to_string(i)), std::move(type)})
                     : std::move(type));
    }
    return list;
  };
  switch (kind) {
    case 1:
      out.add(word(kPg[choices->below(std::size(kPg))]));
      break;
    case 2:
    case 3:
    case 4:
    case 5:
      break;
    case 6:
    case 7:
      out.add(below());
      break;
    case 8:
    case 9:
      out.add(members(kind == 8));
      break;
    case 10:
      out.add(below());
      out.add(below());
      break;
    case 11:
      out.add(word("tag"));
      out.add(below());
      break;
    case 12: {
      const bool named = choices->below(2) == 0;
      out.add(Node::list({word(named ? "StructType" : "TupleType"), members(named)}));
      break;
    }
    default: {
      const std::string_view data = kData[choices->below(std::size(kData))];
      out.add(word(data));
      if (data == "Decimal") {
        out.add(word(std::to_string(1 + choices->below(35))));
        out.add(word("1"));
      }
    }
  }
  if (choices->below(64) == 63) out.add(Node::boolean(true));
  return out;
}

Node flag(Choices* choices) {
  switch (choices->below(6)) {
    case 0:
      return Node::boolean(true);
    case 1:
      return Node::boolean(false);
    case 2:
      return Node::string("true");
    case 3:
      return Node::string("false");
    case 4:
      return Node::uint64(choices->below(3));
    default:
      return Node::int64(static_cast<int64_t>(choices->below(3)));
  }
}

/// A row spec, alone or as a patch beside the table's schema.
void check_row_specs(Choices* choices) {
  Node columns = Node::list();
  Node names = Node::list();
  Node types = Node::list();
  Node directions = Node::list();
  const size_t count = 1 + choices->below(4);
  const size_t keys = choices->below(count + 1);
  for (size_t i = 0; i < count; ++i) {
    const std::string name = "c" + std::to_string(i);
    Node type = yql_type(choices, 2);
    if (i < keys) {
      names.add(Node::string(choices->below(16) == 15 ? "other" : name));
      if (choices->below(16) != 15) types.add(type);
      directions.add(flag(choices));
    }
    columns.add(Node::list({Node::string(name), std::move(type)}));
  }
  Node row = Node::list({Node::string("StructType"), std::move(columns)});
  Node spec = Node::map();
  const bool patch = choices->below(4) == 3;
  spec.add(patch ? "TypePatch" : "Type", std::move(row));
  if (choices->below(2) == 0) spec.add("StrictSchema", flag(choices));
  switch (choices->below(5)) {
    case 0:
      spec.add("NativeYtTypeFlags", Node::uint64(2047));
      break;
    case 1:
      spec.add("NativeYtTypeFlags", Node::int64(choices->byte() << 5));
      break;
    case 2:
      spec.add("UseNativeYtTypes", flag(choices));
      break;
    case 3:
      spec.add("UseTypeV2", flag(choices));
      break;
    default:
      break;
  }
  if (keys > 0) {
    spec.add("SortMembers", names);
    spec.add("SortedBy", std::move(names));
    spec.add("SortedByTypes", std::move(types));
    spec.add("SortDirections", std::move(directions));
    if (choices->below(2) == 0) spec.add("UniqueKeys", flag(choices));
  }
  if (choices->below(4) == 0) spec.add("DefaultValues", Node::map());
  if (choices->below(4) == 0) spec.add("ExplicitYson", flag(choices));
  Node given = spec;
  if (patch || choices->below(4) == 0) {
    Node attributes = Node::map();
    attributes.add("schema", yt::to_node(yt::testing::RandomTypes(choices->byte()).table()));
    attributes.add("_yql_row_spec", std::move(spec));
    given = std::move(attributes);
  }
  const std::string text = damaged(yson::print(given), choices);
  TableSchema schema;
  try {
    schema = yt::parse_table_schema(text);
  } catch (const Error& error) {
    return require_refusal(error, {ErrorCode::Input});
  }
  for (const yt::RowSpecDifference& told : schema.row_spec_differences) {
    require(!told.text.empty());
  }
  if (!yt::validate(schema).empty()) return;
  const std::string printed = yt::print(schema, SchemaForm::RowSpec);
  const TableSchema again = yt::parse_table_schema(printed);
  require(yt::print(again, SchemaForm::RowSpec) == printed, "a row spec is read as it is written",
          printed);
  hub::Findings lost;
  yt::row_spec_node(schema, &lost);
  for (const hub::Finding& finding : lost) require(!finding.lost.empty());
}

}  // namespace

void XWALK_FUZZ_RUN(std::string_view data) {
  const Allowance any;
  Choices choices(data);
  switch (choices.below(4)) {
    case 0:
      return check_tables(&choices);
    case 1:
      return check_types(&choices);
    default:
      return check_row_specs(&choices);
  }
}

}  // namespace xwalk::fuzz
