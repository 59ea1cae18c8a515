// The columnar reader against the oracle: random tables, their bytes, and damaged bytes.

#include "xwalk/skiff/values.h"

#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

#include "tests/rounds.h"
#include "tests/skiff/memory_stream.h"
#include "tests/skiff/oracle/rows.h"
#include "tests/skiff/random_rows.h"
#include "xwalk/base/error.h"
#include "xwalk/base/hex.h"
#include "xwalk/hub/array.h"
#include "xwalk/skiff/binding.h"
#include "xwalk/skiff/hub.h"
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
    outcome.message = error.describe();
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
    outcome.message = error.describe();
  }
  return outcome;
}

TEST(Values, RandomTablesGoThroughArrowUnchanged) {
  for (uint32_t seed = 0; seed < test::rounds(100); ++seed) {
    testing::RandomTable table(seed);
    std::string bytes = table.bytes(1 + seed % 20 * 60);
    Outcome checked = read_checked(table.schema(), bytes);
    ASSERT_FALSE(checked.bad_row) << checked.message;
    EXPECT_EQ(to_hex(decode_to_bytes(table.schema(), bytes, 0)), to_hex(bytes))
        << seed << " " << print(table.schema(), SchemaForm::File);
    EXPECT_EQ(to_hex(decode_to_bytes(table.schema(), bytes, 7)), to_hex(bytes)) << seed;
  }
}

/// Rows of one column of binary YSON: null, 5 and null.
std::string with_yson_at(std::string_view before, std::string_view after) {
  std::string out;
  for (const char* value : {"0100000023", "02000000020a", "0100000023"}) {
    out += std::string(2, '\0') + from_hex(before) + from_hex(value) + from_hex(after);
  }
  return out;
}

