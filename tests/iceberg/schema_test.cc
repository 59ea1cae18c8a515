#include <algorithm>
#include <set>

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "xwalk/base/error.h"
#include "xwalk/hub/annotation.h"
#include "xwalk/hub/geospatial.h"
#include "xwalk/iceberg/evolution.h"
#include "xwalk/iceberg/hub.h"
#include "xwalk/iceberg/json.h"
#include "xwalk/iceberg/text.h"
#include "xwalk/iceberg/validate.h"

namespace xwalk::iceberg {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

/// A schema of one column of a type.
std::string schema_of(std::string_view type) {
  return R"({"type":"struct","fields":[{"id":1,"name":"a","required":false,"type":)" +
         std::string(type) + "}]}";
}

std::string error_of(std::string_view json) {
  try {
    (void)read_json(json);
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), ErrorCode::Input);
    return error.describe();
  }
  return "";
}

TEST(IcebergWords, AGeometryHasOneParameter) {
  // PROJJSON has commas, and a geometry has no algorithm.
  const Type type = parse_type_text(R"(geometry({"a":1,"b":2}))");
  EXPECT_EQ(type.crs, R"({"a":1,"b":2})");
  EXPECT_EQ(type.algorithm, "");
  EXPECT_EQ(parse_type_text(print_type_text(type)), type);
  EXPECT_EQ(parse_type_text("geography(srid:1, karney)").algorithm, "karney");
}

TEST(IcebergJson, EveryTypeIsReadAndWrittenAgain) {
  for (const KindRow& row : kKindRows) {
    std::vector<std::string_view> words;
    for (const std::string_view example : row.examples) {
      if (!example.empty()) words.push_back(example);
    }
    if (words.empty()) words.push_back(row.name);
    for (const std::string_view word : words) {
      SCOPED_TRACE(word);
      Schema schema;
      schema.fields.push_back({.name = "a", .type = parse_type_text(word)});
      assign_ids(&schema);
      EXPECT_EQ(schema.fields[0].type.kind, row.kind);
      EXPECT_EQ(print_type_text(schema.fields[0].type), word);
      EXPECT_EQ(read_json(write_json(schema)), schema);
      EXPECT_EQ(write_json(read_json(write_json(schema))), write_json(schema));
    }
  }
}

// Specification, "Appendix C: JSON serialization", "Schemas".
TEST(IcebergJson, KeepsIdsDocsDefaultsAndIdentifiers) {
  const Schema schema = read_json(R"({
    "type": "struct", "schema-id": 3, "identifier-field-ids": [1],
    "fields": [
      {"id": 1, "name": "id", "required": true, "type": "uuid", "doc": "who",
       "initial-default": "0db3e2a8-9d1d-42b9-aa7b-74ebe558dceb",
       "write-default": "ec5911be-b0a7-458c-8438-c9a3e53cffae"},
      {"id": 2, "name": "data", "required": false,
       "type": {"type": "list", "element-id": 3, "element-required": true, "element": "string"}},
      {"id": 4, "name": "tags", "required": false,
       "type": {"type": "map", "key-id": 5, "key": "string", "value-id": 6,
                "value-required": false, "value": "double"}}]})");
  EXPECT_EQ(schema.schema_id, 3);
  EXPECT_THAT(schema.identifier_field_ids, ElementsAre(1));
  EXPECT_EQ(schema.fields[0].doc, "who");
  EXPECT_EQ(schema.fields[0].initial_default, "\"0db3e2a8-9d1d-42b9-aa7b-74ebe558dceb\"");
  EXPECT_EQ(schema.fields[1].type.children[0].id, 3);
  EXPECT_TRUE(schema.fields[1].type.children[0].required);
  EXPECT_FALSE(schema.fields[2].type.children[1].required);
  EXPECT_EQ(last_id(schema), 6);
  EXPECT_EQ(read_json(write_json(schema)), schema);
  EXPECT_EQ(from_arrow(to_arrow(schema)).schema, schema);
}

