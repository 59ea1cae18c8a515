#include "xwalk/skiff/row_encoder.h"

#include <memory>
#include <string>
#include <thread>
#include <vector>

#include <gtest/gtest.h>

#include "tests/rounds.h"
#include "tests/skiff/memory_stream.h"
#include "tests/skiff/random_rows.h"
#include "xwalk/base/error.h"
#include "xwalk/hub/filter.h"

namespace xwalk::skiff {
namespace {

using testing::MemorySource;

hub::Batch decode(const Schema& schema, std::string_view bytes) {
  ReadOptions options;
  options.batch_rows = 1 << 20;
  auto reader = read_rows(std::make_unique<MemorySource>(bytes, 0), schema, options);
  return std::move(*reader->next());
}

/// Ends of rows in the bytes of `RandomTable::bytes(rows)`.
std::string_view rows_of(const std::string& bytes, const std::vector<size_t>& ends, size_t begin,
                         size_t end) {
  size_t from = begin == 0 ? 0 : ends[begin - 1];
  size_t to = end == 0 ? 0 : ends[end - 1];
  return std::string_view(bytes).substr(from, to - from);
}

TEST(RowEncoder, AnyRunOfRowsOfABatchIsEncoded) {
  for (uint32_t seed = 0; seed < test::rounds(25); ++seed) {
    testing::RandomTable table(seed);
    std::string bytes = table.bytes(700);
    std::vector<size_t> ends = table.row_ends();
    RowEncoder encoder(table.schema(), {});
    hub::Batch batch = decode(table.schema(), bytes);
    ASSERT_EQ(batch.rows(), 700);
    for (auto [begin, end] : {std::pair<size_t, size_t>{0, 700}, {1, 2}, {255, 258}, {13, 613}}) {
      yson::Buffer out;
      encoder.encode(batch.array, static_cast<int64_t>(begin), static_cast<int64_t>(end), 0, 0,
                     &out);
      EXPECT_TRUE(out.view() == rows_of(bytes, ends, begin, end)) << seed << " " << begin;
    }
  }
}

TEST(RowEncoder, SlicesOfArraysAreEncoded) {
  for (uint32_t seed = 0; seed < test::rounds(25); ++seed) {
    testing::RandomTable table(seed);
    std::string bytes = table.bytes(300);
    std::vector<size_t> ends = table.row_ends();
    RowEncoder encoder(table.schema(), {});
    hub::Batch batch = hub::slice(decode(table.schema(), bytes), 11, 270);
    yson::Buffer out;
    encoder.encode(batch.array, 0, batch.rows(), 0, 0, &out);
    EXPECT_TRUE(out.view() == rows_of(bytes, ends, 11, 281)) << seed;
  }
}

TEST(RowEncoder, SeveralThreadsShareOne) {
  testing::RandomTable table(7);
  std::string bytes = table.bytes(2000);
  RowEncoder encoder(table.schema(), {});
  hub::Batch batch = decode(table.schema(), bytes);
  std::vector<yson::Buffer> outs(4);
  {
    std::vector<std::jthread> threads;
    for (size_t i = 0; i < outs.size(); ++i) {
      threads.emplace_back([&, i] {
        encoder.encode(batch.array, static_cast<int64_t>(i) * 500,
                       static_cast<int64_t>(i + 1) * 500, 0, 0, &outs[i]);
      });
    }
  }
  std::string all;
  for (const yson::Buffer& out : outs) all += out.view();
  EXPECT_TRUE(all == bytes);
}

TEST(RowEncoder, LargeValuesAreCutIntoBlocks) {
  Schema schema = parse_schema("tuple<'a':string32;'b':variant8<nothing;string32>;'c':int64>\n");
  std::string bytes;
  for (int i = 0; i < 40; ++i) {
    auto text = [&](size_t size) {
      auto length = static_cast<uint32_t>(size);
      bytes.append(static_cast<const char*>(static_cast<const void*>(&length)), sizeof(length));
      bytes.append(size, static_cast<char>('a' + i % 26));
    };
    bytes.append(2, '\0');
    text(i % 7 == 0 ? size_t{5} << 20 : 3);
    bytes.push_back(i % 2 == 0 ? 1 : 0);
    if (i % 2 == 0) text(size_t{1} << 20);
    bytes.append(8, static_cast<char>(i));
  }
  EXPECT_TRUE(testing::decode_to_bytes(schema, bytes, 0) == bytes);
  EXPECT_TRUE(testing::decode_to_bytes(schema, bytes, 100000) == bytes);
}

TEST(RowEncoder, UnderANullNothingIsWritten) {
  Schema schema = parse_schema("<strict=%true>[{name=a;type=int64};{name=t;type=utf8}]");
  std::string bytes;
  for (int i = 0; i < 600; ++i) {
    bytes.append(2, '\0');
    bytes.append(i % 3 == 0 ? std::string(1, '\0') : "\x01" + std::string(8, 'x'));
    bytes.append(i % 5 == 0 ? std::string(1, '\0') : std::string("\x01\x02\0\0\0hi", 7));
  }
  EXPECT_TRUE(testing::decode_to_bytes(schema, bytes, 0) == bytes);
}

TEST(RowEncoder, NullIsWrittenAsYson) {
  Schema schema;
  yt::TableSchema table;
  table.columns.emplace_back("a", yt::TypeKind::Void);
  schema.table_schemas.push_back(table);
  schema.format.tables.push_back(parse_short("tuple<'a':yson32>"));
  const std::string bytes("\0\0\1\0\0\0#", 7);
  EXPECT_EQ(testing::decode_to_bytes(schema, bytes, 0), bytes);
}

TEST(RowEncoder, AValueOfAnyTypeIsNotDropped) {
  // The same table in two formats, the second of which has no bytes for a value.
  Schema whole;
  yt::TableSchema table;
  table.columns.emplace_back("a", yt::optional(yt::TypeKind::Yson));
  whole.table_schemas.push_back(table);
  Schema empty = whole;
  whole.format.tables.push_back(parse_short("tuple<'a':variant8<nothing;yson32>>"));
  empty.format.tables.push_back(parse_short("tuple<'a':nothing>"));
  const RowEncoder encoder(empty, {});
  yson::Buffer out;
  const hub::Batch null = decode(whole, std::string(3, '\0'));
  encoder.encode(null.array, 0, 1, 0, 0, &out);
  EXPECT_EQ(out.view(), std::string_view("\0\0", 2));
  const hub::Batch value = decode(whole, std::string("\0\0\1\1\0\0\0001", 8));
  EXPECT_THROW(encoder.encode(value.array, 0, 1, 0, 0, &out), Error);
}

TEST(RowEncoder, ANullAmongEntriesIsRefused) {
  const Schema schema = parse_schema(
      "<strict=%true>[{name=d;type_v3={type_name=dict;key={type_name=optional;item=int64};"
      "value={type_name=optional;item=int64}}}]");
  hub::Batch batch = decode(schema, std::string("\0\0\0\0\0\xff", 6));
  const RowEncoder encoder(schema, {});
  yson::Buffer out;
  encoder.encode(batch.array, 0, 1, 0, 0, &out);
  EXPECT_EQ(out.view(), std::string_view("\0\0\0\0\0\xff", 6));
  // A null entry is not an entry of nulls.
  const uint8_t none = 0;
  hub::Array& entries = batch.array.children[0].children[0];
  entries.null_count = 1;
  entries.buffers[0] = &none;
  EXPECT_THROW(encoder.encode(batch.array, 0, 1, 0, 0, &out), Error);
}

}  // namespace
}  // namespace xwalk::skiff
