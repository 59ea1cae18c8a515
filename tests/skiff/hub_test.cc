#include "xwalk/skiff/hub.h"

#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "tests/skiff/random_rows.h"
#include "xwalk/base/error.h"
#include "xwalk/hub/annotation.h"
#include "xwalk/yt/forms.h"
#include "xwalk/yt/hub.h"

namespace xwalk::skiff {
namespace {

Schema short_schema(const std::string& text) { return parse_schema(text + "\n"); }

TEST(Hub, WireTypesAloneGiveTheSchemaBack) {
  const char* const cases[] = {
      "tuple<'a':int64>",
      "tuple<'a':int8;'b':uint16;'c':int32;'d':uint64>",
      "tuple<'a':boolean;'b':double;'c':string32;'d':variant8<nothing;yson32>>",
      "tuple<'a':variant8<nothing;int64>;'b':variant8<nothing;variant8<nothing;int64>>>",
      "tuple<'a':int128;'b':uint256;'c':variant8<nothing;int256>>",
      "tuple<'l':repeated_variant8<int64>;'o':variant8<nothing;repeated_variant8<string32>>>",
      "tuple<'t':tuple<'x':int8;'y':boolean>;'v':variant8<'p':int64;'q':string32>>",
      "tuple<'a':nothing>",
      "tuple<'l':repeated_variant8<int128>;'t':tuple<'w':variant8<nothing;uint256>>>",
      "tuple<'a':yson32;'t':tuple<yson32;int64>;'l':repeated_variant8<yson32>>",
      "tuple<'v':variant8<yson32;int64>;'n':variant8<'x':yson32;'y':nothing>>",
      "tuple<'o':variant8<nothing;tuple<'x':yson32;'y':variant8<nothing;yson32>>>>",
      "tuple<'d':repeated_variant8<tuple<string32;yson32>>;'r':repeated_variant16<yson32;int8>>",
  };
  for (const char* text : cases) {
    Schema schema = short_schema(text);
    FromArrow back = from_arrow(to_arrow(schema));
    EXPECT_EQ(to_string(back.schema.format.tables[0]), text);
  }
}

TEST(Hub, WithATableSchemaColumnsHaveItsTypes) {
  yt::TableSchema table = yt::parse_table_schema(
      "<strict=%false>[{name=a;type=int8};{name=d;type_v3=date};{name=u;type_v3=uuid}]");
  Schema schema = schema_of(table);
  hub::Schema arrow = to_arrow(schema);
  EXPECT_EQ(arrow, yt::to_arrow(table));
  ASSERT_EQ(arrow.fields.size(), 4u);
  EXPECT_EQ(arrow.fields[3].name, "$other_columns");
  FromArrow back = from_arrow(arrow);
  ASSERT_EQ(back.schema.table_schemas.size(), 1u);
  EXPECT_EQ(to_arrow(back.schema), arrow);
}

TEST(Hub, WireTypesOfKeysAndValuesComeBack) {
  struct Case {
    const char* type;
    const char* wire;
  };
  const Case cases[] = {
      {"{type_name=dict;key=int64;value=int64}", "repeated_variant8<tuple<int8;int16>>"},
      {"{type_name=dict;key=string;value={type_name=list;item=uint64}}",
       "repeated_variant8<tuple<string32;repeated_variant8<uint8>>>"},
      // Keys that may be null are a list of structs in Arrow.
      {"{type_name=dict;key={type_name=optional;item=int64};value=date}",
       "repeated_variant8<tuple<variant8<nothing;int8>;uint16>>"},
  };
  for (const Case& one : cases) {
    yt::TableSchema table;
    table.columns.emplace_back("d", yt::parse_type(one.type));
    Schema schema = schema_of(table);
    schema.format.tables = {parse_short("tuple<'d':" + std::string(one.wire) + ">")};
    FromArrow back = from_arrow(to_arrow(schema));
    EXPECT_TRUE(back.findings.empty()) << one.type;
    EXPECT_EQ(back.schema.format.tables[0], schema.format.tables[0])
        << to_string(back.schema.format.tables[0]);
  }
}

TEST(Hub, SparseColumnsAreNullable) {
  hub::Schema arrow = to_arrow(short_schema(
      "tuple<'a':int64;'$sparse_columns':repeated_variant16<'s':int64;'t':string32>>"));
  ASSERT_EQ(arrow.fields.size(), 3u);
  EXPECT_FALSE(arrow.fields[0].nullable);
  EXPECT_TRUE(arrow.fields[1].nullable);
  EXPECT_EQ(arrow.fields[2].name, "t");
}

TEST(Hub, RandomTablesComeBackWithTheirArrowSchema) {
  for (uint32_t seed = 0; seed < 200; ++seed) {
    testing::RandomTable table(seed);
    hub::Schema arrow = to_arrow(table.schema());
    FromArrow back = from_arrow(arrow);
    // Attributes aside: of a table schema that was not there, the schema itself keeps some.
    std::vector<hub::Field> fields = to_arrow(back.schema).fields;
    ASSERT_EQ(fields.size(), arrow.fields.size()) << seed;
    for (size_t i = 0; i < fields.size(); ++i) {
      EXPECT_EQ(fields[i], arrow.fields[i])
          << seed << " " << hub::to_string(arrow.fields[i]) << "\n"
          << hub::annotation(arrow.fields[i], kSystem).value_or("none") << " became "
          << hub::annotation(fields[i], kSystem).value_or("none") << "\n"
          << print(table.schema(), SchemaForm::Short) << print(back.schema, SchemaForm::Short);
    }
  }
}

TEST(Hub, AnAnnotationOfOtherMakingIsReported) {
  hub::Schema arrow = to_arrow(short_schema("tuple<'a':int8>"));
  ASSERT_EQ(hub::annotation(arrow.fields[0], kSystem), "int8");
  arrow.fields[0].type = hub::Kind::Utf8;
  FromArrow back = from_arrow(arrow);
  EXPECT_EQ(to_string(back.schema.format.tables[0]), "tuple<'a':string32>");
  ASSERT_EQ(back.findings.size(), 1u);
  EXPECT_EQ(back.findings[0].rule, "annotation.stale");
}

TEST(Hub, ATableBeyondTheFormatIsRefused) {
  EXPECT_THROW(to_arrow(short_schema("tuple<'a':int64>"), 1), Error);
}

}  // namespace
}  // namespace xwalk::skiff
