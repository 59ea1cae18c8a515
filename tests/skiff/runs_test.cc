// Runs of plain rows, whose strings and nullable numbers are decoded while they are walked over:
// against the checked path, over the ends of blocks, batches and buffers.

#include <algorithm>
#include <cstring>
#include <memory>
#include <optional>
#include <random>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

#include "tests/rounds.h"
#include "tests/skiff/memory_stream.h"
#include "tests/skiff/oracle/rows.h"
#include "xwalk/base/error.h"
#include "xwalk/hub/array.h"
#include "xwalk/skiff/row_encoder.h"
#include "xwalk/skiff/values.h"
#include "xwalk/yson/writer.h"

namespace xwalk::skiff {
namespace {

using testing::MemorySource;

constexpr const char* kTable =
    "<strict=%true>[{name=i;type=int64};{name=t;type=utf8};{name=d;type=double;required=%true};"
    "{name=s;type=string;required=%true};{name=n;type=int16};{name=r;type=double};"
    "{name=b;type=boolean};{name=w;type=utf8;required=%true};{name=y;type=any}]";

/// Bytes of rows of that table, and where each begins.
class Made {
 public:
  Made(size_t rows, size_t long_text, uint32_t seed) : random_(seed), long_text_(long_text) {
    for (size_t i = 0; i < rows; ++i) add_row(0);
  }
  Made(size_t rows, uint32_t tables, uint32_t seed) : random_(seed) {
    for (size_t i = 0; i < rows; ++i) add_row(static_cast<uint16_t>(random_() % tables));
  }

  const std::string& bytes() const { return bytes_; }
  std::string* bytes() { return &bytes_; }

 private:
  template <typename Value>
  void put(Value value) {
    char raw[sizeof(Value)];
    std::memcpy(raw, &value, sizeof(value));
    bytes_.append(raw, sizeof(value));
  }
  bool put_tag() {
    const bool here = random_() % 4 != 0;
    put(static_cast<uint8_t>(here ? 1 : 0));
    return here;
  }
  void put_text(std::string_view letter) {
    size_t size = random_() % (random_() % 3 == 0 ? 70 : 14);
    if (long_text_ != 0 && random_() % 5 == 0) size = random_() % long_text_;
    std::string text;
    for (size_t i = 0; i < size; ++i) text += letter;
    put(static_cast<uint32_t>(text.size()));
    bytes_ += text;
  }
  void add_row(uint16_t table) {
    put(table);
    if (put_tag()) put(static_cast<int64_t>(random_()));
    if (put_tag()) put_text("ж");
    put(0.5 * static_cast<double>(random_() % 100));
    put_text("\xff");
    if (put_tag()) put(static_cast<int64_t>(random_() % 1000));
    if (put_tag()) put(0.25);
    if (put_tag()) put(static_cast<uint8_t>(random_() % 2));
    put_text("w");
    if (put_tag()) bytes_.append("\2\0\0\0\1\0", 6);
  }

