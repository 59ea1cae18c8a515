#include "xwalk/parquet/validate.h"

#include <algorithm>

#include <gtest/gtest.h>

#include "xwalk/crosswalk/rules.h"
#include "xwalk/parquet/schema.h"

namespace xwalk::parquet {
namespace {

using Rules = std::vector<std::string>;

/// The rules found. Broken ones end with "!".
Rules found(const Schema& schema) {
  Rules rules;
  for (const hub::Finding& finding : validate(schema)) {
    EXPECT_TRUE(std::ranges::any_of(crosswalk::rules(), [&](const hub::Rule& rule) {
      return rule.slug == finding.rule;
    })) << finding.rule;
    rules.push_back(finding.path.text() + " " + std::string(finding.rule) +
                    (is_violation(finding) ? "!" : ""));
  }
  return rules;
}

struct Row {
  const char* message;
  Rules rules = {};
};

const Row kRows[] = {
    {.message = "message m { required int32 a (INT_8); optional group l (LIST) { repeated group "
                "list { optional binary element (UTF8); } } optional group m (MAP) { repeated "
                "group key_value { required int32 key; optional int32 value; } } }"},
    {.message = "message m { required int64 a (DECIMAL(9,2)); required int64 b (DECIMAL(10,2)); }",
     .rules = {"a decimal.precision"}},
    {.message = "message m { required int32 a (DECIMAL(9,9)); }", .rules = {"a spec.beyond-text"}},
    {.message = "message m { required int64 a (TIMESTAMP(NANOS,true)); required int32 b "
                "(TIME(MILLIS,false)); }",
     .rules = {"a spec.beyond-text", "b spec.beyond-text"}},
    {.message = "message m { required fixed_len_byte_array(16) a (UUID); }",
     .rules = {"a spec.beyond-text"}},
    {.message = "message m { required int32 a (UNKNOWN); optional int32 b (UNKNOWN); }",
     .rules = {"a annotation.parameters"}},
    {.message = "message m { required int32 a; required int64 a; }", .rules = {"a name.duplicate"}},
    {.message = "message m { required int32 a = 1; required group g = 2 { required int32 b = 1; } "
                "}",
     .rules = {"g.b id.duplicate"}},
    {.message = "message m { optional group g { } }", .rules = {"g group.empty"}},
    {.message = "message m { repeated int32 a; optional group l (LIST) { repeated group list { "
                "optional int32 element; } } }",
     .rules = {"a list.mixed"}},
    {.message = "message m { repeated int32 a; }"},
    {.message = "message m { optional group l (LIST) { repeated group bag { optional int32 x; } } "
                "}",
     .rules = {"l list.legacy"}},
    {.message = "message m { optional group l (LIST) { repeated group array (LIST) { repeated "
                "int32 x; } } }",
     .rules = {"l list.legacy", "l[] list.legacy"}},
    {.message = "message m { repeated group l (LIST) { repeated group list { optional int32 "
                "element; } } }",
     .rules = {"l list.shape!"}},
    {.message = "message m { optional group l (LIST) { optional int32 element; } }",
     .rules = {"l list.shape!"}},
    {.message = "message m { optional group m (MAP) { repeated group key_value { optional int32 "
                "key; optional int32 value; } } }",
     .rules = {"m{key} map.key-optional!"}},
    {.message = "message m { optional group m (MAP) { repeated group key_value { required int32 "
                "key; } } }",
     .rules = {"m map.legacy"}},
    {.message = "message m { optional group m (MAP_KEY_VALUE) { repeated group key_value { "
                "required int32 key; optional int32 value; } } }",
     .rules = {"m map.legacy"}},
    {.message = "message m { optional group m (MAP) { repeated group kv { required int32 key; "
                "optional int32 value; optional int32 extra; } } }",
     .rules = {"m map.shape!"}},
    {.message = "message m { optional group m (MAP) { repeated group kv { required int32 key; "
                "repeated int32 value; } } }",
     .rules = {"m map.shape!", "m.kv.value list.mixed"}},
    {.message = "message m { optional group v (VARIANT(1)) { required binary metadata; optional "
                "binary value; optional int32 typed_value; } }",
     .rules = {"v spec.beyond-text"}},
    {.message = "message m { optional group v (VARIANT(1)) { required int32 metadata; required "
                "binary metadata; required binary value; } }",
     .rules = {"v spec.beyond-text", "v variant.shape!", "v.metadata name.duplicate"}},
    {.message = "message m { optional group v (VARIANT(1)) { required binary metadata; optional "
                "group typed_value { required group a { optional binary value; } } optional int32 "
                "typed_value; } }",
     .rules = {"v spec.beyond-text", "v variant.shape!", "v.typed_value name.duplicate"}},
    {.message = "message m { optional group v (VARIANT(1)) { required binary metadata; optional "
                "group typed_value { required group a { optional int32 value; optional binary "
                "value; } } } }",
     .rules = {"v spec.beyond-text", "v variant.shape!", "v.typed_value.a.value name.duplicate"}},
};

TEST(Validate, FindsEveryRule) {
  for (const Row& row : kRows) {
    SCOPED_TRACE(row.message);
    EXPECT_EQ(found(parse_message(row.message)), row.rules);
  }
}

struct Misplaced {
  Node node;
  Rules rules;
};

// What no message text can say, since its parser refuses it: footers can.
std::vector<Misplaced> misplaced() {
  using Kind = LogicalType::Kind;
  auto required = Repetition::Required;
  Annotation contradiction = LogicalType::timestamp(TimeUnit::Micros, true);
  contradiction.converted = static_cast<int32_t>(ConvertedType::TimestampMillis);
  Annotation unknown;
  unknown.converted = 77;
  return {
      {.node = Node::primitive(required, PhysicalType::Int64, "a", LogicalType::integer(8, true)),
       .rules = {"a annotation.misplaced!"}},
      {.node = Node::primitive(required, PhysicalType::Int32, "a", LogicalType::integer(24, true)),
       .rules = {"a annotation.parameters!"}},
      {.node = Node::fixed(required, 15, "a", Kind::Uuid), .rules = {"a annotation.misplaced!"}},
      {.node = Node::fixed(required, 0, "a"), .rules = {"a annotation.parameters!"}},
      {.node = Node::fixed(required, 4, "a", LogicalType::decimal(10, 0)),
       .rules = {"a decimal.precision!"}},
      {.node = Node::primitive(required, PhysicalType::Double, "a", LogicalType::decimal(9, 0)),
       .rules = {"a annotation.misplaced!"}},
      {.node = Node::primitive(required, PhysicalType::Int32, "a", LogicalType::decimal(4, 5)),
       .rules = {"a decimal.scale!"}},
      {.node = Node::primitive(required, PhysicalType::Int32, "a",
                               Annotation::converted_only(ConvertedType::Decimal)),
       .rules = {"a decimal.precision!"}},
      {.node = Node::primitive(required, PhysicalType::Int32, "a",
                               Annotation::converted_only(ConvertedType::Decimal, 5)),
       .rules = {"a decimal.scale"}},
      {.node = Node::primitive(required, PhysicalType::Int64, "a", contradiction),
       .rules = {"a annotation.contradiction"}},
      {.node = Node::primitive(required, PhysicalType::Int64, "a", unknown),
       .rules = {"a annotation.unknown"}},
      {.node = Node::primitive(required, PhysicalType::Int32, "\xff"),
       .rules = {"\"\\xFF\" name.invalid!"}},
  };
}

TEST(Validate, FindsAnnotationsThatMayNotStand) {
  for (const Misplaced& row : misplaced()) {
    SCOPED_TRACE(print_field(row.node));
    EXPECT_EQ(found(Schema(Node::group(Repetition::Required, "m", {row.node}))), row.rules);
  }
}

}  // namespace
}  // namespace xwalk::parquet
