#include "xwalk/hub/array.h"

#include <gtest/gtest.h>

#include "tests/hub/values.h"
#include "xwalk/base/error.h"
#include "xwalk/hub/builder.h"

namespace xwalk::hub {
namespace {

using testing::items;
using testing::null;

Array numbers() {
  ColumnBuilder builder(Field("a", Kind::Int64));
  for (int64_t i = 0; i < 20; ++i) {
    if (i == 7) {
      builder.append_null();
    } else {
      builder.append<int64_t>(i);
    }
  }
  return builder.finish();
}

TEST(Array, ReadsFromItsOffset) {
  const Array part = slice(numbers(), 5, 10);
  EXPECT_EQ(part.value<int64_t>(0), 5);
  EXPECT_TRUE(part.is_null(2));
  EXPECT_FALSE(part.is_null(3));
  EXPECT_EQ(count_nulls(part), 1);
  EXPECT_EQ(part.slot(3), 8);
}

TEST(Array, AccessorsOfEachLayout) {
  const Type type = struct_({Field("t", Kind::Utf8), Field("l", list(Field("item", Kind::Bool))),
                             Field("n", Kind::Null)});
  const Array rows =
      testing::build(type, {items({"ab", items({1, 0}), null()}), items({"", items({}), null()}),
                            items({"cde", items({1}), null()})});
  const Array& texts = rows.children[0];
  EXPECT_EQ(texts.text(0), "ab");
  EXPECT_EQ(texts.text(1), "");
  EXPECT_EQ(texts.text(2), "cde");
  const Array& lists = rows.children[1];
  EXPECT_EQ(lists.first_item(2), 2);
  EXPECT_EQ(lists.end_item(2), 3);
  EXPECT_TRUE(lists.children[0].bit(0));
  EXPECT_FALSE(lists.children[0].bit(1));
  EXPECT_TRUE(rows.children[2].is_null(1));
}

TEST(Array, ComesBackFromTheCInterface) {
  const Array array = numbers();
  const Array back = import_array(export_array(array), Kind::Int64);
  EXPECT_EQ(back.length, 20);
  EXPECT_EQ(back.buffers, array.buffers);
  EXPECT_TRUE(back.is_null(7));
}

TEST(ImportArray, RefusesAnotherShape) {
  EXPECT_THROW(import_array(export_array(numbers()), Kind::Utf8), Error);
  EXPECT_THROW(import_array(export_array(numbers()), list(Field("item", Kind::Int64))), Error);
  EXPECT_THROW(import_array(export_array(numbers()), dictionary(Kind::Int64, Kind::Utf8)), Error);
  ArrayHandle negative = export_array(numbers());
  negative->offset = -1;
  EXPECT_THROW(import_array(std::move(negative), Kind::Int64), Error);
}

TEST(ImportArray, NullsAreThoseOfTheBits) {
  // A count without bits, as a producer may leave it, stands for no nulls.
  ArrayHandle handle = export_array(slice(numbers(), 0, 3));
  handle->buffers[0] = nullptr;
  handle->null_count = -1;
  EXPECT_EQ(import_array(std::move(handle), Kind::Int64).null_count, 0);
  const Type either = union_({Field("x", Kind::Int8)});
  ArrayHandle one = export_array(null_array(either, 4));
  one->null_count = -1;
  EXPECT_FALSE(import_array(std::move(one), either).is_null(0));
}

}  // namespace
}  // namespace xwalk::hub
