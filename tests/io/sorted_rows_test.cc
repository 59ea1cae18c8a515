#include "xwalk/io/rows/sorted_rows.h"

#include <algorithm>
#include <random>

#include <gtest/gtest.h>

#include "tests/hub/values.h"
#include "xwalk/hub/builder.h"
#include "xwalk/hub/compare.h"
#include "xwalk/hub/concat.h"
#include "xwalk/hub/key_bytes.h"

namespace xwalk::io {
namespace {

using hub::Array;
using hub::Field;
using hub::Kind;
using hub::testing::alternative;
using hub::testing::items;
using hub::testing::null;
using hub::testing::Value;

/// Columns of every layout that is sorted, the same value in each row of one key.
std::vector<Field> value_fields() {
  return {Field("n", Kind::Int32),
          Field("flag", Kind::Bool),
          Field("text", Kind::LargeUtf8),
          Field("list", hub::list(Field("item", Kind::Utf8))),
          Field("large", hub::list(Field("item", Kind::Int8), Kind::LargeList)),
          Field("fixed", hub::fixed_size_list(Field("item", Kind::Int16), 2)),
          Field("struct", hub::struct_({Field("a", Kind::Double)})),
          Field("map", hub::map(Field("key", Kind::Utf8, false), Field("value", Kind::Int64))),
          Field("decimal", hub::decimal(256, 60, 2)),
          Field("union", hub::union_({Field("a", Kind::Int8), Field("b", Kind::Utf8)})),
          Field("none", Kind::Null)};
}

std::vector<Value> values_of(int64_t key) {
  if (key % 7 == 0) {
    std::vector<Value> nulls(value_fields().size(), null());
    nulls[9] = alternative(1, null());
    return nulls;
  }
  const std::string text = std::to_string(key);
  return {key,
          key % 2,
          text,
          items({text, null()}),
          items({key % 100}),
          items({1, null()}),
          items({0.5}),
          items({items({text, key})}),
          key,
          key % 2 == 0 ? alternative(0, key % 100) : alternative(1, text),
          null()};
}

class SortedRows : public testing::TestWithParam<uint64_t> {};

/// Rows come in the order of their keys, those of one key in the order they went in, and whole:
/// whatever memory there is.
TEST_P(SortedRows, AreThoseThatWentIn) {
  constexpr int64_t kBatches = 150;
  constexpr int64_t kRows = 40;
  std::mt19937 random(7);  // NOLINT(bugprone-random-generator-seed): the same rows each time
  std::vector<Field> fields = value_fields();
  fields.emplace_back("key", Kind::Binary, false);
  fields.emplace_back("row", Kind::Int64, false);
  const hub::Type type = hub::struct_(fields);
  RowSorter sorter(type, fields.size() - 2, GetParam());
  std::vector<std::pair<int64_t, int64_t>> expected;
  const Field key_field("key", Kind::Int64);
  for (int64_t batch = 0; batch < kBatches; ++batch) {
    std::vector<std::vector<Value>> columns(fields.size());
    std::vector<Value> keys;
    for (int64_t i = 0; i < kRows; ++i) {
      const int64_t key = static_cast<int64_t>(random() % 2000) - 1000;
      expected.emplace_back(key, batch * kRows + i);
      keys.emplace_back(key);
      const std::vector<Value> row = values_of(key);
      for (size_t column = 0; column < row.size(); ++column) columns[column].push_back(row[column]);
      columns.back().emplace_back(batch * kRows + i);
    }
    const Array key_array = hub::testing::build(Kind::Int64, keys);
    const Array* const key_columns[] = {&key_array};
    std::vector<Array> arrays;
    for (size_t column = 0; column < fields.size(); ++column) {
      arrays.push_back(column == fields.size() - 2
                           ? hub::key_bytes({&key_field, 1}, key_columns, kRows)
                           : hub::testing::build(fields[column].type, columns[column]));
    }
    hub::Batch rows;
    rows.array = hub::struct_of(std::move(arrays), kRows);
    sorter.write(std::move(rows));
  }
  sorter.finish();
  std::ranges::stable_sort(expected, {}, &std::pair<int64_t, int64_t>::first);
  size_t at = 0;
  while (std::optional<Array> rows = sorter.next()) {
    for (int64_t i = 0; i < rows->length; ++i, ++at) {
      ASSERT_LT(at, expected.size());
      const auto [key, number] = expected[at];
      ASSERT_EQ(rows->children.back().values<int64_t>()[i], number);
      const std::vector<Value> values = values_of(key);
      for (size_t column = 0; column < values.size(); ++column) {
        const Array one = hub::testing::build(fields[column].type, {values[column]});
        EXPECT_TRUE(hub::same_value(fields[column].type, rows->children[column], i, one, 0, {}))
            << fields[column].name << " of " << key;
      }
    }
  }
  EXPECT_EQ(at, expected.size());
}

INSTANTIATE_TEST_SUITE_P(Memory, SortedRows, testing::Values(1, 30'000, 1 << 30));

TEST(SortedRowsTest, NoRowsAreNoRows) {
  RowSorter sorter(hub::struct_({Field("key", Kind::Binary, false)}), 0, 1);
  sorter.finish();
  EXPECT_FALSE(sorter.next());
}

}  // namespace
}  // namespace xwalk::io
