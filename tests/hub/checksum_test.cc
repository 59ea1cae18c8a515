#include "xwalk/hub/checksum.h"

#include <algorithm>
#include <cstdint>
#include <initializer_list>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "xwalk/hub/array.h"
#include "xwalk/hub/builder.h"

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

// Sums over blocks of rows are those of the values one by one, for every layout that has a fast
// path and with nulls, bad rows and slices.
template <typename T>
void expect_sums_of_values(const Type& type, uint64_t seed) {
  constexpr int64_t kRows = 2500;
  constexpr int64_t kFirst = 3;
  Array array = start(kRows);
  Buffer valid((kRows + 7) / 8);
  Buffer values(kRows * int64_t{sizeof(T)});
  for (int64_t i = 0; i < kRows; ++i) {
    valid.as<uint8_t>()[i / 8] = 0xb7;
    values.as<T>()[i] = static_cast<T>(static_cast<uint64_t>(i) * seed - 1000);
  }
  array.buffers.clear();
  attach(array, valid);
  attach(array, values);
  array.null_count = -1;
  Batch batch;
  batch.array = slice(struct_of({array}, kRows), kFirst, kRows - kFirst);
  batch.bad.push_back({1030, Error(ErrorCode::Input, "bad"), ""});
  const Schema schema = {.fields = {{"a", type, true}}};
  RowSums sums(schema);
  sums.add(schema, batch);
  ColumnSum expected;
  for (int64_t row = 0; row < kRows - kFirst; ++row) {
    if (row == 1030) continue;
    const bool is_null = array.is_null(kFirst + row);
    ++(is_null ? expected.nulls : expected.values);
    if (!is_null) expected.sum += value_hash(type, array, kFirst + row);
  }
  EXPECT_EQ(sums.columns().front(), expected) << to_string(type);
  EXPECT_EQ(sums.rows(), static_cast<uint64_t>(kRows - kFirst - 1));
}

TEST(ChecksumTest, AddsTheHashesOfValues) {
  expect_sums_of_values<uint8_t>(Kind::Bool, 7);
  expect_sums_of_values<int8_t>(Kind::Int8, 7);
  expect_sums_of_values<uint8_t>(Kind::Uint8, 7);
  expect_sums_of_values<int16_t>(Kind::Int16, 77);
  expect_sums_of_values<uint16_t>(Kind::Uint16, 77);
  expect_sums_of_values<int32_t>(Kind::Int32, 777777);
  expect_sums_of_values<uint32_t>(Kind::Uint32, 777777);
  expect_sums_of_values<int32_t>(Kind::Date32, 7);
  expect_sums_of_values<int64_t>(Kind::Int64, 0x9e3779b97f4a7c15U);
  expect_sums_of_values<uint64_t>(Kind::Uint64, 0x9e3779b97f4a7c15U);
  expect_sums_of_values<float>(Kind::Float, 3);
  expect_sums_of_values<double>(Kind::Double, 3);
}

TEST(ChecksumTest, HashesBytesInWords) {
  const std::string text = "0123456789abcdefghijklmno";
  for (size_t size = 0; size <= text.size(); ++size) {
    Array array = start(1);
    Buffer offsets(2 * int64_t{sizeof(int32_t)});
    offsets.as<int32_t>()[0] = 0;
    offsets.as<int32_t>()[1] = static_cast<int32_t>(size);
    // Of the size that the text has, so that a sanitizer sees reads after its end.
    const std::vector<char> bytes(text.begin(), text.begin() + static_cast<int64_t>(size));
    attach(array, offsets);
    array.buffers.push_back(bytes.data());
    const auto mix = [](uint64_t x) {
      x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9U;
      x = (x ^ (x >> 27)) * 0x94d049bb133111ebU;
      return x ^ (x >> 31);
    };
    uint64_t expected = mix(size + 0x9e3779b97f4a7c15U);
    for (size_t at = 0; at < size; at += 8) {
      uint64_t word = 0;
      for (size_t i = at; i < std::min(size, at + 8); ++i) {
        word |= uint64_t{static_cast<uint8_t>(text[i])} << (8 * (i - at));
      }
      expected = mix(expected + word + 0x9e3779b97f4a7c15U);
    }
    EXPECT_EQ(value_hash(Kind::Utf8, array, 0), expected) << size;
  }
}

// The value for 1 that docs/reference/checksums.md gives a program for.
TEST(ChecksumTest, HasTheDocumentedValue) {
  EXPECT_EQ(value_hash(Kind::Int64, int64s({1}), 0), 0x910a2dec89025cc1U);
}

}  // namespace
}  // namespace xwalk::hub
