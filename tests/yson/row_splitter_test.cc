#include "xwalk/yson/row_splitter.h"

#include <algorithm>
#include <random>
#include <string>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/yson/random_node.h"
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

std::vector<RowChunk> split(StringSource* source, size_t chunk_bytes) {
  RowSplitter splitter(source, {.chunk_bytes = chunk_bytes});
  std::vector<RowChunk> chunks;
  RowChunk chunk;
  while (splitter.next(&chunk)) chunks.push_back(chunk);
  EXPECT_FALSE(splitter.next(&chunk));
  return chunks;
}

/// Checks that chunks are whole items in order, whatever the reads and the chunk size.
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
