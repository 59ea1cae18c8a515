#include <string>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "xwalk/base/error.h"
#include "xwalk/delta/hub.h"
#include "xwalk/delta/json.h"
#include "xwalk/delta/text.h"
#include "xwalk/delta/validate.h"

namespace xwalk::delta {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

/// A schema of one column of a type, in JSON.
std::string schema_of(std::string_view type, std::string_view metadata = "{}") {
  return R"({"type":"struct","fields":[{"name":"a","type":)" + std::string(type) +
         R"(,"nullable":true,"metadata":)" + std::string(metadata) + "}]}";
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

std::vector<std::string_view> rules_of(const hub::Findings& findings) {
  std::vector<std::string_view> out;
  for (const hub::Finding& finding : findings) out.push_back(finding.rule);
  return out;
}

TEST(DeltaJson, EveryTypeIsReadAndWrittenAgain) {
  for (const KindRow& row : kKindRows) {
    for (const std::string_view word : row.examples[0].empty()
                                           ? std::vector<std::string_view>{row.name}
                                           : std::vector<std::string_view>{row.examples[0]}) {
      SCOPED_TRACE(word);
      Schema schema;
      schema.fields.push_back({.name = "a", .type = parse_type_text(word)});
      EXPECT_EQ(read_json(write_json(schema)), schema);
      EXPECT_EQ(parse_type_text(print_type_text(schema.fields[0].type)), schema.fields[0].type);
      EXPECT_EQ(from_arrow(to_arrow(schema)).schema, schema);
    }
  }
}

TEST(DeltaJson, IsThatOfTheProtocol) {
  const std::string text = schema_of(
      R"({"type":"map","keyType":"string","valueType":{"type":"array","elementType":"integer",)"
      R"("containsNull":false},"valueContainsNull":true})",
      R"({"comment":"c","delta.columnMapping.id":4,"own":[1,null]})");
  const Schema schema = read_json(text);
  EXPECT_EQ(print_type_text(schema.fields[0].type), "map<string, array<integer not null>>");
  EXPECT_EQ(write_json(schema, -1), text);
  EXPECT_EQ(*metadata_of(schema.fields[0], kMappingId), "4");
}

TEST(DeltaJson, TheActionOfALogHasTheSchemaAsText) {
  const Schema schema = read_json(
      R"({"metaData":{"id":"x","schemaString":"{\"type\":\"struct\",\"fields\":[{\"name\":\"a\",)"
      R"(\"type\":\"long\",\"nullable\":false,\"metadata\":{}}]}","partitionColumns":["a"],)"
      R"("configuration":{"delta.appendOnly":"true"}}})");
  EXPECT_FALSE(schema.fields.at(0).nullable);
  EXPECT_THAT(schema.table, ElementsAre(testing::Pair("partition_columns", "a"),
                                        testing::Pair("properties", "delta.appendOnly")));
}

TEST(DeltaJson, OtherTextIsAnError) {
  EXPECT_THAT(error_of("[]"), HasSubstr("expected an object"));
  EXPECT_THAT(error_of(schema_of(R"("uuid")")), HasSubstr("a: expected a type of Delta"));
  EXPECT_THAT(error_of(schema_of(R"j("decimal(39,0)")j")), HasSubstr("1 to 38"));
  EXPECT_THAT(error_of(schema_of(R"j("decimal(5,6)")j")), HasSubstr("0 to 5"));
  EXPECT_THAT(error_of(schema_of(R"("decimal")")), HasSubstr("decimal(PRECISION,SCALE)"));
  EXPECT_THAT(error_of(schema_of(R"j("long(3)")j")), HasSubstr("expected long"));
  EXPECT_THAT(error_of(schema_of(R"({"type":"array","elementType":"long"})")),
              HasSubstr("containsNull"));
  EXPECT_THAT(error_of(R"({"type":"struct","fields":[{"name":"a","type":"long"}]})"),
              HasSubstr("nullable"));
}

TEST(DeltaJson, DeepTypesAreRefused) {
  std::string type = R"("long")";
  for (int i = 0; i < 1000; ++i) {
    type = R"({"type":"array","containsNull":true,"elementType":)" + type + "}";
  }
  EXPECT_NE(error_of(schema_of(type)), "");
}

TEST(DeltaRules, NamesAndVoid) {
  Schema schema = read_json(schema_of(R"("variant")"));
  schema.fields.push_back({.name = "a", .nullable = false, .type = {.kind = Kind::Void}});
  EXPECT_THAT(rules_of(validate(schema)),
              ElementsAre("spec.version", "name.duplicate", "spec.broken"));
  Schema folded = read_json(schema_of(R"("long")"));
  folded.fields.push_back({.name = "A", .type = {.kind = Kind::Long}});
  EXPECT_THAT(rules_of(validate(folded)), ElementsAre("name.duplicate"));
  EXPECT_THAT(validate(read_json(schema_of(R"("long")"))), IsEmpty());
}

TEST(DeltaHub, TypesThatDeltaLacksAreTheNextWider) {
  hub::Schema arrow;
  for (const hub::Kind kind : {hub::Kind::Uint8, hub::Kind::Uint16, hub::Kind::Uint32,
                               hub::Kind::Uint64, hub::Kind::LargeUtf8}) {
    arrow.fields.emplace_back(std::to_string(arrow.fields.size()), kind);
  }
  std::vector<std::string> types;
  for (const Field& field : from_arrow(arrow).schema.fields) {
    types.push_back(print_type_text(field.type));
  }
  EXPECT_THAT(types, ElementsAre("short", "integer", "long", "decimal(20,0)", "string"));
}

TEST(DeltaHub, MetadataComesBack) {
  const Schema schema = read_json(schema_of(
      R"("long")", R"({"comment":"x\"y","delta.columnMapping.id":7,"other":{"b":1,"a":2}})"));
  const hub::Schema arrow = to_arrow(schema);
  EXPECT_EQ(arrow.fields[0].metadata.find("comment"), "x\"y");
  EXPECT_EQ(arrow.fields[0].metadata.find("PARQUET:field_id"), "7");
  EXPECT_EQ(from_arrow(arrow).schema, schema);
}

}  // namespace
}  // namespace xwalk::delta