TEST(IcebergJson, TakesTheCurrentSchemaOutOfTheMetadataOfATable) {
  const Schema schema = read_json(R"({"format-version": 2, "last-column-id": 9,
    "current-schema-id": 1, "schemas": [
      {"type": "struct", "schema-id": 0, "fields": []},
      {"type": "struct", "schema-id": 1,
       "fields": [{"id": 4, "name": "a", "required": true, "type": "long"}]}]})");
  EXPECT_EQ(schema.schema_id, 1);
  ASSERT_EQ(schema.fields.size(), 1U);
  EXPECT_EQ(last_id(schema), 9);
  const Schema first = read_json(R"({"format-version": 1, "last-column-id": 1, "schema":
      {"type": "struct", "fields": [{"id": 1, "name": "a", "required": true, "type": "int"}]}})");
  EXPECT_EQ(first.fields[0].type.kind, Kind::Int);
  EXPECT_THAT(error_of(R"({"format-version": 2, "current-schema-id": 7, "schemas": []})"),
              HasSubstr("expected a schema of the id 7"));
  const std::string one = R"(, "schema": {"type": "struct", "fields": []}})";
  EXPECT_THAT(error_of(R"({"format-version": 2)" + one), HasSubstr("expected a \"schemas\""));
  EXPECT_THAT(error_of(R"({"format-version": 3, "schemas": []})"),
              HasSubstr("expected a \"current-schema-id\""));
  EXPECT_THROW((void)read_json(R"({"format-version": 42)" + one), Error);
  EXPECT_THAT(error_of(R"({"format-version": 0)" + one), HasSubstr("from 1, found 0"));
  EXPECT_THAT(error_of(R"({"format-version": "2")" + one), HasSubstr("as an integer"));
}

// Specification, "Reserved Field IDs".
TEST(IcebergIds, StayWithinThoseThatAFieldMayHave) {
  const auto with_id = [](int32_t id) {
    hub::Field field("a", hub::Kind::Int32);
    field.metadata.set("PARQUET:field_id", std::to_string(id));
    return field;
  };
  for (const int32_t id : {kLastFieldId - 1, kLastFieldId, kLastFieldId + 1, INT32_MAX}) {
    const bool allowed = id <= kLastFieldId;
    const auto made = from_arrow(
        {{with_id(id), hub::Field("b", hub::list(hub::Field("item", hub::Kind::Utf8)))}, {}});
    EXPECT_EQ(made.schema.fields[0].id == id, allowed) << id;
    std::set<int32_t> ids = {made.schema.fields[0].id, made.schema.fields[1].id,
                             made.schema.fields[1].type.children[0].id};
    EXPECT_EQ(ids.size(), 3U) << id;
    EXPECT_GE(*ids.begin(), 1) << id;
    EXPECT_LE(*ids.rbegin(), kLastFieldId) << id;
    EXPECT_EQ(std::ranges::count(made.findings, "id.invalid", &hub::Finding::rule),
              allowed ? 0 : 1);
    EXPECT_THAT(validate(made.schema), IsEmpty()) << id;
  }
  // Ids that a table gave are not given again.
  const Schema table = read_json(fmt::format(
      R"({{"format-version": 2, "last-column-id": {}, "current-schema-id": 0,
          "schemas": [{{"type": "struct", "schema-id": 0, "fields": []}}]}})",
      kLastFieldId));
  EXPECT_THROW((void)evolve(table, {{"add", "a=int"}}), Error);
}

