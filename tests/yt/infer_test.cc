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

TEST_P(Inferred, NarrowestType) {
  TableSchema schema = infer(GetParam().rows);
  ASSERT_EQ(schema.columns.size(), 1u);
  EXPECT_EQ(print_short(schema.columns[0].type), GetParam().type);
  // Whatever was inferred reads the rows it was inferred from.
  hub::Batch batch = RowDecoder(schema, {}).decode(GetParam().rows, 0);
  EXPECT_GT(batch.rows(), 0);
}

INSTANTIATE_TEST_SUITE_P(
    Types, Inferred,
    ::testing::Values(Case{"{v=-128};{v=127}", "Int8"}, Case{"{v=-129};{v=0}", "Int16"},
                      Case{"{v=32768}", "Int32"}, Case{"{v=2147483648}", "Int64"},
                      Case{"{v=255u}", "Uint8"}, Case{"{v=256u};{v=1u}", "Uint16"},
                      Case{"{v=65536u}", "Uint32"}, Case{"{v=4294967296u}", "Uint64"},
                      Case{"{v=1};{v=1u}", "Optional<Any>"}, Case{"{v=1.};{v=%nan}", "Double"},
                      Case{"{v=%true}", "Bool"}, Case{"{v=a};{v=\"\"}", "Utf8"},
                      Case{"{v=\"\\xff\"};{v=a}", "String"}, Case{"{v=#}", "Null"},
                      Case{"{v=#};{v=1}", "Optional<Int8>"}, Case{"{};{v=1}", "Optional<Int8>"},
                      Case{"{v=1};{v=a}", "Optional<Any>"},
                      Case{"{v=1};{v=a};{v=#}", "Optional<Any>"}, Case{"{v=[]}", "List<Null>"},
                      Case{"{v=[1;#]};{v=[300]}", "List<Optional<Int16>>"},
                      Case{"{v=[1;a]}", "List<Optional<Any>>"},
                      Case{"{v={a=1;b=x}};{v={b=y}}", "Struct<'a':Optional<Int8>,'b':Utf8>"},
                      Case{"{v={}}", "Optional<Any>"}, Case{"{v={\"\"=1}}", "Optional<Any>"},
                      Case{"{v=[{a=[]}]}", "List<Struct<'a':List<Null>>>"}));

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
