#include "xwalk/lance/schema.h"

#include <gtest/gtest.h>

#include "xwalk/base/error.h"
#include "xwalk/lance/hub.h"

namespace xwalk::lance {
namespace {

Field leaf(std::string name, LogicalType type, bool nullable = true) {
  Field field;
  field.name = std::move(name);
  field.type = std::move(type);
  field.nullable = nullable;
  field.encoding = default_encoding(field.type);
  return field;
}

Field parent(std::string name, LogicalType type, std::vector<Field> children) {
  Field field = leaf(std::move(name), std::move(type));
  field.children = std::move(children);
  return field;
}

TEST(LogicalTypes, ParseAsTheLivingSystemAndPrintCanonically) {
  struct Case {
    const char* text;
    const char* canonical;
  };
  constexpr Case kCases[] = {
      {"int64", "int64"},
      {"timestamp:us:UTC", "timestamp:us:UTC"},
      {"timestamp:ns:-", "timestamp:ns:-"},
      {"timestamp:ns:", "timestamp:ns:-"},
      {"timestamp:us:+08:00", "timestamp:us:+08:00"},
      {"decimal:128:+10:02", "decimal:128:10:2"},
      {"decimal:256:5:-2", "decimal:256:5:-2"},
      {"fixed_size_list:timestamp:us:+08:00:4", "fixed_size_list:timestamp:us:+08:00:4"},
      {"fixed_size_list:fixed_size_list:float:2:3", "fixed_size_list:fixed_size_list:float:2:3"},
      {"fixed_size_list:lance.bfloat16:384", "fixed_size_list:lance.bfloat16:384"},
      {"dict:string:int16:bogus", "dict:string:int16:false"},
  };
  for (const Case& sample : kCases) {
    EXPECT_EQ(print_logical_type(parse_logical_type(sample.text)), sample.canonical);
    EXPECT_EQ(beyond_specification(sample.text).empty(),
              std::string(sample.text) == sample.canonical &&
                  std::string(sample.text).find("-2") == std::string::npos)
        << sample.text;
  }
}

TEST(LogicalTypes, ErrorsPointAtThePart) {
  try {
    parse_logical_type("fixed_size_list:decimal:64:10:2:4");
    FAIL();
  } catch (const Error& error) {
    EXPECT_EQ(error.message(), "expected 128 or 256 bits of a decimal, found \"64\"");
    EXPECT_EQ(error.place().column, 25u);
  }
}

TEST(LogicalTypes, DeepNestingIsRefused) {
  std::string text;
  for (int i = 0; i < 5000; ++i) text += "fixed_size_list:";
  text += "float";
  for (int i = 0; i < 5000; ++i) text += ":2";
  EXPECT_THROW(parse_logical_type(text), Error);
}

TEST(FieldIds, AreAssignedDepthFirst) {
  Schema schema;
  schema.fields = {leaf("a", Kind::Int64), leaf("b", Kind::Int64),
                   parent("c", Kind::Struct,
                          {leaf("x", Kind::Int8), leaf("y", Kind::Int8), leaf("z", Kind::Int8)}),
                   leaf("d", Kind::Int64)};
  assign_ids(&schema);
  EXPECT_EQ(schema.fields[2].id, 2);
  EXPECT_EQ(schema.fields[2].children[2].id, 5);
  EXPECT_EQ(schema.fields[3].id, 6);
  EXPECT_EQ(max_field_id(schema), 6);
  EXPECT_EQ(read_fields(write_fields(schema)), schema);
}

TEST(LanceHub, KeepsIdsKeysAndSpellingsInTheAnnotation) {
  Schema schema;
  Field key = leaf("k", Kind::Int64, false);
  key.primary_key = true;
  key.primary_key_position = 2;
  Field odd = leaf("d", parse_logical_type("decimal:128:+10:2"));
  odd.spelling = "decimal:128:+10:2";
  schema.fields = {
      key,
      odd,
      leaf("b", Kind::Blob),
      parent("l", Kind::ListStruct, {parent("item", Kind::Struct, {leaf("x", Kind::Float)})}),
      parent("m", Kind::Map,
             {parent("entries", Kind::Struct,
                     {leaf("key", Kind::String, false), leaf("value", Kind::Int32)})}),
      leaf("v", LogicalType::fixed_size_list(Kind::BFloat16, 4))};
  schema.fields[4].children[0].nullable = false;
  assign_ids(&schema);
  EXPECT_EQ(from_arrow(to_arrow(schema)).schema, schema);
  // Sparse ids, as evolution leaves them.
  schema.fields[0].id = 17;
  schema.fields[4].children[0].children[1].id = 23;
  EXPECT_EQ(from_arrow(to_arrow(schema)).schema, schema);
}

TEST(LanceHub, TakesTheMetadataOfRowsBesideItsOwn) {
  Schema schema;
  schema.fields = {leaf("j", Kind::Json), leaf("b", Kind::Blob),
                   parent("l", Kind::List, {leaf("item", Kind::Int64, false)}),
                   leaf("v", LogicalType::fixed_size_list(Kind::Float, 4))};
  schema.fields[0].metadata.set(hub::kExtensionName, "lance.json");
  schema.fields[2].children[0].metadata.set("mine", "1");
  schema.metadata.set("mine", "1");
  assign_ids(&schema);
  // What Arrow shows of the schema itself is nothing besides.
  EXPECT_EQ(with_metadata_of(rows_to_arrow(schema), schema), schema);

  hub::Schema rows = rows_to_arrow(schema);
  rows.metadata.set("mine", "2");
  rows.metadata.set("theirs", "2");
  hub::Field item = rows.fields[2].type.child();
  item.metadata = {{"mine", "2"},
                   {"xwalk:arrow", "duration[ms]"},
                   {"xwalk:lance", "id=70"},
                   {std::string(kFieldIdKey), "7"},
                   {std::string(kPrimaryKey), "false"},
                   {std::string(kClusteringKeyPosition), "3"}};
  rows.fields[2].type = hub::list(item);
  Schema both = schema;
  both.metadata.set("theirs", "2");
  Field& of_list = both.fields[2].children[0];
  of_list.metadata.set("xwalk:arrow", "duration[ms]");
  of_list.metadata.set(kPrimaryKey, "false");
  of_list.metadata.set(kClusteringKeyPosition, "3");
  of_list.clustering_key_position = 3;
  EXPECT_EQ(with_metadata_of(rows, schema), both);
  // A primary key in a list is ignored.
  item.metadata.set(kPrimaryKey, "true");
  rows.fields[2].type = hub::list(item);
  EXPECT_THROW(with_metadata_of(rows, schema), Error);
}

TEST(LanceHub, LowersWithFindings) {
  hub::Schema schema;
  schema.fields = {
      hub::Field("a.b", hub::Kind::IntervalMonths),
      hub::Field(
          "u",
          hub::union_({hub::Field("x", hub::Kind::Int32, false), hub::Field("y", hub::Kind::Utf8)}),
          false),
      hub::Field("f", hub::fixed_size_list(
                          hub::Field("item", hub::list(hub::Field("item", hub::Kind::Int8))), 2)),
      hub::with_extension(hub::Field("j", hub::Kind::Utf8), "arrow.json"),
  };
  for (const hub::Field& field : schema.fields) {
    if (field.name == "j") continue;
    EXPECT_THROW(from_arrow({{field}, {}}), Error) << field.name;
  }
  FromArrow lowered = hub::lower_and_map(schema, kCapabilities, from_arrow);
  EXPECT_EQ(lowered.schema.fields[0].name, "a_b");
  EXPECT_EQ(lowered.schema.fields[1].children[1].type.kind(), Kind::Struct);
  EXPECT_EQ(lowered.schema.fields[2].type.kind(), Kind::List);
  EXPECT_EQ(lowered.schema.fields[3].type.kind(), Kind::String);
  hub::Schema back = to_arrow(lowered.schema);
  EXPECT_EQ(back.fields[3].extension_name(), "arrow.json");
  std::vector<std::string_view> rules;
  for (const hub::Finding& finding : lowered.findings) rules.push_back(finding.rule);
  EXPECT_EQ(rules, (std::vector<std::string_view>{"type.as-storage", "name.changed",
                                                  "union.lowered", "size.lost"}));
}

/// The living system takes the schema and stops on the rows: those of text when it writes them,
/// those of structs when it reads them beside other columns.
TEST(LanceHub, FixedSizeListsOfTextAndStructsBecomeLists) {
  const hub::Type point = hub::struct_({hub::Field("x", hub::Kind::Float)});
  for (const hub::Type& item :
       {hub::Type(hub::Kind::Utf8), hub::Type(hub::Kind::LargeBinary), point}) {
    const hub::Type pairs = hub::fixed_size_list(hub::Field("item", item), 2);
    for (const hub::Type& type : {pairs, hub::fixed_size_list(hub::Field("item", pairs), 3)}) {
      const FromArrow lowered =
          hub::lower_and_map({{hub::Field("f", type)}, {}}, kCapabilities, from_arrow);
      const bool of_structs = item == point && type == pairs;
      EXPECT_EQ(lowered.schema.fields[0].type.kind(), of_structs ? Kind::ListStruct : Kind::List);
    }
  }
}

TEST(Json, RefusesKeysOfMetadataThatAreNoText) {
  Schema schema = parse_text(
      "Field { id: 0 name: \"a\" type: LEAF logical_type: \"int64\" nullable: true parent_id: -1 "
      "}");
  schema.metadata.set("\xff", "value");
  EXPECT_THROW(write_json(schema), Error);
}

}  // namespace
}  // namespace xwalk::lance
