#include "xwalk/hub/checksum.h"

#include <cstdint>
#include <initializer_list>
#include <vector>

#include <gtest/gtest.h>

#include "xwalk/hub/array.h"

namespace xwalk::hub {
namespace {

Array int64s(std::initializer_list<int64_t> values) {
  Array out = start(static_cast<int64_t>(values.size()));
  Buffer buffer(out.length * int64_t{sizeof(int64_t)});
  int64_t at = 0;
  for (const int64_t value : values) buffer.as<int64_t>()[at++] = value;
  attach(out, buffer);
  return out;
}

Batch batch_of(std::initializer_list<int64_t> a, std::initializer_list<int64_t> b) {
  Batch batch;
  batch.array = start(static_cast<int64_t>(a.size()));
  batch.array.children = {int64s(a), int64s(b)};
  return batch;
}

const Schema kSchema = {.fields = {{"a", Kind::Int64, false}, {"b", Kind::Int64, false}}};

RowSums sums_of(const Batch& batch) {
  RowSums sums(kSchema);
  sums.add(kSchema, batch);
  return sums;
}

TEST(ChecksumTest, DoesNotDependOnTheOrderOfRows) {
  const RowSums one = sums_of(batch_of({1, 2, 3}, {4, 5, 6}));
  const RowSums other = sums_of(batch_of({3, 1, 2}, {6, 4, 5}));
  EXPECT_EQ(one.columns(), other.columns());
  EXPECT_EQ(one.sum(), other.sum());
}

TEST(ChecksumTest, FindsValuesThatMovedBetweenRows) {
  const RowSums one = sums_of(batch_of({1, 2, 3}, {4, 5, 6}));
  const RowSums other = sums_of(batch_of({1, 2, 3}, {5, 4, 6}));
  EXPECT_EQ(one.columns(), other.columns());
  EXPECT_NE(one.sum(), other.sum());
}

TEST(ChecksumTest, LeavesOutBadRows) {
  Batch batch = batch_of({1, 9, 3}, {4, 9, 6});
  batch.bad.push_back({1, Error(ErrorCode::Input, "bad"), ""});
  const RowSums sums = sums_of(batch);
  EXPECT_EQ(sums.rows(), 2U);
  EXPECT_EQ(sums.columns(), sums_of(batch_of({1, 3}, {4, 6})).columns());
}

TEST(ChecksumTest, MergesParts) {
  RowSums whole = sums_of(batch_of({1, 2}, {4, 5}));
  whole.merge(sums_of(batch_of({3}, {6})));
  EXPECT_EQ(whole.sum(), sums_of(batch_of({1, 2, 3}, {4, 5, 6})).sum());
  EXPECT_EQ(whole.rows(), 3U);
}

// The value for 1 that docs/reference/checksums.md gives a program for.
TEST(ChecksumTest, HasTheDocumentedValue) {
  EXPECT_EQ(value_hash(Kind::Int64, int64s({1}), 0), 0x910a2dec89025cc1U);
}

}  // namespace
}  // namespace xwalk::hub
