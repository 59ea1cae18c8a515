#include "xwalk/yt/infer.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "memory_bytes.h"
#include "xwalk/base/error.h"
#include "xwalk/yt/row_decoder.h"
#include "xwalk/yt/short_notation.h"

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

TEST(Infer, NoRowsNoColumns) { EXPECT_TRUE(infer("").columns.empty()); }

}  // namespace
}  // namespace xwalk::yt