TEST(IcebergJson, ErrorsSayWhatWasExpectedAndWhere) {
  EXPECT_THAT(error_of(schema_of("\"INT\"")), HasSubstr("a: expected a type of Iceberg"));
  EXPECT_THAT(error_of(schema_of("\"decimal(39, 2)\"")), HasSubstr("a precision from 1 to 38"));
  EXPECT_THAT(error_of(schema_of("\"decimal(9, 10)\"")), HasSubstr("a scale from 0 to 9"));
  EXPECT_THAT(error_of(schema_of("\"fixed\"")), HasSubstr("fixed with its parameters"));
  EXPECT_THAT(error_of(schema_of("\"int(3)\"")), HasSubstr("expected int, found"));
  EXPECT_THAT(error_of(schema_of("\"list\"")), HasSubstr("expected a type of Iceberg"));
  EXPECT_THAT(error_of(schema_of(R"({"type":"list","element":"int"})")),
              HasSubstr("a[]: expected a \"element-id\""));
  EXPECT_THAT(error_of(schema_of(R"({"type":"set"})")), HasSubstr("struct, list or map"));
  EXPECT_THAT(error_of(R"({"fields":[{"name":"a","type":"int"}]})"),
              HasSubstr("a: expected a \"id\""));
  EXPECT_THAT(error_of(R"({"fields":[{"id":1.5,"name":"a","type":"int"}]})"),
              HasSubstr("expected an id as an integer, found 1.5"));
  EXPECT_THAT(error_of("[]"), HasSubstr("expected an object"));
  EXPECT_THAT(error_of("{\"fields\":"), HasSubstr("expected JSON"));
  std::string deep = "\"int\"";
  for (int i = 0; i < 300; ++i) {
    deep = R"({"type":"list","element-id":2,"element-required":true,"element":)" + deep + "}";
  }
  EXPECT_THAT(error_of(schema_of(deep)), HasSubstr("at most 256 nested types"));
}

TEST(IcebergWords, NamesIdsAndRequirednessAreRead) {
  const Type type =
      parse_type_text("struct<7: a: required int, \"b: \\\"c\": list<string>, d e: date>");
  ASSERT_EQ(type.children.size(), 3U);
  EXPECT_EQ(type.children[0].id, 7);
  EXPECT_TRUE(type.children[0].required);
  EXPECT_EQ(type.children[1].name, "b: \"c");
  EXPECT_EQ(type.children[2].name, "d e");
  EXPECT_EQ(print_type_text(type),
            "struct<a: required int, \"b: \\\"c\": list<string>, \"d e\": date>");
  EXPECT_EQ(parse_type_text("geography('srid:4326', 'vincenty')"),
            parse_type_text("geography(srid:4326, vincenty)"));
  EXPECT_EQ(parse_type_text("geography(OGC:CRS84, spherical)"), parse_type_text("geography"));
  EXPECT_EQ(parse_type_text("geography(OGC:CRS84, Karney)").algorithm, "karney");
  for (const std::string_view wrong :
       {"", "list<>", "list<int", "map<int>", "struct<a>", "struct<a: >", "int,", "decimal(3)",
        "fixed[-1]", "fixed(3)", "geography(OGC:CRS84, straight)", "struct<\"a: int>"}) {
    EXPECT_THROW((void)parse_type_text(wrong), Error) << wrong;
  }
}

// New tables number all fields of a struct before those below them.
TEST(IcebergWords, BytesThatAreNoTextAreRefusedAndPrinted) {
  try {
    (void)parse_type_text("struct<a: int, \xDE b: int>");
    ADD_FAILURE() << "taken";
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), ErrorCode::Input);
    EXPECT_THAT(error.describe(), HasSubstr("expected text in UTF-8, found \"\\xDE\""));
  }
  // No reader produces this, but a program may. The rule names it.
  Type type = parse_type_text("struct<a: int>");
  type.children[0].name = "\xDE";
  EXPECT_EQ(print_type_text(type), "struct<\"\uFFFD\": int>");
}

TEST(IcebergIds, AreGivenAsNewTablesGiveThem) {
  Schema schema;
  schema.fields.push_back({.name = "a", .type = parse_type_text("struct<x: int, y: list<int>>")});
  schema.fields.push_back({.name = "b", .type = parse_type_text("map<string, int>")});
  schema.fields.push_back({.id = 2, .name = "c", .type = parse_type_text("int")});
  assign_ids(&schema);
  EXPECT_EQ(schema.fields[0].id, 3);
  EXPECT_EQ(schema.fields[1].id, 4);
  EXPECT_EQ(schema.fields[2].id, 2);
  EXPECT_EQ(schema.fields[0].type.children[0].id, 5);
  EXPECT_EQ(schema.fields[0].type.children[1].id, 6);
  EXPECT_EQ(schema.fields[0].type.children[1].type.children[0].id, 7);
  EXPECT_EQ(schema.fields[1].type.children[0].id, 8);
  EXPECT_EQ(schema.fields[1].type.children[1].id, 9);
}

