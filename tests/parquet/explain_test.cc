#include "xwalk/parquet/explain.h"

#include <gtest/gtest.h>

#include "xwalk/base/error.h"
#include "xwalk/parquet/schema.h"

namespace xwalk::parquet {
namespace {

struct Row {
  const char* field;
  const char* text;
};

const Row kRows[] = {
    {.field = "required int32 a;",
     .text = "a: required int32 a → int32 not null\n"
             "  leaf: no annotation: the physical type itself\n"},
    {.field = "optional binary a (STRING) = 3;",
     .text = "a: optional binary a (STRING) = 3 → string\n"
             "  leaf: LogicalType STRING, and ConvertedType UTF8\n"},
    {.field = "optional int64 a (TIMESTAMP_MICROS);",
     .text = "a: optional int64 a (TIMESTAMP(MICROS,true)) → timestamp[us, tz=UTC]\n"
             "  leaf: ConvertedType TIMESTAMP_MICROS alone: it means UTC\n"},
    {.field = "optional fixed_len_byte_array(16) a (UUID);",
     .text = "a: optional fixed_len_byte_array(16) a (UUID) → fixed_size_binary[16] [arrow.uuid]\n"
             "  leaf: LogicalType UUID alone\n"},
    {.field = "repeated int32 a;",
     .text = "a: repeated int32 a → list<a: int32 not null> not null\n"
             "  repeated: repeated without LIST or MAP: a required list of required elements\n"
             "  a[]: repeated int32 a → int32 not null\n"
             "    leaf: no annotation: the physical type itself\n"},
    {.field = "optional group a (LIST) { repeated group array { required int32 x; } }",
     .text = "a: optional group a (LIST) → list<array: struct<x: int32 not null> not null>\n"
             "  list.rule-4: the repeated group is named array or <list>_tuple: it is the element, "
             "and required (LogicalType LIST, and ConvertedType LIST)\n"
             "  a[]: repeated group array → struct<x: int32 not null> not null\n"
             "    struct: a group without LIST or MAP is a struct\n"
             "    a[].x: required int32 x → int32 not null\n"
             "      leaf: no annotation: the physical type itself\n"},
};

TEST(Explain, NamesTheRuleOfEachPart) {
  for (const Row& row : kRows) {
    SCOPED_TRACE(row.field);
    EXPECT_EQ(to_string(explain(parse_message("message m { " + std::string(row.field) + " }"))),
              row.text);
  }
}

TEST(Explain, NamesEveryListAndMapRule) {
  const std::pair<const char*, Rule> rows[] = {
      {"(LIST) { repeated int32 element; }", Rule::ListPrimitive},
      {"(LIST) { repeated group element { required int32 x; required int32 y; } }",
       Rule::ListManyFields},
      {"(LIST) { repeated group list { repeated int32 x; } }", Rule::ListOneRepeated},
      {"(LIST) { repeated group a_tuple { required int32 x; } }", Rule::ListArrayOrTuple},
      {"(LIST) { repeated group element { required int32 x; } }", Rule::ListThreeLevel},
      {"(MAP) { repeated group key_value { required int32 key; optional int32 value; } }",
       Rule::Map},
      {"(MAP) { repeated group map { required int32 k; optional int32 v; } }", Rule::MapByPosition},
      {"(MAP_KEY_VALUE) { repeated group map { required int32 key; optional int32 value; } }",
       Rule::MapKeyValueAsMap},
      {"(MAP) { repeated group key_value { required int32 key; } }", Rule::MapWithoutValue},
      {"{ required int32 x; }", Rule::Struct},
  };
  for (const auto& [group, rule] : rows) {
    SCOPED_TRACE(group);
    Schema schema = parse_message("message m { optional group a " + std::string(group) + " }");
    EXPECT_EQ(explain(schema).front().rule, rule);
  }
}

TEST(Explain, SaysWhichFormWins) {
  Annotation both = LogicalType::timestamp(TimeUnit::Micros, false);
  both.converted = static_cast<int32_t>(ConvertedType::TimestampMillis);
  Annotation unknown;
  unknown.converted = 77;
  const std::pair<Annotation, const char*> rows[] = {
      {both, "LogicalType TIMESTAMP(MICROS,false) wins over ConvertedType TIMESTAMP_MILLIS"},
      {unknown, "ConvertedType 77 is unknown: ignored"},
      {Annotation::converted_only(ConvertedType::Decimal, 5),
       "ConvertedType DECIMAL alone: without a scale, which is then 0"},
  };
  for (const auto& [annotation, reason] : rows) {
    Node leaf = Node::primitive(Repetition::Required, PhysicalType::Int64, "a", annotation);
    EXPECT_EQ(explain(Schema(Node::group(Repetition::Required, "m", {leaf}))).front().reason,
              reason);
  }
}

TEST(Explain, ThrowsWhereThereIsNoMeaning) {
  EXPECT_THROW(explain(parse_message("message m { optional group a (LIST) { } }")), Error);
}

}  // namespace
}  // namespace xwalk::parquet
