#include "xwalk/lance/data_version.h"

#include <gtest/gtest.h>

namespace xwalk::lance {
namespace {

Field field(const char* name, LogicalType type, std::vector<Field> children = {}) {
  Field out;
  out.name = name;
  out.type = type;
  out.nullable = true;
  out.children = std::move(children);
  return out;
}

TEST(DataVersion, TellsWhichNullsAreKept) {
  Schema schema;
  schema.fields = {field("i", Kind::Int64), field("s", Kind::String),
                   field("t", Kind::Struct, {field("x", Kind::Binary)})};
  const Schema oldest = with_nulls_kept_by("0.1", schema);
  EXPECT_FALSE(oldest.fields[0].nullable);
  EXPECT_TRUE(oldest.fields[1].nullable);
  EXPECT_FALSE(oldest.fields[2].nullable);
  EXPECT_TRUE(oldest.fields[2].children[0].nullable);
  const Schema old = with_nulls_kept_by("2.0", schema);
  EXPECT_TRUE(old.fields[0].nullable);
  EXPECT_FALSE(old.fields[2].nullable);
  EXPECT_EQ(with_nulls_kept_by("2.1", schema), schema);
}

}  // namespace
}  // namespace xwalk::lance
