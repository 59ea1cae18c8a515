#include "xwalk/skiff/validate.h"

#include <algorithm>

#include <gtest/gtest.h>

namespace xwalk::skiff {
namespace {

TEST(Validate, TypesBeyondTheText) {
  EXPECT_TRUE(beyond_text(parse_short("tuple<'a':int64;'b':variant8<nothing;yson32>>")).empty());
  hub::Findings findings =
      beyond_text(parse_short("tuple<'a':nothing;'b':repeated_variant8<int8>>"));
  ASSERT_EQ(findings.size(), 2u);
  EXPECT_EQ(findings[0].path.text(), "a");
  EXPECT_EQ(findings[1].rule, "spec.beyond-text");
}

TEST(Validate, TablesBeyondTheText) {
  EXPECT_TRUE(table_beyond_text(
                  table_layout(parse_short("tuple<'a':int64;'b':variant8<nothing;yson32>;"
                                           "'$sparse_columns':repeated_variant16<'x':double>>")))
                  .empty());
  EXPECT_EQ(table_beyond_text(
                table_layout(parse_short("tuple<'a':repeated_variant8<int64>;'b':int8;"
                                         "'$row_index':variant8<nothing;int64;nothing>;"
                                         "'$sparse_columns':repeated_variant16<'x':uint8>>")))
                .size(),
            4u);
}

TEST(Validate, NamesThatBeginAsSpecialOnesDo) {
  const hub::Findings findings = table_beyond_text(table_layout(
      parse_short("tuple<'$a':int64;'$key_switch':boolean;"
                  "'$sparse_columns':repeated_variant16<'$x':double>;'$other_columns':yson32>")));
  ASSERT_EQ(findings.size(), 2u);
  EXPECT_EQ(findings[0].path.text(), "$a");
  EXPECT_EQ(findings[1].path.text(), "$x");
}

TEST(Validate, ASchemaWholeTellsEachPlaceOnce) {
  Schema schema = parse_schema(
      "{table_schemas=[[{name=a;type_v3=json};{name=b;type_v3=int8}]];format=<table_skiff_schemas=["
      "{wire_type=tuple;"
      "children=[{name=a;wire_type=string32};{name=b;wire_type=int8}]}]>skiff}");
  EXPECT_TRUE(std::ranges::none_of(validate(schema), hub::is_violation));
  ASSERT_EQ(std::ranges::count(validate(schema), Path::column("b"), &hub::Finding::path), 1);
  schema.table_schemas[0].columns.push_back(schema.table_schemas[0].columns[0]);
  EXPECT_TRUE(std::ranges::any_of(validate(schema), hub::is_violation));
}

}  // namespace
}  // namespace xwalk::skiff
