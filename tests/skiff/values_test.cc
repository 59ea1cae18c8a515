// The fast path against the checked path: random tables, their bytes, and damaged bytes.

#include "xwalk/skiff/values.h"

#include <gtest/gtest.h>

#include "tests/skiff/memory_stream.h"
#include "tests/skiff/random_rows.h"
#include "xwalk/base/error.h"
#include "xwalk/base/text.h"
#include "xwalk/skiff/hub.h"
#include "xwalk/skiff/rows.h"
#include "xwalk/yson/print.h"

namespace xwalk::skiff {
namespace {

using testing::decode_to_bytes;
using testing::MemorySource;

struct Outcome {
  size_t rows = 0;
  std::optional<uint64_t> bad_row;
  std::string message;
};

Outcome read_checked(const Schema& schema, std::string_view bytes) {
  Outcome outcome;
  Input input(bytes);
  RowReader reader(bind(schema, Flow::Read), input);
  try {
    while (reader.next()) ++outcome.rows;
  } catch (const Error& error) {
    outcome.bad_row = error.place().row;
    outcome.message = error.what();
  }
  return outcome;
}

Outcome read_fast(const Schema& schema, std::string_view bytes, size_t step) {
  Outcome outcome;
  try {
    TablesReader reader(std::make_unique<MemorySource>(bytes, step), schema);
    while (std::optional<TableBatch> batch = reader.next()) {
      outcome.rows += static_cast<size_t>(batch->batch.rows());
    }
  } catch (const Error& error) {
    outcome.bad_row = error.place().row;
    outcome.message = error.what();
  }
  return outcome;
}

TEST(Values, RandomTablesGoThroughArrowUnchanged) {
  for (uint32_t seed = 0; seed < 100; ++seed) {
    testing::RandomTable table(seed);
    std::string bytes = table.bytes(1 + seed % 20 * 60);
    Outcome checked = read_checked(table.schema(), bytes);
    ASSERT_FALSE(checked.bad_row) << checked.message;
    EXPECT_EQ(to_hex(decode_to_bytes(table.schema(), bytes, 0)), to_hex(bytes))
        << seed << " " << print(table.schema(), SchemaForm::File);
    EXPECT_EQ(to_hex(decode_to_bytes(table.schema(), bytes, 7)), to_hex(bytes)) << seed;
  }
}

TEST(Values, DamagedBytesAreRefusedAtTheSameRow) {
  for (uint32_t seed = 0; seed < 400; ++seed) {
    testing::RandomTable table(seed % 100);
    std::string bytes = table.bytes(5);
    table.damage(seed, &bytes);
    Outcome checked = read_checked(table.schema(), bytes);
    Outcome fast = read_fast(table.schema(), bytes, seed % 2 == 0 ? 0 : 3);
    EXPECT_EQ(checked.bad_row, fast.bad_row)
        << seed << "\nchecked: " << checked.message << "\nfast: " << fast.message << "\n"
        << print(table.schema(), SchemaForm::File) << to_hex(bytes);
    if (checked.bad_row && fast.bad_row) {
      EXPECT_EQ(checked.message, fast.message) << seed;
    } else {
      EXPECT_EQ(checked.rows, fast.rows);
    }
  }
}

TEST(Values, EveryPrematureEndIsRefused) {
  for (uint32_t seed = 0; seed < 12; ++seed) {
    testing::RandomTable table(seed);
    std::string bytes = table.bytes(3);
    std::vector<size_t> ends = table.row_ends();
    for (size_t size = 0; size < bytes.size(); ++size) {
      bool whole = size == 0 || std::ranges::find(ends, size) != ends.end();
      Outcome fast = read_fast(table.schema(), std::string_view(bytes).substr(0, size), 0);
      EXPECT_EQ(fast.bad_row.has_value(), !whole) << seed << " at " << size;
      Outcome checked = read_checked(table.schema(), std::string_view(bytes).substr(0, size));
      EXPECT_EQ(checked.bad_row, fast.bad_row);
      EXPECT_EQ(checked.message, fast.message);
    }
  }
}

Schema alone(const char* short_form) { return parse_schema(short_form); }

TEST(Values, BadRowsAreKeptOnRequest) {
  Schema schema = parse_schema(
      "{format=<table_skiff_schemas=[{wire_type=tuple;children=[{name=a;wire_type=int64};"
      "{name=s;wire_type=string32}]}]>skiff;"
      "table_schemas=[<strict=%true>[{name=a;type=int8;required=%true};"
      "{name=s;type=utf8;required=%true}]]}");
  std::string bytes = from_hex(
      "0000"
      "0100000000000000"
      "01000000"
      "61"
      "0000"
      "2c01000000000000"
      "01000000"
      "61"
      "0000"
      "0200000000000000"
      "01000000"
      "ff"
      "0000"
      "0300000000000000"
      "00000000");
  ReadOptions options;
  options.skip_bad_rows = true;
  auto reader = read_rows(std::make_unique<MemorySource>(bytes, 0), schema, options);
  std::optional<hub::Batch> batch = reader->next();
  ASSERT_TRUE(batch);
  EXPECT_EQ(batch->rows(), 4);
  ASSERT_EQ(batch->bad.size(), 2u);
  EXPECT_EQ(batch->bad[0].index, 1);
  EXPECT_STREQ(batch->bad[0].error.what(), "expected int8 in the range [-128, 127], found 300");
  EXPECT_EQ(batch->bad[0].error.place().path.text(), "a");
  EXPECT_EQ(batch->bad[0].error.place().byte, 17u);
  EXPECT_EQ(batch->bad[0].error.place().row, 1u);
  EXPECT_EQ(batch->bad[1].index, 2);
  EXPECT_EQ(batch->bad[1].error.place().path.text(), "s");
  EXPECT_FALSE(reader->next());
  options.skip_bad_rows = false;
  EXPECT_THROW(read_rows(std::make_unique<MemorySource>(bytes, 0), schema, options)->next(), Error);
}

TEST(Values, SpecialColumnsAreShownOnRequest) {
  Schema schema = alone(
      "tuple<'a':int8;'$key_switch':boolean;'$row_index':variant8<nothing;int64>;"
      "'$range_index':variant8<nothing;int64>>");
  std::string bytes = from_hex(
      "0000"
      "01"
      "00"
      "010a00000000000000"
      "010000000000000000"
      "0000"
      "02"
      "01"
      "00"
      "00"
      "0000"
      "03"
      "00"
      "010500000000000000"
      "010100000000000000");
  ReadOptions options;
  options.table_index = options.row_index = options.range_index = options.key_switch = true;
  auto reader = read_rows(std::make_unique<MemorySource>(bytes, 0), schema, options);
  ASSERT_EQ(reader->schema().fields.size(), 5u);
  EXPECT_EQ(reader->schema().fields[3].name, "$row_index");
  std::optional<hub::Batch> batch = reader->next();
  ASSERT_TRUE(batch);
  const auto* rows = batch->array.children[3].values<int64_t>();
  EXPECT_EQ(std::vector<int64_t>(rows, rows + 3), (std::vector<int64_t>{10, 11, 5}));
  const auto* ranges = batch->array.children[2].values<int64_t>();
  EXPECT_EQ(std::vector<int64_t>(ranges, ranges + 3), (std::vector<int64_t>{0, 0, 1}));
  const auto* switches = batch->array.children[4].values<uint8_t>();
  EXPECT_EQ(switches[0] & 7, 2);
}

TEST(Values, ManyTablesInOneStream) {
  Schema schema = alone("tuple<'a':int64>\ntuple<'b':string32>\n");
  std::string bytes = from_hex("000001000000000000000100010000007800000200000000000000ffff");
  ReadOptions options;
  options.require_end_of_stream = true;
  TablesReader reader(std::make_unique<MemorySource>(bytes, 0), schema, options);
  std::vector<int64_t> rows(2);
  while (std::optional<TableBatch> batch = reader.next()) {
    rows[batch->table] += batch->batch.rows();
  }
  EXPECT_EQ(rows, (std::vector<int64_t>{2, 1}));
}

TEST(Values, StreamsSayWhereTheyEnd) {
  Schema schema = alone("tuple<'a':int8>\n");
  auto read = [&](const char* hex, bool required) {
    ReadOptions options;
    options.require_end_of_stream = required;
    std::string bytes = from_hex(hex);
    int64_t rows = 0;
    auto reader = read_rows(std::make_unique<MemorySource>(bytes, 0), schema, options);
    while (auto batch = reader->next()) rows += batch->rows();
    return rows;
  };
  EXPECT_EQ(read("000001ffff", true), 1);
  EXPECT_EQ(read("000001", false), 1);
  EXPECT_THROW(read("000001", true), Error);
  EXPECT_THROW(read("000001ffff", false), Error);
  EXPECT_THROW(read("ffff000001", false), Error);
  EXPECT_THROW(read("0100", false), Error);
}

TEST(Values, NullsWithoutAPlaceAreRefusedOnWriting) {
  Schema schema = parse_schema(
      "{format=<table_skiff_schemas=[{wire_type=tuple;children=[{name=a;wire_type=int64}]}]>skiff;"
      "table_schemas=[<strict=%true>[{name=a;type=int64}]]}");
  Schema optional = parse_schema("<strict=%true>[{name=a;type=int64}]");
  std::string bytes = from_hex(
      "0000"
      "01"
      "0100000000000000"
      "0000"
      "00");
  auto reader = read_rows(std::make_unique<MemorySource>(bytes, 0), optional);
  EXPECT_EQ(to_arrow(schema).fields[0].type, reader->schema().fields[0].type);
  std::string out;
  auto writer = write_rows(std::make_unique<testing::MemorySink>(&out), schema);
  try {
    writer->write(std::move(*reader->next()));
    ADD_FAILURE() << "null was accepted";
  } catch (const Error& error) {
    EXPECT_EQ(error.place().row, 1u);
    EXPECT_EQ(error.place().path.text(), "a");
  }
}

}  // namespace
}  // namespace xwalk::skiff
