#include "xwalk/yt/infer.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "memory_bytes.h"
#include "xwalk/base/error.h"
#include "xwalk/base/limits.h"
#include "xwalk/yt/forms.h"
#include "xwalk/yt/json_rows.h"
#include "xwalk/yt/row_decoder.h"
#include "xwalk/yt/short_notation.h"
#include "xwalk/yt/value_options.h"

namespace xwalk::yt {
namespace {

TableSchema infer(const std::string& rows, const InferOptions& options = {}) {
  StepSource source(rows, 7);
  return infer_schema(source, options);
}

struct Case {
  const char* rows;
  const char* type;
};

class Inferred : public ::testing::TestWithParam<Case> {};

TEST_P(Inferred, HoldsAllValuesAndLaterOnes) {
  TableSchema schema = infer(GetParam().rows);
  ASSERT_EQ(schema.columns.size(), 1u);
  EXPECT_EQ(print_short(schema.columns[0].type), GetParam().type);
  // An inferred schema reads the rows it was inferred from.
  ReadOptions options;
  options.integers_in_doubles = true;
  hub::Batch batch = RowDecoder(schema, options).decode(GetParam().rows, 0);
  EXPECT_GT(batch.rows(), 0);
}

INSTANTIATE_TEST_SUITE_P(
    Types, Inferred,
    ::testing::Values(
        Case{"{v=-128};{v=127}", "Optional<Int64>"}, Case{"{v=2147483648}", "Optional<Int64>"},
        Case{"{v=255u};{v=4294967296u}", "Optional<Uint64>"}, Case{"{v=1};{v=1u}", "Optional<Any>"},
        Case{"{v=1.};{v=%nan}", "Optional<Double>"}, Case{"{v=1};{v=2.5}", "Optional<Double>"},
        Case{"{v=\2\2};{v=2.5}", "Optional<Double>"}, Case{"{v=7u};{v=2.5}", "Optional<Double>"},
        Case{"{v=9007199254740992};{v=2.5}", "Optional<Double>"},
        Case{"{v=-9007199254740993};{v=2.5}", "Optional<Any>"},
        Case{"{v=2.5};{v=1152921504606846976}", "Optional<Double>"},
        Case{"{v=2.5};{v=9223372036854775807}", "Optional<Any>"},
        Case{"{v=2.5};{v=18446744073709551615u}", "Optional<Any>"},
        Case{"{v=%true}", "Optional<Bool>"}, Case{"{v=a};{v=\"\"}", "Optional<Utf8>"},
        Case{"{v=\"\\xff\"};{v=a}", "Optional<String>"}, Case{"{v=#}", "Null"},
        Case{"{v=#};{v=1}", "Optional<Int64>"}, Case{"{};{v=1}", "Optional<Int64>"},
        Case{"{v=1};{v=a}", "Optional<Any>"}, Case{"{v=1};{v=a};{v=#}", "Optional<Any>"},
        Case{"{v=[]}", "Optional<List<Null>>"},
        Case{"{v=[1;#]};{v=[300]}", "Optional<List<Optional<Int64>>>"},
        Case{"{v=[1;a]}", "Optional<List<Optional<Any>>>"},
        Case{"{v={a=1;b=x}};{v={b=y}}", "Optional<Struct<'a':Optional<Int64>,'b':Optional<Utf8>>>"},
        Case{"{v={}}", "Optional<Any>"}, Case{"{v={\"\"=1}}", "Optional<Any>"},
        Case{"{v=[{a=[]}]}", "Optional<List<Optional<Struct<'a':Optional<List<Null>>>>>>"}));

TEST(Infer, LooksAtAllSources) {
  SchemaInference inference;
  for (const char* rows : {"{a=1};{a=2}", "{a=2.5;b=x}"}) {
    StepSource source(rows, 7);
    inference.add(source);
  }
  const TableSchema schema = inference.finish();
  ASSERT_EQ(schema.columns.size(), 2u);
  EXPECT_EQ(print_short(schema.columns[0].type), "Optional<Double>");
  EXPECT_EQ(print_short(schema.columns[1].type), "Optional<Utf8>");
}

TEST(Infer, LooksAtAsManyRowsAsAreWanted) {
  InferOptions options;
  options.limit = 2;
  SchemaInference inference(options);
  StepSource source("{a=1};[];{a=2};{a=x}", 7);
  inference.add(source);
  EXPECT_TRUE(inference.has_enough());
  EXPECT_EQ(print_short(inference.finish().columns.at(0).type), "Optional<Int64>");
}

TEST(Infer, IntegersAreDoublesOnlyWhereTheSchemaWasInferred) {
  const TableSchema schema = infer("{v=1};{v=2.5}");
  EXPECT_THROW(RowDecoder(schema, {}).decode("{v=1}", 0), Error);
  ReadOptions options;
  options.integers_in_doubles = true;
  const hub::Batch batch = RowDecoder(schema, options).decode("{v=1};{v=2u};{v=-3};{v=4.5}", 0);
  const hub::Array& column = batch.array.children.at(0);
  const double expected[] = {1, 2, -3, 4.5};
  for (int64_t i = 0; i < 4; ++i) EXPECT_EQ(column.value<double>(i), expected[i]);
  EXPECT_THROW(RowDecoder(schema, options).decode("{v=9007199254740993}", 0), Error);
}

TEST(Infer, OnlySchemasWithDoublesHaveTheAttribute) {
  EXPECT_TRUE(has_integers_in_doubles(infer("{v=1};{v=2.5}")));
  EXPECT_TRUE(has_integers_in_doubles(infer("{v=[{a=2.5}]}")));
  EXPECT_FALSE(has_integers_in_doubles(infer("{v=1};{w=a}")));
  // An integer that no double equals makes the column one of any values.
  EXPECT_FALSE(has_integers_in_doubles(infer("{v=9007199254740993};{v=2.5}")));
}

TEST(Infer, RefusesRowsAboveTheLimit) {
  InferOptions options;
  options.row_bytes = 100;
  EXPECT_NO_THROW(infer("{a=\"" + std::string(50, 'x') + "\"}", options));
  EXPECT_THROW(infer("{a=\"" + std::string(200, 'x') + "\"}", options), Error);
}

/// Returns a map with `fields` fields.
std::string wide_map(const std::string& prefix, size_t fields) {
  std::string map = "{";
  for (size_t i = 0; i < fields; ++i) map += prefix + std::to_string(i) + "=1;";
  return map + "}";
}

TEST(Infer, MapsOfVeryManyKeysAreValuesOfAnyType) {
  const TableSchema schema = infer("{v=" + wide_map("k", 2000) + "};{v={a=1}}");
  EXPECT_EQ(print_short(schema.columns.at(0).type), "Optional<Any>");
  // What they had taken of the limit is free for others.
  std::string rows = "{";
  for (int i = 0; i < 40; ++i) rows += "m" + std::to_string(i) + "=" + wide_map("k", 1100) + ";";
  EXPECT_EQ(infer(rows + "z=1}").columns.size(), 41u);
  EXPECT_THROW(infer(wide_map("c", 40000)), Error);
}

TEST(Infer, OrderIsThatOfFirstSight) {
  TableSchema schema = infer("{b=1;a=2};{c=3;a=1;b=2}");
  ASSERT_EQ(schema.columns.size(), 3u);
  EXPECT_EQ(schema.columns[0].name, "b");
  EXPECT_EQ(schema.columns[2].name, "c");
  EXPECT_TRUE(schema.strict);
}

TEST(Infer, DeepValuesBecomeYson) {
  std::string value = "1";
  for (int i = 0; i < 100; ++i) value = "[" + value + "]";
  TableSchema schema = infer("{v=" + value + "}");
  EXPECT_NO_THROW(RowDecoder(schema, {}).decode("{v=" + value + "}", 0));
}

TEST(Infer, ValuesWithAttributesBecomeYson) {
  for (const auto& [value, type] : {
           std::pair("<a=1>5", "Optional<Any>"),
           std::pair("<>5", "Optional<Any>"),
           std::pair("[5;<a=1>6;7]", "Optional<List<Optional<Any>>>"),
           std::pair("{a=<b=[1]>{c=2};d=3}",
                     "Optional<Struct<'a':Optional<Any>,'d':Optional<Int64>>>"),
       }) {
    const TableSchema schema = infer(std::string("{v=") + value + ";w=1}");
    EXPECT_EQ(print_short(schema.columns.at(0).type), type);
    EXPECT_EQ(print_short(schema.columns.at(1).type), "Optional<Int64>") << value;
  }
}

TEST(Infer, NestingEndsHalfwayToTheLimitOfTypes) {
  const auto type_of = [](int lists) {
    const auto depth = static_cast<size_t>(lists);
    return print_short(infer("{v=" + std::string(depth, '[') + "1" + std::string(depth, ']') + "}")
                           .columns[0]
                           .type);
  };
  EXPECT_THAT(type_of(kMaxTypeDepth / 2 - 2), ::testing::HasSubstr("Int64"));
  EXPECT_THAT(type_of(kMaxTypeDepth / 2 - 1), ::testing::HasSubstr("Any"));
}

TEST(Infer, KeysThatAreNoColumnsMakeTheTableNonStrict) {
  TableSchema schema = infer("{a=1;\"\"=2;\"$x\"=3}");
  EXPECT_EQ(schema.columns.size(), 1u);
  EXPECT_FALSE(schema.strict);
}

TEST(Infer, OneTableOfSeveral) {
  std::string rows = "<table_index=0>#;{a=1};<table_index=1>#;{b=x}";
  EXPECT_THROW(infer(rows), Error);
  InferOptions options;
  options.table = 1;
  EXPECT_EQ(infer(rows, options).columns.at(0).name, "b");
}

TEST(Infer, PassesOverBadRowsAndRefusesLostOnes) {
  EXPECT_EQ(infer("{a=1};[];{b=1;;};{a=2}").columns.at(0).name, "a");
  EXPECT_THROW(infer("{a=1};{a=2]};"), Error);
  EXPECT_THROW(infer("{a=1};{a=2"), Error);
}

/// Returns the schema of lines, each three times, and whether the rows that add nothing were left
/// out without a difference.
std::string of_lines(const std::vector<std::string>& lines) {
  std::string text;
  for (const std::string& line : lines) text += line + "\n" + line + "\n\n" + line + "\n";
  std::string schemas[2];
  for (const bool direct : {false, true}) {
    StepSource source(text, 11);
    SchemaInference inference({.json = true});
    const ValueOptions values = json_values({});
    JsonAsYson rows(&source, values, limits::kRowBytes);
    if (direct) {
      inference.add_json(source, values, limits::kRowBytes);
    } else {
      inference.add(rows);
    }
    schemas[direct ? 1 : 0] = print(inference.finish(), SchemaForm::Yson);
    for (const Path& path : inference.beyond()) schemas[direct ? 1 : 0] += path.text();
  }
  EXPECT_EQ(schemas[0], schemas[1]) << text;
  return schemas[1];
}

TEST(Infer, RowsOfJsonThatAddNothing) {
  const std::string usual =
      R"({"a":1,"b":2.5,"c":"x","d":true,"e":[1,2],"f":{"g":"y","h":null},"i":[{"j":1}]})";
  const std::string of_usual = of_lines({usual});
  // The same, written in every other way.
  for (const char* line : {R"( { "b" : -0.1e-7 , "a" : 2 , "c" : "\u0041\n\/é" , "d" : false } )",
                           R"({"e":[],"i":[]})", R"({"f":{},"a":null})",
                           R"({"c":"\u00e9\\\"\ud83d\ude00"})", "{}", R"({"b":1e300})"}) {
    EXPECT_EQ(of_lines({usual, line}), of_usual) << line;
  }
  // What is new is found, wherever the line is.
  for (const char* line :
       {R"({"a":-1,"b":9007199254740993})", R"({"a":9223372036854775808})", R"({"a":1.5})",
        R"({"a":"x"})", R"({"b":7,"k":1})", R"({"c":1})", R"({"d":0})", R"({"e":[1,"x"]})",
        R"({"e":{}})", R"({"f":{"k":1}})", R"({"f":[]})", R"({"i":[{"j":2.5}]})",
        R"({"a":[[[[[[[[[[[[[[[[[[1]]]]]]]]]]]]]]]]]]})", R"({"":1})",
        R"({"a":123456789012345678901234567890})"}) {
    EXPECT_NE(of_lines({usual, line}), of_usual) << line;
  }
  // Lines that are not rows bring nothing, although they begin like rows.
  for (const char* line :
       {R"({"k":1)", R"({"a":01})", R"({"a":1,})", R"({"a":1} 2)", R"({"c":"\x","k":1})",
        R"({"c":"\ud800","k":1})", "{\"c\":\"\xff\",\"k\":1}", R"({"a":1.,"k":2})",
        R"({"b":1.5e,"k":2})", R"({"b":1e-400,"k":2})", R"({"a":- 1,"k":2})", R"({"d":trux,"k":2})",
        R"([1])", "7", R"({"$b":1})"}) {
    EXPECT_EQ(of_lines({usual, line}), of_usual) << line;
  }
}

TEST(Infer, TablesOfJson) {
  const std::string text =
      "{\"a\":1}\n{\"a\":2}\n{\"$value\":null,\"$attributes\":{\"table_index\":1}}\n{\"b\":1}\n"
      "{\"a\":2}\n";
  const auto infer_json = [&](const InferOptions& options) {
    StepSource source(text, 100);
    SchemaInference inference(options);
    inference.add_json(source, json_values({}), limits::kRowBytes);
    return inference.finish().columns;
  };
  EXPECT_THROW(infer_json({.json = true}), Error);
  EXPECT_EQ(infer_json({.table = 1, .json = true}).front().name, "b");
  EXPECT_EQ(infer_json({.json = true, .limit = 2}).size(), 1u);
}

TEST(Infer, NoRowsNoColumns) { EXPECT_TRUE(infer("").columns.empty()); }

}  // namespace
}  // namespace xwalk::yt
