#include <gtest/gtest.h>

#include "xwalk/base/error.h"
#include "xwalk/lance/flat.h"
#include "xwalk/lance/schema.h"

namespace xwalk::lance {
namespace {

/// Specification, "Simple Table", "Nested Structure", "With Vector Embeddings".
constexpr std::string_view kSimple = R"(Field {
    id: 0
    name: "id"
    logical_type: "int64"
    nullable: false
    parent_id: -1
}
Field {
    id: 1
    name: "name"
    logical_type: "string"
    nullable: true
    parent_id: -1
}
Field {
    id: 2
    name: "created_at"
    logical_type: "timestamp:us:UTC"
    nullable: true
    parent_id: -1
}
)";

constexpr std::string_view kNested = R"(Field {
    id: 0
    name: "id"
    logical_type: "int64"
    nullable: false
    parent_id: -1  // Top-level field
}
Field {
    id: 1
    name: "user"
    logical_type: "struct"
    nullable: true
    parent_id: -1  // Top-level field
}
Field {
    id: 2
    name: "name"
    logical_type: "string"
    nullable: true
    parent_id: 1  // Nested under "user" struct (id: 1)
}
Field {
    id: 3
    name: "email"
    logical_type: "string"
    nullable: true
    parent_id: 1  // Nested under "user" struct (id: 1)
}
Field {
    id: 4
    name: "tags"
    logical_type: "list"
    nullable: true
    parent_id: -1  // Top-level field
}
Field {
    id: 5
    name: "item"
    logical_type: "string"
    nullable: true
    parent_id: 4  // Nested under "tags" list (id: 4)
}
)";

constexpr std::string_view kVectors = R"(Field {
    id: 0
    name: "id"
    logical_type: "int64"
    nullable: false
    parent_id: -1  // Top-level field
    unenforced_primary_key: true
    unenforced_primary_key_position: 1  // Ordered position in primary key
}
Field {
    id: 1
    name: "text"
    logical_type: "string"
    nullable: true
    parent_id: -1  // Top-level field
}
Field {
    id: 2
    name: "embedding"
    logical_type: "fixed_size_list:lance.bfloat16:384"
    nullable: true
    parent_id: -1  // Top-level field
}
)";

/// Specification, "Struct Type".
constexpr std::string_view kAddress = R"(Field {
    name: "address"
    type: "struct"
    children: [
        Field { name: "street", type: "string" },
        Field { name: "city", type: "string" },
        Field { name: "zip", type: "int32" }
    ]
}
)";

std::string message_of(std::string_view text) {
  try {
    parse_text(text);
  } catch (const Error& error) {
    return error.message();
  }
  return "";
}

TEST(Text, ReadsTheSimpleTable) {
  Schema schema = parse_text(kSimple);
  ASSERT_EQ(schema.fields.size(), 3u);
  EXPECT_FALSE(schema.fields[0].nullable);
  EXPECT_EQ(schema.fields[2].type, LogicalType::timestamp(TimeUnit::Micro, "UTC"));
  EXPECT_EQ(schema.fields[2].id, 2);
}

TEST(Text, ReadsTheNestedStructure) {
  Schema schema = parse_text(kNested);
  ASSERT_EQ(schema.fields.size(), 3u);
  ASSERT_EQ(schema.fields[1].children.size(), 2u);
  EXPECT_EQ(schema.fields[1].children[1].name, "email");
  EXPECT_EQ(schema.fields[1].children[1].id, 3);
  EXPECT_EQ(schema.fields[2].children[0].name, "item");
}

TEST(Text, ReadsVectorsAndKeys) {
  Schema schema = parse_text(kVectors);
  EXPECT_TRUE(schema.fields[0].primary_key);
  EXPECT_EQ(schema.fields[0].primary_key_position, 1u);
  EXPECT_EQ(schema.fields[2].type, LogicalType::fixed_size_list(Kind::BFloat16, 384));
}

TEST(Text, ReadsNestedChildrenAndGivesIdsDepthFirst) {
  Schema schema = parse_text(kAddress);
  ASSERT_EQ(schema.fields.size(), 1u);
  ASSERT_EQ(schema.fields[0].children.size(), 3u);
  EXPECT_EQ(schema.fields[0].type, Kind::Struct);
  EXPECT_EQ(schema.fields[0].children[2].type, Kind::Int32);
  EXPECT_EQ(schema.fields[0].children[2].id, 3);
}

TEST(Text, PrintsTheFlatForm) {
  EXPECT_EQ(print_text(parse_text("Field { name: 'a' type: 'list' children: [ Field { name: 'item' "
                                  "type: 'int8' nullable: false metadata { key: 'k' value: '\\x00' "
                                  "} } ] } metadata { key: \"who\" value: \"me\" }")),
            R"(Field {
    id: 0
    name: "a"
    type: REPEATED
    logical_type: "list"
    nullable: true
    parent_id: -1
}
Field {
    id: 1
    name: "item"
    type: LEAF
    logical_type: "int8"
    nullable: false
    parent_id: 0
    metadata { key: "k" value: "\x00" }
}
metadata { key: "who" value: "me" }
)");
}

