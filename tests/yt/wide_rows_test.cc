// Rows of a wide table that lack most columns: what is decoded, and what it costs.
#include <random>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "tests/rounds.h"
#include "xwalk/base/error.h"
#include "xwalk/hub/array.h"
#include "xwalk/yt/row_decoder.h"
#include "xwalk/yt/schema.h"

namespace xwalk::yt {
namespace {

constexpr size_t kColumns = 900;

/// Every fifth column is a list, so that no block decoder takes the rows.
Type type_of(size_t column) {
  switch (column % 5) {
    case 0:
      return optional(list(TypeKind::Int64));
    case 1:
      return optional(TypeKind::Int64);
    case 2:
      return optional(TypeKind::Utf8);
    case 3:
      return optional(struct_({{"x", TypeKind::Bool}}));
    default:
      return optional(TypeKind::Bool);
  }
}

std::string value_of(size_t column, uint64_t number) {
  const std::string digits = std::to_string(number);
  switch (column % 5) {
    case 0:
      return "[" + digits + ";7]";
    case 1:
      return digits;
    case 2:
      return "\"t" + digits + "\"";
    case 3:
      return number % 2 == 0 ? "{x=%true}" : "{x=%false}";
    default:
      return number % 2 == 0 ? "%true" : "%false";
  }
}

std::string name_of(size_t column) { return "c" + std::to_string(column); }

TableSchema schema_of(size_t first, size_t count, bool strict) {
  TableSchema schema;
  schema.columns.emplace_back("id", TypeKind::Int64);
  for (size_t i = first; i < first + count; ++i) {
    schema.columns.emplace_back(name_of(i), type_of(i));
  }
  schema.strict = strict;
  return schema;
}

/// Rows of some columns each; now and then one that is bad, or one without any.
std::string random_rows(std::mt19937_64& random, size_t rows) {
  std::string text;
  for (size_t row = 0; row < rows; ++row) {
    text += "{id=" + std::to_string(row) + ";";
    const size_t count = random() % 6;
    for (size_t i = 0; i < count; ++i) {
      // Columns of a row are distinct.
      const size_t column = (random() % (kColumns / 6)) * 6 + i;
      text += name_of(column) + "=" + value_of(column, random() % 1000) + ";";
    }
    if (random() % 20 == 0) text += name_of(random() % 6 * 5 + 1) + "=%nonsense;";
    if (random() % 20 == 0) text += "c2=\"\\xff\";";
    text += "};";
    if (random() % 30 == 0) text += "{c1=5};";
  }
  return text;
}

TEST(WideRows, AreThoseOfNarrowTables) {
  std::mt19937_64 random(1);
  ReadOptions options;
  options.skip_bad_rows = true;
  RowDecoder wide(schema_of(0, kColumns, true), options);
  for (unsigned batch = 0; batch < test::rounds(20); ++batch) {
    const std::string rows = random_rows(random, 1 + random() % 200);
    const hub::Batch all = wide.decode(rows, 0);
    ASSERT_EQ(all.array.children.size(), kColumns + 1);
    // A row that is bad for one column is a row of placeholders in all: only the others are
    // compared.
    std::vector<bool> bad(static_cast<size_t>(all.rows()));
    for (const hub::BadRow& row : all.bad) bad[static_cast<size_t>(row.index)] = true;
    for (size_t first = 0; first < kColumns; first += 100) {
      const hub::Batch some = RowDecoder(schema_of(first, 100, false), options).decode(rows, 0);
      ASSERT_EQ(some.rows(), all.rows());
      for (size_t i = 0; i < 100; ++i) {
        const hub::Array& wanted = some.array.children[i + 1];
        const hub::Array& found = all.array.children[first + i + 1];
        ASSERT_EQ(found.length, all.rows());
        for (int64_t row = 0; row < all.rows(); ++row) {
          if (bad[static_cast<size_t>(row)]) continue;
          ASSERT_EQ(found.is_null(row), wanted.is_null(row)) << name_of(first + i) << " " << row;
          if (found.is_null(row) || (first + i) % 5 != 1) continue;
          ASSERT_EQ(found.value<int64_t>(row), wanted.value<int64_t>(row));
        }
      }
    }
  }
}

TEST(WideRows, RefuseRowsWithoutARequiredColumn) {
  RowDecoder wide(schema_of(0, kColumns, true), {});
  EXPECT_THROW(wide.decode("{id=1};{c1=5}", 0), Error);
  EXPECT_THROW(wide.decode("{id=1;c1=5;c1=6}", 0), Error);
  ReadOptions last;
  last.repeated_keys = RepeatedKeys::Last;
  const hub::Batch batch =
      RowDecoder(schema_of(0, kColumns, true), last).decode("{id=0};{id=1;c1=5;c1=6}", 0);
  EXPECT_EQ(batch.array.children[2].value<int64_t>(1), 6);
}

TEST(WideRows, ColumnsWithoutValuesShareTheirBuffers) {
  RowDecoder wide(schema_of(0, kColumns, true), {});
  const hub::Batch batch = wide.decode("{id=1};{id=2;c6=3};", 0);
  EXPECT_EQ(batch.array.children[2].buffers, batch.array.children[12].buffers);
  EXPECT_NE(batch.array.children[2].buffers, batch.array.children[7].buffers);
  EXPECT_EQ(batch.array.children[2].null_count, 2);
}

TEST(WideRows, MakeBatchesOfFewerRows) {
  ReadOptions options;
  options.batch_bytes = 1'000'000;
  EXPECT_LT(RowDecoder(schema_of(0, kColumns, true), options).batch_rows(), 1000);
  EXPECT_EQ(RowDecoder(schema_of(0, 3, true), {}).batch_rows(), options.batch_rows);
}

}  // namespace
}  // namespace xwalk::yt
