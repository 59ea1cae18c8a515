#include "xwalk/yson/row_splitter.h"

#include <algorithm>
#include <random>
#include <string>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/yson/random_node.h"
#include "tests/yson/scanned_items.h"
#include "xwalk/yson/parse.h"
#include "xwalk/yson/print.h"

namespace xwalk::yson {
namespace {

using std::string_literals::operator""s;

/// Hands out at most `step` bytes a read, or the contents at once where step is 0.
class StringSource : public ByteSource {
 public:
  StringSource(std::string bytes, size_t step) : bytes_(std::move(bytes)), step_(step) {}
  size_t read(char* out, size_t size) override {
    size_t count = std::min({size, step_, bytes_.size() - position_});
    std::copy_n(bytes_.data() + position_, count, out);
    position_ += count;
    return count;
  }
  const std::string& name() const override { return name_; }
  std::optional<std::string_view> contents() override {
    if (step_ == 0) return bytes_;
    return std::nullopt;
  }
  uint64_t position() const override { return position_; }

 private:
  std::string bytes_;
  std::string name_ = "test";
  size_t step_;
  size_t position_ = 0;
};

std::vector<RowChunk> split(StringSource* source, size_t chunk_bytes,
                            uint64_t chunk_items = UINT64_MAX) {
  RowSplitter splitter(source, {.chunk_bytes = chunk_bytes, .chunk_items = chunk_items});
  std::vector<RowChunk> chunks;
  RowChunk chunk;
  while (splitter.next(&chunk)) chunks.push_back(chunk);
  EXPECT_FALSE(splitter.next(&chunk));
  return chunks;
}

TEST(RowSplitter, ChunksHaveFewItemsWhereFewAreWanted) {
  std::string stream;
  for (int i = 0; i < 20'000; ++i) stream += i % 3 == 0 ? "{};" : "{a=" + std::to_string(i) + "};";
  for (const size_t step : {0UL, 7UL, 100'000UL}) {
    StringSource source(stream, step);
    std::string all;
    uint64_t items = 0;
    for (const RowChunk& chunk : split(&source, size_t{1} << 16, 100)) {
      EXPECT_EQ(chunk.first_item, items);
      // Other items in the kilobyte of the last one are included.
      EXPECT_LE(chunk.items, 100U + 1024 / 3 + 64);
      items += chunk.items;
      all += chunk.bytes;
    }
    EXPECT_EQ(items, 20'000U);
    EXPECT_EQ(all, stream);
  }
}

/// Checks that chunks are whole items in order, for any sizes of reads and chunks.
void check_split(const std::string& stream, const std::vector<Node>& items, size_t step,
                 size_t chunk_bytes) {
  StringSource source(stream, step);
  std::vector<Node> found;
  uint64_t offset = 0;
  std::vector<RowChunk> chunks = split(&source, chunk_bytes);
  for (const RowChunk& chunk : chunks) {
    ASSERT_EQ(chunk.offset, offset);
    ASSERT_EQ(chunk.first_item, found.size());
    ASSERT_EQ(stream.substr(offset, chunk.bytes.size()), chunk.bytes);
    if (!chunk.binary) {
      Place place = place_in_text(stream, offset);
      ASSERT_EQ(chunk.line, place.line);
      ASSERT_EQ(chunk.column, place.column);
    }
    offset += chunk.bytes.size();
    std::vector<Node> part = parse_list_fragment(chunk.bytes);
    ASSERT_EQ(part.size(), chunk.items);
    found.insert(found.end(), part.begin(), part.end());
  }
  ASSERT_TRUE(found == items) << step << " " << chunk_bytes;
}

void check_every_split(const std::string& stream, const std::vector<Node>& items) {
  for (size_t step : {0, 1, 7, 64, 100000}) {
    for (size_t chunk_bytes : {1, 64, 100, 1000, 1 << 20}) {
      check_split(stream, items, step, chunk_bytes);
    }
  }
}

void check_every_split(const std::string& stream) {
  check_every_split(stream, parse_list_fragment(stream));
}

TEST(RowSplitter, EndsAtAZeroByteAndSaysWhere) {
  const std::string stream = "1;2\0;{{{"s;
  check_every_split(stream, parse_list_fragment("1;2"));
  StringSource source(stream, 1);
  RowSplitter splitter(&source, {});
  RowChunk chunk;
  while (splitter.next(&chunk)) {
  }
  EXPECT_EQ(splitter.zero_byte(), 3U);
}

TEST(RowSplitter, KeepsWhatLooksLikeABoundaryInside) {
  const std::string streams[] = {
      "",
      " \n ",
      "1",
      "1;",
      "1;2;3;\n",
      "{a=\"}];\n\\\";\\\\\";b=[1;{c=<d=1>2}]};\n{};\n[];#;",
      "\"" + std::string(1000, '\\') + "\";1;",
      "\"" + std::string(63, 'a') + "\";2;",
      "\"" + std::string(62, 'a') + "\\\"\";2;",
      "\"" + std::string(300, ';') + "\";{a=" + std::string(300, 'w') + "};3",
      "{\x01\x0a"s + "};\"[;=\x02\x3b;b=\x06\x7d;c=\x03;;;;}}}};d=\x05};\x01\x02;;" + "2;",
      "\x02\x80\x80\x01;\x02\xbb\x3b;",
      "<table_index=1>#;{a=1};<row_index=10>#;",
      "{a=\"\x01\x02\x00;\"};2;"s,
      "\x01\x02"s + "x;" + std::string(200, ' ') + "{a=\"text; after binary}\"};\x05;" +
          std::string(40, ' ') + "\"q;\";",
  };
  for (const std::string& stream : streams) {
    SCOPED_TRACE(stream);
    check_every_split(stream);
  }
}

TEST(RowSplitter, AgreesWithTheParserOnRandomStreams) {
  testing::RandomNode random(42);
  for (int i = 0; i < 60; ++i) {
    std::string stream;
    std::vector<Node> items;
    for (uint64_t n = random.below(60); n > 0; --n) {
      items.push_back(random());
      auto format =
          static_cast<Format>(i % 4 == 3 ? random.below(3) : static_cast<uint64_t>(i % 4));
      stream += print_list_fragment({items.back()}, format);
      stream.append(random.below(5), ' ');
    }
    for (size_t step : {size_t{0}, size_t{1}, size_t{1 + random.below(200)}}) {
      check_split(stream, items, step, 64);
      check_split(stream, items, step, 1 + random.below(3000));
    }
  }
}

/// Writes binary rows, most of them flat and alike.
class RandomRows {
 public:
  explicit RandomRows(uint32_t seed) : random_(seed) {}

  uint32_t below(uint32_t count) { return random_() % count; }

  std::string operator()(uint32_t rows) {
    const uint32_t columns = 1 + below(12);
    std::vector<std::string> keys;
    std::vector<uint32_t> kinds;
    for (uint32_t i = 0; i < columns; ++i) {
      keys.push_back(string(below(20) == 0 ? 60 + below(10) : below(12)));
      kinds.push_back(below(8));
    }
    std::string stream;
    for (uint32_t row = 0; row < rows; ++row) {
      if (below(100) == 0) stream += "<table_index=1>#;";
      stream += "{";
      for (uint32_t i = 0; i < columns; ++i) {
        if (below(100) == 0) continue;
        stream += keys[below(100) == 0 ? below(columns) : i] + "=";
        stream += value(below(20) == 0 ? below(14) : kinds[i]);
        if (i + 1 < columns || below(10) != 0) stream += ";";
      }
      stream += below(30) == 0 ? "};\n" : "};";
    }
    return stream;
  }

 private:
  std::string string(size_t size) {
    return print(Node::string(std::string(size, '}')), Format::Binary);
  }
  /// A varint of 1 to 10 bytes.
  std::string varint() {
    std::string bytes(below(10), static_cast<char>(0x80 | below(0x80)));
    return bytes + static_cast<char>(below(0x80));
  }
  std::string value(uint32_t kind) {
    switch (kind) {
      case 0:
      case 1:
        return (kind == 0 ? "\x02"s : "\x06"s) + varint();
      case 2:
        return "\x03;}{\x01\x02<\"\xff"s;
      case 3:
        return below(2) == 0 ? "\x04"s : "\x05"s;
      case 4:
      case 5:
        return string(below(62));
      case 6:
        return string(kind + below(5) * 31);
      case 7:
        return "#";
      case 8:
        return string(below(3) == 0 ? 9000 : 62 + below(4));
      case 9:
        return "[" + value(below(8)) + ";{" + string(1) + "=" + value(below(8)) + ";}]";
      case 10:
        return "<" + string(2) + "=" + value(below(8)) + ";>" + value(below(8));
      case 11:
        return "\"text; }\\\" \"";
      case 12:
        return std::string(below(50), ' ') + "-12";
      default:
        return "%true";
    }
  }

  std::mt19937 random_;
};

void check_scan(const std::string& stream) {
  ASSERT_TRUE(testing::scan_at_once(stream) == testing::scan_byte_by_byte(stream))
      << ::testing::PrintToString(stream);
}

TEST(RowSplitter, TakesFieldsAsTokenByToken) {
  RandomRows rows(7);
  for (int i = 0; i < 300; ++i) {
    const std::string stream = rows(1 + rows.below(60));
    check_scan(stream);
    check_scan(stream.substr(0, rows.below(static_cast<uint32_t>(stream.size()))));
    std::string damaged = stream;
    for (int changes = 0; changes < 3; ++changes) {
      damaged[rows.below(static_cast<uint32_t>(damaged.size()))] =
          "\x00\x01\x02\x03\x05\x06\x7f\x80\xff;=[]{}<>#\""[rows.below(19)];
      check_scan(damaged);
    }
  }
}

TEST(RowSplitter, TakesHostileFieldsAsTokenByToken) {
  const std::string values[] = {
      "\x02"s + std::string(9, '\xff') + "\x01",   // 2^64 - 1
      "\x02"s + std::string(9, '\xff') + "\x7f",   // bits beyond the 64th
      "\x02"s + std::string(10, '\xff') + "\x01",  // no varint
      "\x06"s + std::string(9, '\x80') + std::string(1, '\0'),
      "\x01\x03",                                      // a length of -2
      "\x01\xff\xff\xff\xff\xff\xff\xff\xff\xff\x01",  // and others
      "\x01\xfe\xff\xff\xff\xff\xff\xff\xff\xff\x01",
      "\x01\xfe\xff\xff\xff\x0f",
      "\x01\xfe\xff\xff\xff\x1f",  // 32 bits of it count
      "\x01\x86\x80\x80\x80\x10"s + "ab}",
      "\x01\x86\x80\x80\x80\x80\x80\x80\x80\x80"s + std::string(1, '\0') + "ab}",
      "\x01" + std::string(10, '\x80'),
      "\x03;;",
      "\x07",
      "\0"s,
      "",
      ">",
      "}}}};;{{",
  };
  const std::string field =
      "\x01\x02"
      "a=\x02\x04;";
  for (const std::string& value : values) {
    std::string flat;
    for (int i = 0; i < 40; ++i)
      flat += "{" + field + "\x01\x04zz=" + (i == 20 ? value : "#") + ";};";
    check_scan(flat);
    for (size_t cut = 0; cut < flat.size(); cut += 3) check_scan(flat.substr(0, cut));
    // Deep, and in keys.
    std::string deep = std::string(300, '[') + "{" + value + "=" + field;
    for (int i = 0; i < 40; ++i) deep += field;
    check_scan(deep + field + value + deep + std::string(700, ']') + flat);
  }
}

TEST(RowSplitter, StopsWhereTokenByTokenDoes) {
  RandomRows rows(8);
  for (int i = 0; i < 100; ++i) {
    std::string stream;
    while (stream.size() < 2000) stream += "{" + rows(1).substr(1);
    const size_t stop = 1 + rows.below(1900);
    ItemScanner fast;
    fast.scan(stream.data(), stop, stream.size(), false);
    ItemScanner slow;
    while (slow.position() < stop) {
      slow.scan(stream.data(), slow.position() + 1, stream.size(), false);
    }
    ASSERT_TRUE(testing::found_by(fast) == testing::found_by(slow))
        << stop << ::testing::PrintToString(stream);
  }
}

TEST(RowSplitter, KeepsLongRowsWhole) {
  std::string row = "{a=[";
  for (int i = 0; i < 20000; ++i) row += "\"some text; with ] in it\";";
  row += "]};";
  check_every_split(row + "1;" + row + "2;");
}

TEST(RowSplitter, ChunksOutliveTheSplitter) {
  std::vector<RowChunk> chunks;
  std::string stream;
  for (int i = 0; i < 5000; ++i) stream += "{id=" + std::to_string(i) + "};\n";
  {
    StringSource source(stream, 4096);
    chunks = split(&source, 1000);
  }
  EXPECT_GT(chunks.size(), 50U);
  std::string joined;
  for (const RowChunk& chunk : chunks) joined += chunk.bytes;
  EXPECT_TRUE(joined == stream);
}

TEST(RowSplitter, UsesMemoryOfTheSource) {
  StringSource source("1;2;3;", 0);
  std::vector<RowChunk> chunks = split(&source, 64);
  ASSERT_EQ(chunks.size(), 1U);
  EXPECT_EQ(chunks[0].bytes.data(), source.contents()->data());
  EXPECT_EQ(chunks[0].owner, nullptr);
}

TEST(RowSplitter, HandsOverWhatIsCutShort) {
  // The decoder says what is wrong, with row and place.
  for (const char* stream : {"1;{a=", "1;\"abc", "1;\x01\x80",
                             "1;\x01\x10"
                             "ab",
                             "1;\x03"
                             "ab"}) {
    for (size_t step : {0, 1, 1000}) {
      StringSource source(stream, step);
      std::string joined;
      uint64_t items = 0;
      for (const RowChunk& chunk : split(&source, 64)) {
        joined += chunk.bytes;
        items += chunk.items;
      }
      EXPECT_EQ(joined, stream);
      EXPECT_EQ(items, 2U);
      EXPECT_THROW(parse_list_fragment(joined), Error);
    }
  }
}

TEST(RowSplitter, RefusesRowsAboveTheLimit) {
  const std::string streams[] = {
      "1;2;\"" + std::string(100000, 'x') + "\";", "1;2;" + std::string(100000, '['),
      "1;2;\x01\xfe\xff\xff\xff\x0f"
      "abc",  // a length of 2^31 - 1
  };
  for (const std::string& stream : streams) {
    for (size_t step : {0, 100}) {
      StringSource source(stream, step);
      RowSplitter splitter(&source, {.chunk_bytes = 64, .max_item_bytes = 10000});
      RowChunk chunk;
      try {
        while (splitter.next(&chunk)) {
        }
        FAIL();
      } catch (const Error& error) {
        EXPECT_THAT(error.message(),
                    ::testing::HasSubstr("expected a row of at most 10000 bytes, found one of"));
        EXPECT_EQ(error.place().byte, 4U);
        EXPECT_EQ(error.place().row, 2U);
      }
    }
  }
}

TEST(RowSplitter, GivesPlacesInTheStream) {
  StringSource source("{a=1};\n{b=2};\n{c=oops!};\n", 1);
  std::vector<RowChunk> chunks = split(&source, 1);
  const RowChunk& chunk = chunks.back();
  size_t at = chunk.bytes.find('!');
  Place place = place_in_chunk(chunk, at);
  EXPECT_EQ(place.line, 3U);
  EXPECT_EQ(place.column, 8U);
  EXPECT_EQ(place.byte, 21U);

  StringSource binary("\x05;\x04;", 1);
  place = place_in_chunk(split(&binary, 1).back(), 0);
  EXPECT_FALSE(place.line);
}

}  // namespace
}  // namespace xwalk::yson