/// Everything a field can hold.
Schema rich_schema() {
  Schema schema = parse_text(kNested);
  schema.metadata.set("k", std::string("\xFF\n\"", 3));
  Field& field = schema.fields[1].children[0];
  field.name = "odd \"name\"\n";
  field.spelling = "";
  field.metadata.set("lance-encoding:compression", "zstd");
  field.metadata.set("bytes", std::string("\x00\xFE", 2));
  field.encoding = Encoding::Rle;
  field.dictionary = std::string("\x08\x01", 2);
  field.unknown = std::string("\xA0\x06\x01", 3);
  field.primary_key = true;
  field.clustering_key_position = 4;
  schema.fields[0].type = parse_logical_type("decimal:128:+10:2");
  schema.fields[0].spelling = "decimal:128:+10:2";
  return schema;
}

TEST(Text, ParsesWhatItPrints) {
  for (const Schema& schema : {parse_text(kSimple), parse_text(kNested), parse_text(kVectors),
                               parse_text(kAddress), rich_schema(), Schema()}) {
    EXPECT_EQ(parse_text(print_text(schema)), schema) << print_text(schema);
  }
}

TEST(Json, ParsesWhatItWrites) {
  for (const Schema& schema : {parse_text(kSimple), parse_text(kNested), parse_text(kVectors),
                               parse_text(kAddress), rich_schema(), Schema()}) {
    EXPECT_EQ(read_json(write_json(schema)), schema) << write_json(schema);
  }
}

TEST(Json, TakesChildrenWithoutIds) {
  Schema schema = read_json(
      R"({"fields":[{"name":"s","logical_type":"struct","children":[{"name":"x","logical_type":"int8"}]}]})");
  EXPECT_EQ(schema.fields[0].children[0].id, 1);
  EXPECT_TRUE(schema.fields[0].children[0].nullable);
}

TEST(Json, RefusesWhatIsNoSchema) {
  for (const char* text : {"", "[", "[]", "{}", R"({"fields":[{"name":"a"}]})",
                           R"({"fields":[{"name":"a","logical_type":"int65"}]})",
                           R"({"fields":[{"name":"a","logical_type":"int8","id":4294967296}]})",
                           R"({"fields":[{"name":"a","logical_type":"int8","id":1.5}]})",
                           R"({"fields":[{"name":"a","logical_type":"int8","type":"PARENT"}]})",
                           R"({"fields":[{"name":"a","logical_type":"int8","encoding":"NO"}]})"}) {
    EXPECT_THROW(read_json(text), Error) << text;
  }
  const std::string deep = std::string(200'000, '[') + std::string(200'000, ']');
  EXPECT_THROW(read_json(R"({"fields":[{"name":"a","logical_type":"int8","id":)" + deep + "}]}"),
               Error);
}

TEST(Text, ErrorsSayWhatWasExpectedAndWhere) {
  struct Case {
    const char* text;
    const char* message;
  };
  constexpr Case kCases[] = {
      {"Feld {}", "expected Field or metadata, found \"Feld\""},
      {"Field {", "expected the name of a property or '}', found the end"},
      {"Field { id: 0 }", "expected a logical type in the field, found none"},
      {"Field { name: \"a\" type: \"int65\" }", "expected a logical type, found \"int65\""},
      {"Field { name: \"a\" nam: 1 }", "expected a property of a field, found \"nam\""},
      {"Field { id: 1 id: 2 }", "expected id once, found it twice"},
      {"Field { id: 99999999999 }", "expected an id of 32 bits, found \"99999999999\""},
      {"Field { name: \"a }", "expected a closing quote, found the end"},
      {"Field { name: \"a\nb\" }", "expected a closing quote on the same line, found none"},
      {"Field { nullable: maybe }", "expected true or false, found \"maybe\""},
      {"Field { name: \"a\" type: LEAF logical_type: \"struct\" }",
       "expected PARENT for the type struct, found \"LEAF\""},
      {"Field { name: \"a\" type: \"int8\" id: 0 } Field { name: \"b\" type: \"int8\" }",
       "expected an id in every field or in none, found both"},
      {"Field { id: 0 name: \"a\" type: \"int8\" parent_id: 7 }",
       "expected the parent 7 earlier in the list of fields, found none"},
      {"Field { name: \"a\" type: \"struct\" children: [ Fild { } ] }",
       "expected Field, found \"Fild\""},
      {"metadata { value: \"x\" }", "expected a key in the metadata entry, found none"},
  };
  for (const Case& sample : kCases) EXPECT_EQ(message_of(sample.text), sample.message);
  try {
    parse_text("Field {\n  name: 3\n}");
    FAIL();
  } catch (const Error& error) {
    EXPECT_EQ(error.place().line, 2u);
    EXPECT_EQ(error.place().column, 9u);
  }
}

TEST(Text, DeepNestingIsRefused) {
  std::string text;
  for (int i = 0; i < 100000; ++i) text += "Field { name: \"a\" type: \"struct\" children: [ ";
  EXPECT_THROW(parse_text(text), Error);
}

}  // namespace
}  // namespace xwalk::lance