TEST(Values, TheEntityOfABareYsonIsNullAtAnyDepth) {
  struct Case {
    const char* wire;
    const char* before;
    const char* after;
    /// The same wire types with an optional around the YSON.
    const char* optional;
  };
  const Case cases[] = {
      {"'v':yson32", "", "", "'v':variant8<nothing;yson32>"},
      {"'v':tuple<yson32;int8>", "", "07", "'v':tuple<variant8<nothing;yson32>;int8>"},
      {"'v':tuple<'a':int8;'b':yson32>", "07", "",
       "'v':tuple<'a':int8;'b':variant8<nothing;yson32>>"},
      {"'v':repeated_variant8<yson32>", "00", "ff",
       "'v':repeated_variant8<variant8<nothing;yson32>>"},
      {"'v':variant8<int8;yson32>", "01", "", "'v':variant8<int8;variant8<nothing;yson32>>"},
      {"'v':variant8<'a':int8;'b':yson32>", "01", "",
       "'v':variant8<'a':int8;'b':variant8<nothing;yson32>>"},
      {"'v':variant8<nothing;tuple<yson32>>", "01", "",
       "'v':variant8<nothing;tuple<variant8<nothing;yson32>>>"},
      {"'v':repeated_variant8<tuple<string32;yson32>>",
       "0001000000"
       "6b",
       "ff", "'v':repeated_variant8<tuple<string32;variant8<nothing;yson32>>>"},
  };
  for (const Case& test : cases) {
    SCOPED_TRACE(test.wire);
    const auto schema_of = [](const char* wire) {
      return parse_schema("tuple<" + std::string(wire) + ">\n");
    };
    const Schema bare = schema_of(test.wire);
    const Schema optional = schema_of(test.optional);
    const std::string bytes = with_yson_at(test.before, test.after);
    EXPECT_EQ(natural_type(bare.format.tables[0]), natural_type(optional.format.tables[0]));
    EXPECT_EQ(read_checked(bare, bytes).message, "");
    EXPECT_EQ(to_hex(decode_to_bytes(bare, bytes, 0)), to_hex(bytes));
    // Written with an optional, the entities are its tag of null.
    std::string expected =
        std::string(2, '\0') + from_hex(test.before) + std::string(1, '\0') + from_hex(test.after);
    expected += std::string(2, '\0') + from_hex(test.before) + from_hex("0102000000020a") +
                from_hex(test.after) + expected;
    std::string written;
    auto reader = read_rows(std::make_unique<MemorySource>(bytes, 1), bare);
    auto writer = write_rows(std::make_unique<testing::MemorySink>(&written), optional);
    while (std::optional<hub::Batch> batch = reader->next()) writer->write(std::move(*batch));
    EXPECT_EQ(to_hex(written), to_hex(expected));
    // An entity after the tag of a value is the same null.
    const std::string tagged = with_yson_at(std::string(test.before) + "01", test.after);
    std::string untagged;
    auto again = read_rows(std::make_unique<MemorySource>(tagged, 1), optional);
    auto bare_writer = write_rows(std::make_unique<testing::MemorySink>(&untagged), bare);
    while (std::optional<hub::Batch> batch = again->next()) bare_writer->write(std::move(*batch));
    EXPECT_EQ(to_hex(untagged), to_hex(bytes));
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

TEST(Values, TheFirstBadRowOfSeveralTablesIsTold) {
  const Schema schema = parse_schema("tuple<'a':boolean>\ntuple<'b':boolean>\n");
  const std::string bytes = {1, 0, 7, 0, 0, 1, 0, 0, 9};
  const Outcome checked = read_checked(schema, bytes);
  const Outcome fast = read_fast(schema, bytes, 0);
  EXPECT_EQ(checked.bad_row, 0u);
  EXPECT_EQ(fast.bad_row, 0u);
  EXPECT_EQ(fast.message, checked.message);
}

TEST(Values, EveryPrematureEndIsRefused) {
  for (uint32_t seed = 0; seed < test::rounds(12); ++seed) {
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

/// A table of lists, whose rows have lists of 0, 1, 2… items.
struct Lists {
  Schema schema = parse_schema(
      "<strict=%true>[{name=a;type_v3={type_name=list;item=int64}};"
      "{name=b;type_v3={type_name=optional;item={type_name=list;item={type_name=struct;members=["
      "{name=x;type=utf8};{name=y;type={type_name=optional;item=int32}}]}}}};"
      "{name=c;type_v3={type_name=list;item={type_name=list;item=bool}}};"
      "{name=d;type_v3={type_name=dict;key=string;value={type_name=optional;item=double}}};"
      "{name=e;type_v3={type_name=struct;members=[{name=p;type=int16};"
      "{name=q;type={type_name=struct;members=[{name=r;type=utf8};"
      "{name=s;type={type_name=list;item=date}}]}}]}}]");
  std::string bytes;
  std::vector<size_t> ends;

  Lists(size_t rows, size_t longest) {
    using yson::Node;
    RowWriter writer(bind(schema, Flow::Write), &bytes);
    auto list = [](size_t count, const auto& make) {
      Node node = Node::list();
      for (size_t i = 0; i < count; ++i) node.add(make(i));
      return node;
    };
    auto integer = [](size_t i) { return Node::int64(static_cast<int64_t>(i) - 3); };
    auto pair = [](Node first, Node second) {
      Node node = Node::list();
      node.add(std::move(first));
      node.add(std::move(second));
      return node;
    };
    for (size_t row = 0; row < rows; ++row) {
      const size_t count = row % (longest + 1);
      Row values;
      values.columns.add("a", list(count, integer));
      if (row % 3 != 1) {
        values.columns.add("b", list((count + 1) % 11, [&](size_t i) {
                             return pair(Node::string(std::string(i, 'b')),
                                         i % 2 == 0 ? Node() : integer(i));
                           }));
      }
      values.columns.add("c", list(count % 5, [&](size_t i) {
                           return list((count + i) % 19,
                                       [](size_t k) { return Node::boolean(k % 2 == 0); });
                         }));
      values.columns.add("d", list(count % 4, [&](size_t i) {
                           return pair(Node::string(std::to_string(i)),
                                       i == 1 ? Node() : Node::real(static_cast<double>(i)));
                         }));
      values.columns.add(
          "e",
          pair(integer(row % 9), pair(Node::string(std::string(count % 50, 'r')),
                                      list(count % 9, [](size_t i) { return Node::uint64(i); }))));
      writer.write(values);
      ends.push_back(bytes.size());
    }
  }
};

TEST(Values, ListsOfAnyLengthGoThroughArrowUnchanged) {
  for (const auto& [rows, longest] : {std::pair<size_t, size_t>{700, 20}, {120, 4000}}) {
    const Lists lists(rows, longest);
    EXPECT_EQ(decode_to_bytes(lists.schema, lists.bytes, 0), lists.bytes);
    EXPECT_EQ(decode_to_bytes(lists.schema, lists.bytes, 7), lists.bytes);
  }
}

TEST(Values, RowsOfASliceAreThoseOfTheBatch) {
  const Lists lists(40, 20);
  const auto reader = read_rows(std::make_unique<MemorySource>(lists.bytes, 0), lists.schema);
  const std::optional<hub::Batch> batch = reader->next();
  ASSERT_TRUE(batch);
  std::string out;
  auto writer = write_rows(std::make_unique<testing::MemorySink>(&out), lists.schema);
  hub::Batch tail;
  tail.array = hub::slice(batch->array, 13, 27);
  writer->write(std::move(tail));
  EXPECT_EQ(out, lists.bytes.substr(lists.ends[12]));
}

TEST(Values, DamagedListsAreRefusedAtTheSameRow) {
  const Lists lists(12, 20);
  for (size_t at = 0; at < lists.bytes.size(); at += 5) {
    std::string bytes = lists.bytes;
    for (const char byte : {'\0', '\1', '\2', '\377'}) {
      if (bytes[at] == byte || (at + static_cast<size_t>(byte)) % 3 == 0) continue;
      bytes[at] = byte;
      const Outcome checked = read_checked(lists.schema, bytes);
      const Outcome fast = read_fast(lists.schema, bytes, 0);
      EXPECT_EQ(checked.bad_row, fast.bad_row) << at;
      EXPECT_EQ(checked.message, fast.message) << at;
      EXPECT_TRUE(checked.bad_row || checked.rows == fast.rows) << at;
    }
    const Outcome cut = read_fast(lists.schema, std::string_view(bytes).substr(0, at), 0);
    EXPECT_EQ(cut.bad_row,
              read_checked(lists.schema, std::string_view(bytes).substr(0, at)).bad_row)
        << at;
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