  std::mt19937_64 random_;
  size_t long_text_ = 0;
  std::string bytes_;
};

struct Outcome {
  /// Bytes of the rows of each table, written again.
  std::vector<std::string> written;
  std::optional<uint64_t> bad_row;
  std::string message;
};

void note(const Error& error, Outcome* outcome) {
  outcome->bad_row = error.place().row;
  outcome->message = error.place().path.text() + ": " + error.what();
}

/// Reads and writes by trees.
Outcome checked(const Schema& schema, std::string_view bytes) {
  Outcome outcome;
  outcome.written.resize(schema.format.tables.size());
  const std::vector<BoundTable> tables = bind(schema, Flow::Write);
  std::vector<RowWriter> writers;
  for (size_t i = 0; i < tables.size(); ++i) {
    writers.emplace_back(std::vector<BoundTable>{tables[i]}, &outcome.written[i]);
  }
  Input input(bytes);
  RowReader reader(bind(schema, Flow::Read), input);
  try {
    while (std::optional<Row> row = reader.next()) {
      const uint32_t table = std::exchange(row->table, 0);
      writers[table].write(*row);
    }
  } catch (const Error& error) {
    note(error, &outcome);
  }
  return outcome;
}

Outcome by_runs(const Schema& schema, std::string_view bytes, int64_t batch_rows, size_t step) {
  Outcome outcome;
  outcome.written.resize(schema.format.tables.size());
  std::vector<RowEncoder> encoders;
  for (uint32_t i = 0; i < schema.format.tables.size(); ++i) {
    encoders.emplace_back(schema, WriteOptions{.table = i});
  }
  ReadOptions options;
  options.batch_rows = batch_rows;
  try {
    TablesReader reader(std::make_unique<MemorySource>(bytes, step), schema, options);
    while (std::optional<TableBatch> found = reader.next()) {
      EXPECT_LE(found->batch.rows(), batch_rows);
      yson::Buffer out;
      encoders[found->table].encode(found->batch.array, 0, found->batch.rows(), 0, 0, &out);
      std::string rows(out.view());
      outcome.written[found->table] += rows;
    }
  } catch (const Error& error) {
    note(error, &outcome);
  }
  return outcome;
}

/// Each row of a table alone has the tag 0.
Schema alike_tables(size_t count) {
  Schema one = parse_schema(kTable);
  for (size_t i = 1; i < count; ++i) {
    one.format.tables.push_back(one.format.tables[0]);
    one.table_schemas.push_back(one.table_schemas[0]);
  }
  return one;
}

TEST(Runs, BatchesOfAnyRowsHoldTheSameValues) {
  const Schema schema = alike_tables(1);
  const Made made(3000, size_t{0}, 1);
  for (int64_t batch_rows : {1, 15, 16, 17, 100, 257, 1000, 16384}) {
    const Outcome found = by_runs(schema, made.bytes(), batch_rows, 0);
    EXPECT_EQ(found.message, "");
    EXPECT_TRUE(found.written[0] == made.bytes()) << batch_rows;
  }
}

TEST(Runs, BuffersMayEndAnywhere) {
  const Schema schema = alike_tables(1);
  const Made made(400, size_t{0}, 2);
  for (size_t step : {1, 3, 100, 4096, 10'000}) {
    const Outcome found = by_runs(schema, made.bytes(), 16384, step);
    EXPECT_EQ(found.message, "");
    EXPECT_TRUE(found.written[0] == made.bytes()) << step;
  }
}

TEST(Runs, LongStringsEndTheBlock) {
  const Schema schema = alike_tables(1);
  for (size_t long_text : {1000, 20'000, 40'000, 90'000, 400'000}) {
    const Made made(60, long_text, 3);
    const Outcome found = by_runs(schema, made.bytes(), 150, 0);
    EXPECT_EQ(found.message, "");
    EXPECT_TRUE(found.written[0] == made.bytes()) << long_text;
  }
}

TEST(Runs, RowsOfTablesMayTakeTurns) {
  const Schema schema = alike_tables(3);
  const Made made(2000, uint32_t{3}, 4);
  const Outcome expected = checked(schema, made.bytes());
  EXPECT_EQ(expected.message, "");
  const Schema alone = alike_tables(1);
  Outcome found = by_runs(schema, made.bytes(), 300, 0);
  EXPECT_EQ(found.message, "");
  for (size_t table = 0; table < 3; ++table) {
    // Written by the encoder of the table, whose rows say its index.
    const Outcome again = checked(schema, found.written[table]);
    EXPECT_EQ(again.message, "");
    EXPECT_TRUE(again.written[table] == expected.written[table]) << table;
  }
}

TEST(Runs, DamagedRowsAreRefusedInTheSameWords) {
  const Schema schema = alike_tables(1);
  std::mt19937_64 random(5);
  for (size_t round = 0; round < test::rounds(500); ++round) {
    Made made(20 + random() % 40, size_t{0}, static_cast<uint32_t>(round));
    std::string* bytes = made.bytes();
    const size_t at = random() % bytes->size();
    const char value = static_cast<char>(random());
    switch (random() % 4) {
      case 0:
        (*bytes)[at] = value;
        break;
      case 1:
        (*bytes)[at] = static_cast<char>(random() % 4);
        break;
      case 2:
        bytes->erase(at, 1 + random() % 9);
        break;
      default:
        bytes->resize(at);
        break;
    }
    const Outcome expected = checked(schema, *bytes);
    const Outcome found = by_runs(schema, *bytes, round % 2 == 0 ? 16384 : 30, 0);
    ASSERT_EQ(expected.message, found.message) << round;
    ASSERT_EQ(expected.bad_row, found.bad_row) << round;
    const bool same = !expected.message.empty() || expected.written == found.written;
    ASSERT_TRUE(same) << round;
  }
}

TEST(Runs, AWrongTagLeadsPastNothing) {
  const Schema schema = parse_schema(
      "<strict=%true>[{name=a;type=utf8};{name=b;type=utf8};{name=c;type=int64};{name=d;type=utf8}"
      "]");
  for (const int tag : {2, 3, 0x40, 0x7f, 0x80, 0xfc, 0xff}) {
    for (int size = 0; size < 256; size += 3) {
      std::string bytes;
      for (int row = 0; row < 4; ++row) bytes += std::string(6, '\0');
      bytes += std::string(2, '\0');
      // Wherever the tag leads to, the next field looks the same.
      while (bytes.size() < 24 + 190) {
        bytes += static_cast<char>(tag);
        bytes += static_cast<char>(size);
        bytes += std::string(3, '\0');
      }
      // No readable bytes follow them.
      const std::vector<char> exact(bytes.begin(), bytes.end());
      const std::string_view all(exact.data(), exact.size());
      const Outcome expected = checked(schema, all);
      const Outcome found = by_runs(schema, all, 16384, 0);
      ASSERT_EQ(expected.message, found.message) << tag << " " << size;
      ASSERT_EQ(found.bad_row, 4u) << tag << " " << size;
    }
  }
}

TEST(Runs, BadTextIsKeptOutOfItsColumn) {
  const Schema schema = parse_schema("<strict=%true>[{name=a;type=utf8};{name=b;type=utf8}]");
  std::string bytes;
  auto text = [&](std::string_view value) {
    bytes += std::string("\1", 1) + static_cast<char>(value.size()) + std::string(3, '\0');
    bytes += value;
  };
  // The halves of a letter in two rows: together they would be one.
  for (int row = 0; row < 100; ++row) {
    bytes += std::string(2, '\0');
    text(row == 40 ? "x\xd0" : row == 41 ? "\xb6y" : "good");
    text("good");
  }
  ReadOptions options;
  options.skip_bad_rows = true;
  auto reader = read_rows(std::make_unique<MemorySource>(bytes, 0), schema, options);
  std::optional<hub::Batch> batch = reader->next();
  ASSERT_TRUE(batch);
  ASSERT_EQ(batch->rows(), 100);
  ASSERT_EQ(batch->bad.size(), 2u);
  EXPECT_EQ(batch->bad[0].index, 40);
  EXPECT_EQ(batch->bad[1].index, 41);
  EXPECT_EQ(batch->bad[0].error.place().path.text(), "a");
  EXPECT_EQ(batch->array.children[0].text(39), "good");
  EXPECT_EQ(batch->array.children[0].text(40), "  ");
  EXPECT_EQ(batch->array.children[0].text(41), "  ");
  EXPECT_EQ(batch->array.children[0].text(42), "good");
}

}  // namespace
}  // namespace xwalk::skiff
