#include "xwalk/hub/builder.h"

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <vector>

#include <gtest/gtest.h>

#include "xwalk/base/error.h"

namespace xwalk::hub {
namespace {

const int32_t* offsets(const Array& array) { return array.values<int32_t>(); }

TEST(ColumnBuilder, FixedValuesAndNulls) {
  ColumnBuilder builder(Field("a", Kind::Int64));
  for (int64_t i = 0; i < 200; ++i) {
    if (i % 10 == 3) {
      builder.append_null();
    } else {
      builder.append<int64_t>(i);
    }
  }
  Array array = builder.finish();
  EXPECT_EQ(array.length, 200);
  EXPECT_EQ(array.null_count, 20);
  const auto* valid = static_cast<const uint8_t*>(array.buffers[0]);
  const auto* values = static_cast<const int64_t*>(array.buffers[1]);
  for (int64_t i = 0; i < 200; ++i) {
    EXPECT_EQ((valid[i / 8] >> (i % 8)) & 1, i % 10 == 3 ? 0 : 1) << i;
    EXPECT_EQ(values[i], i % 10 == 3 ? 0 : i);
  }
}

TEST(ColumnBuilder, IntegersOfEveryWidthFillTheirMemory) {
  for (const Kind kind : {Kind::Int8, Kind::Int16, Kind::Int32, Kind::Int64}) {
    ColumnBuilder builder(Field("a", kind));
    const auto width = static_cast<size_t>(builder.width());
    // All that the memory holds, then taken back in part: the last value ends where the memory
    // does.
    for (int64_t i = 0; i < 128; ++i) builder.append_integer(static_cast<uint64_t>(-i));
    builder.truncate(100);
    for (int64_t i = 100; i < 128; ++i) builder.append_integer(static_cast<uint64_t>(-i));
    const Array array = builder.finish();
    ASSERT_EQ(array.length, 128);
    for (int64_t i = 0; i < 128; ++i) {
      int64_t expected = -i;
      EXPECT_EQ(std::memcmp(array.raw<char>(1) + static_cast<size_t>(i) * width, &expected, width),
                0)
          << width << ", " << i;
    }
  }
}

TEST(ColumnBuilder, NullsAreMarkedInRunsOfAnyLength) {
  ColumnBuilder builder(Field("a", Kind::Int8));
  std::vector<uint8_t> all;
  for (size_t run = 1; run <= 40; ++run) {
    std::vector<uint8_t> present(run);
    for (size_t i = 0; i < run; ++i) {
      present[i] = run % 3 == 0 || (all.size() + i * i) % 5 != 0 ? 1 : 0;
    }
    const auto rows = static_cast<int64_t>(run);
    std::memset(builder.extend_fixed(rows), 0, run);
    builder.mark_nulls(present.data(), rows);
    all.insert(all.end(), present.begin(), present.end());
    EXPECT_EQ(builder.null_count(), std::ranges::count(all, 0)) << run;
  }
  Array array = builder.finish();
  const auto* valid = static_cast<const uint8_t*>(array.buffers[0]);
  for (size_t i = 0; i < all.size(); ++i) EXPECT_EQ((valid[i / 8] >> (i % 8)) & 1, all[i]) << i;
}

TEST(ColumnBuilder, NoNullsNoBitmap) {
  ColumnBuilder builder(Field("a", Kind::Bool));
  builder.append_bool(true);
  builder.append_bool(false);
  builder.append_bool(true);
  Array array = builder.finish();
  EXPECT_EQ(array.buffers[0], nullptr);
  EXPECT_EQ(static_cast<const uint8_t*>(array.buffers[1])[0] & 7, 5);
}

TEST(ColumnBuilder, BuffersExistWithoutRows) {
  ColumnBuilder builder(Field("a", Kind::Utf8));
  Array array = builder.finish();
  EXPECT_EQ(array.length, 0);
  EXPECT_EQ(offsets(array)[0], 0);
  EXPECT_NE(array.buffers[2], nullptr);
}

TEST(ColumnBuilder, IsEmptyAfterFinish) {
  ColumnBuilder builder(Field("a", Kind::Binary));
  builder.append_bytes("xyz");
  Array first = builder.finish();
  builder.append_bytes("ab");
  Array second = builder.finish();
  EXPECT_EQ(second.length, 1);
  EXPECT_EQ(offsets(second)[1], 2);
}

TEST(ColumnBuilder, TruncateTakesBackHalfARow) {
  Field field(
      "s", struct_({Field("l", list(Field("item", Kind::Utf8))), Field("b", Kind::Bool),
                    Field("u", union_({Field("x", Kind::Int8), Field("y", Kind::Utf8)}), false)}));
  ColumnBuilder builder(field);
  auto fill = [&](int items, bool close) {
    for (int i = 0; i < items; ++i) builder.child(0).child(0).append_bytes("item");
    if (!close) return;
    builder.child(0).append_list();
    builder.child(1).append_bool(true);
    builder.child(2).append_union(1);
    builder.child(2).child(1).append_bytes("why");
    builder.append_struct();
  };
  fill(2, true);
  fill(3, false);
  builder.truncate(1);
  builder.append_placeholder();
  fill(1, true);
  fill(4, true);
  builder.truncate(3);
  Array array = builder.finish();
  ASSERT_EQ(array.length, 3);
  EXPECT_EQ(array.null_count, 1);
  const Array& items = array.children[0];
  EXPECT_EQ(items.length, 3);
  EXPECT_EQ(offsets(items)[3], 3);
  EXPECT_EQ(items.children[0].length, 3);
  EXPECT_EQ(array.children[1].length, 3);
  EXPECT_EQ(static_cast<const uint8_t*>(array.children[1].buffers[1])[0] & 7, 5);
  const Array& either = array.children[2];
  EXPECT_EQ(either.length, 3);
  EXPECT_EQ(either.children[0].length, 1);
  EXPECT_EQ(either.children[1].length, 2);
  EXPECT_EQ(static_cast<const int8_t*>(either.buffers[0])[1], 0);
  EXPECT_EQ(static_cast<const int32_t*>(either.buffers[1])[2], 1);
}

TEST(ColumnBuilder, RefusesLayoutsItDoesNotBuild) {
  EXPECT_THROW(ColumnBuilder(Field("a", Kind::Utf8View)), Error);
  EXPECT_THROW(ColumnBuilder(Field("a", dictionary(Kind::Int32, Kind::Utf8))), Error);
}

TEST(StructOf, OwnsItsColumns) {
  ColumnBuilder builder(Field("a", Kind::Int32));
  builder.append<int32_t>(7);
  std::vector<Array> columns;
  columns.push_back(builder.finish());
  Array array = struct_of(std::move(columns), 1);
  ASSERT_EQ(array.children.size(), 1u);
  EXPECT_EQ(static_cast<const int32_t*>(array.children[0].buffers[1])[0], 7);
}

}  // namespace
}  // namespace xwalk::hub
