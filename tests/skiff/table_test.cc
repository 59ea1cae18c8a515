#include "xwalk/skiff/table.h"

#include <gtest/gtest.h>

#include "xwalk/base/error.h"

namespace xwalk::skiff {
namespace {

TEST(TableLayout, TakesEveryPartApart) {
  TableLayout layout = table_layout(parse_short(
      "tuple<'a':int64;'$key_switch':boolean;'b':variant8<nothing;string32>;"
      "'$row_index':variant8<nothing;int64>;'$range_index':variant8<nothing;int64;nothing>;"
      "'$mine':int64;'$sparse_columns':repeated_variant16<'x':int64;'y':double>;"
      "'$other_columns':yson32>"));
  ASSERT_EQ(layout.slots.size(), 8u);
  EXPECT_EQ(layout.slots[0].role, Role::Dense);
  EXPECT_EQ(layout.slots[1].role, Role::KeySwitch);
  EXPECT_EQ(layout.slots[3].role, Role::RowIndex);
  EXPECT_EQ(layout.slots[5].role, Role::Dense);
  EXPECT_EQ(layout.slots[6].role, Role::Sparse);
  EXPECT_EQ(layout.slots[7].role, Role::Other);
  EXPECT_EQ(layout.sparse.size(), 2u);
  EXPECT_EQ(layout.row_index, IndexShape::TwoWay);
  EXPECT_EQ(layout.range_index, IndexShape::ThreeWay);
}

TEST(TableLayout, EachRuleHasItsError) {
  struct Case {
    const char* schema;
    const char* message;
  };
  const Case cases[] = {
      {"int64", "expected tuple as the root of a table's skiff schema, found int64"},
      {"tuple<int64>", "expected a name of child 0 of a table's root, found none"},
      {"tuple<'a':int64;'a':int64>", "expected each name once, found \"a\" several times"},
      {"tuple<'$other_columns':yson32;'a':int64>",
       "expected $other_columns as the last child, found it at 0 of 2"},
      {"tuple<'$other_columns':string32>",
       "expected yson32 as the type of $other_columns, found string32"},
      {"tuple<'$sparse_columns':repeated_variant16<'x':int64>;'a':int64>",
       "expected $sparse_columns as the last child, or before $other_columns, found it at 0 of 2"},
      {"tuple<'$sparse_columns':repeated_variant8<'x':int64>>",
       "expected repeated_variant16 as the type of $sparse_columns, found "
       "repeated_variant8<'x':int64>"},
      {"tuple<'$sparse_columns':repeated_variant16<int64>>",
       "expected a name of each child of $sparse_columns, found one without"},
      {"tuple<'$sparse_columns':repeated_variant16<'$key_switch':boolean>>",
       "expected ordinary columns in $sparse_columns, found $key_switch"},
      {"tuple<'x':int64;'$sparse_columns':repeated_variant16<'x':int64>>",
       "expected each name once, found \"x\" several times"},
      {"tuple<'$key_switch':int64>", "expected boolean as the type of $key_switch, found int64"},
      {"tuple<'$row_index':int64>",
       "expected variant8<nothing;int64> or variant8<nothing;int64;nothing> as the type of "
       "$row_index, found int64"},
      {"tuple<'$range_index':variant8<nothing;uint64>>",
       "expected variant8<nothing;int64> or variant8<nothing;int64;nothing> as the type of "
       "$range_index, found variant8<nothing;uint64>"},
      {"tuple<'$remaining_row_bytes':string32>",
       "expected columns that xwalk reads, found $remaining_row_bytes"},
  };
  for (const Case& c : cases) {
    try {
      table_layout(parse_short(c.schema));
      ADD_FAILURE() << c.schema << " was accepted";
    } catch (const Error& error) {
      EXPECT_STREQ(error.what(), c.message);
    }
  }
}

}  // namespace
}  // namespace xwalk::skiff