/// Returns the type that a column of WKB gets, and the rules of the findings.
std::string mapped_wkb(std::string_view metadata) {
  const hub::Field field =
      hub::with_extension(hub::Field("a", hub::Kind::Binary), hub::kWkbExtension, metadata);
  const FromArrow mapped = from_arrow({{field}, {}});
  std::string out = print_type_text(mapped.schema.fields[0].type);
  for (const hub::Finding& finding : mapped.findings) {
    if (finding.rule != "spec.version") out += fmt::format(" {}", finding.rule);
  }
  return out;
}

TEST(IcebergHub, GeoArrowIsGeometryOrGeography) {
  EXPECT_EQ(mapped_wkb(R"({"crs":"OGC:CRS84"})"), "geometry");
  EXPECT_EQ(mapped_wkb(R"({"crs":"3857","crs_type":"srid"})"), "geometry(srid:3857)");
  EXPECT_EQ(mapped_wkb(R"({"crs":"EPSG:3857","edges":"planar"})"), "geometry(EPSG:3857)");
  EXPECT_EQ(mapped_wkb(R"({"crs":"OGC:CRS84","edges":"spherical"})"), "geography");
  EXPECT_EQ(mapped_wkb(R"({"crs":"4269","crs_type":"srid","edges":"vincenty"})"),
            "geography(srid:4269, vincenty)");
  EXPECT_EQ(mapped_wkb(""), "geometry crs.assumed");
  EXPECT_EQ(mapped_wkb(R"({"crs":{"id":{"authority":"EPSG","code":5070}}})"),
            "geometry(EPSG:5070) crs.by-code");
  EXPECT_EQ(mapped_wkb(R"({"crs":"GEOGCRS[x, y]","edges":"karney"})"), "binary crs.lost");
  EXPECT_EQ(mapped_wkb("{"), "binary extension.unknown");
}

TEST(IcebergHub, GeospatialTypesComeBackFromArrow) {
  for (const char* words : {"geometry", "geometry(srid:3857)", "geometry(projjson:key)",
                            "geometry(EPSG:3857)", "geography", "geography(srid:4269, vincenty)"}) {
    Schema schema;
    schema.fields.push_back({.id = 1, .name = "a", .type = parse_type_text(words)});
    const hub::Schema arrow = to_arrow(schema);
    EXPECT_EQ(arrow.fields[0].extension_name(), hub::kWkbExtension) << words;
    EXPECT_EQ(print_type_text(from_arrow(arrow).schema.fields[0].type), words);
  }
}

std::vector<std::string> rules_broken(const Schema& schema) {
  std::vector<std::string> out;
  for (const hub::Finding& finding : validate(schema)) {
    if (hub::is_violation(finding)) {
      out.push_back(std::string(finding.rule) + " " + finding.path.text());
    }
  }
  return out;
}

TEST(IcebergRules, EachIsFoundWhereItIsBroken) {
  Schema schema = read_json(R"({"type":"struct","identifier-field-ids":[2,3,4,9],"fields":[
    {"id":1,"name":"a","required":true,"type":"unknown"},
    {"id":2,"name":"b","required":true,"type":"double"},
    {"id":3,"name":"c","required":false,"type":"int"},
    {"id":5,"name":"d","required":false,"type":
      {"type":"struct","fields":[{"id":4,"name":"e","required":true,"type":"int"}]}},
    {"id":3,"name":"f","required":false,"type":"int"},
    {"id":0,"name":"g","required":false,"type":"int"},
    {"id":7,"name":"g","required":false,"type":"variant","write-default":1}]})");
  EXPECT_THAT(rules_broken(schema),
              ElementsAre("spec.broken a", "key.invalid b", "key.invalid c", "key.invalid d.e",
                          "id.duplicate f", "key.invalid f", "id.invalid g", "name.duplicate g",
                          "spec.broken g", "key.invalid "));
  EXPECT_THAT(rules_broken(read_json(schema_of("\"timestamp_ns\""))), IsEmpty());
}

}  // namespace
}  // namespace xwalk::iceberg
