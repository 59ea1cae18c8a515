#include <fstream>
#include <string>
#include <vector>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "tests/yson/random_node.h"
#include "xwalk/base/error.h"
#include "xwalk/io/bytes/sink.h"
#include "xwalk/io/formats/file_ranges.h"
#include "xwalk/io/formats/format.h"
#include "xwalk/io/formats/yson_rows.h"
#include "xwalk/io/places/open_input.h"
#include "xwalk/io/rows/file_range.h"
#include "xwalk/yson/print.h"
#include "xwalk/yt/forms.h"

namespace xwalk::io {
namespace {

const yt::TableSchema& schema() {
  static const yt::TableSchema kSchema =
      yt::parse_table_schema("[{name=id;type=int64;required=%true};{name=v;type=any}]");
  return kSchema;
}

class PartTest : public ::testing::Test {
 protected:
  std::string write(const std::string& name, const std::string& bytes) {
    std::string path = ::testing::TempDir() + "xwalk_part_" + name;
    std::ofstream(path, std::ios::binary) << bytes;
    return path;
  }
};

/// Rows as binary YSON, which says everything that was read.
std::string rows_of(SplitReader& reader, uint64_t* next_row) {
  std::string out;
  yt::ValueOptions binary;
  binary.format = yson::Format::Binary;
  auto writer = write_yson(memory_sink(&out), schema(), binary);
  while (std::optional<hub::Batch> batch = reader.next()) {
    EXPECT_EQ(static_cast<uint64_t>(batch->first_row), *next_row);
    *next_row += static_cast<uint64_t>(batch->rows());
    writer->write(std::move(*batch));
  }
  writer->finish();
  return out;
}

std::string read(const std::string& path, const std::optional<Part>& part, uint64_t* next_row) {
  auto reader = read_yson(open_source(path), schema(), {}, part);
  return rows_of(*reader, next_row);
}

/// A string in quotes as people and other writers leave it: with what is special unescaped.
std::string raw_string(yson::testing::RandomNode* random) {
  static const std::vector<std::string> kPieces = {"\n", ";", "};\n{", "\\\"", "\\\\", "[<", ">]",
                                                   "#",  "=", "\\n",   "%",    "ж",    "a",  "1"};
  std::string out = "\"";
  for (uint64_t left = random->below(20); left-- > 0;) {
    out += kPieces[random->below(kPieces.size())];
  }
  return out + "\"";
}

std::string random_rows(uint64_t seed, bool binary) {
  yson::testing::RandomNode random(seed);
  std::string out;
  const uint64_t rows = 1 + random.below(300);
  for (uint64_t i = 0; i < rows; ++i) {
    out += "{id=" + std::to_string(i) + ";v=";
    switch (random.below(binary ? 3 : 2)) {
      case 0:
        out += raw_string(&random);
        break;
      case 1:
        out += "[<" + raw_string(&random) + "=[1;2]>{" + raw_string(&random) + "=[" +
               raw_string(&random) + ";{}]}]";
        break;
      default:
        out += "[" + yson::print(random(3), yson::Format::Binary) + "]";
    }
    out += random.below(2) == 0 ? "};\n" : " } \n;";
  }
  return out;
}

TEST_F(PartTest, PartsAreTheWhole) {
  for (uint64_t seed = 0; seed < 60; ++seed) {
    const std::string text = random_rows(seed, seed % 2 == 1);
    const std::string path = write("whole.yson", text);
    uint64_t rows = 0;
    const std::string whole = read(path, {}, &rows);
    for (uint64_t bytes : {1, 100, 1000, 5000}) {
      const std::vector<Part> parts = parts_of(path, kYsonRows, bytes);
      std::string joined;
      uint64_t next_row = 0;
      uint64_t next_byte = 0;
      for (const Part& part : parts) {
        ASSERT_EQ(part.first, next_byte);
        ASSERT_EQ(part.first_row, next_row);
        joined += read(path, part, &next_row);
        ASSERT_EQ(next_row, part.first_row + part.rows);
        next_byte += part.count;
      }
      if (parts.empty()) continue;
      ASSERT_GT(parts.size(), 1U);
      ASSERT_EQ(next_row, rows);
      ASSERT_TRUE(joined == whole) << "seed " << seed << ", parts of " << bytes;
    }
  }
}

TEST_F(PartTest, RowsAreCutFromEachOther) {
  std::string many;
  for (int i = 0; i < 1000; ++i) many += "{id=" + std::to_string(i) + ";v=\";\n};\"};\n";
  EXPECT_GT(parts_of(write("many.yson", many), kYsonRows, 1).size(), 100U);
}

TEST_F(PartTest, ErrorsHaveTheirPlaceInTheWhole) {
  std::string text;
  for (int i = 0; i < 500; ++i) text += "{id=" + std::to_string(i) + ";v=\"x;\ny\"};\n";
  for (bool binary : {false, true}) {
    std::string bad = text;
    if (binary) bad.insert(0, "{id=\x02\x02;v=#};");
    bad.insert(bad.find("{id=321;"), "{id=#};");
    const std::string path = write("bad.yson", bad);
    auto failure = [&](const std::optional<Part>& part) {
      uint64_t row = part ? part->first_row : 0;
      try {
        read(path, part, &row);
      } catch (const Error& error) {
        // Lines are not counted after a binary token.
        return binary ? fmt::format("row {} byte {}", *error.place().row, *error.place().byte)
                      : error.describe();
      }
      return std::string();
    };
    const std::string whole = failure({});
    EXPECT_NE(whole.find("row " + std::to_string(321 + (binary ? 1 : 0))), std::string::npos)
        << whole;
    std::string found;
    for (const Part& part : parts_of(path, kYsonRows, 500)) found += failure(part);
    EXPECT_EQ(found, whole);
  }
}

TEST_F(PartTest, LinesOfJsonAreCutAsYsonIs) {
  std::string text = "\xEF\xBB\xBF";
  for (int i = 0; i < 500; ++i) {
    text += fmt::format("{{\"id\":{},\"v\":\"x{}\"}}\n", i, std::string(i % 40, 'y'));
    if (i % 7 == 0) text += " \r\n";
  }
  text.pop_back();
  const auto read_json = [](const std::string& path, const std::optional<Part>& part,
                            uint64_t* next_row) {
    InputOptions options;
    options.format = kJsonRows;
    options.schema = "[{name=id;type=int64;required=%true};{name=v;type=any}]";
    options.part = part;
    const Input input = open_input({path}, options);
    return rows_of(*input.reader, next_row);
  };
  const std::string path = write("lines.jsonl", text);
  uint64_t rows = 0;
  const std::string whole = read_json(path, {}, &rows);
  EXPECT_EQ(rows, 500U);
  for (const uint64_t bytes : {1, 100, 5000}) {
    std::string joined;
    uint64_t next_row = 0;
    uint64_t next_byte = 0;
    for (const Part& part : parts_of(path, kJsonRows, bytes)) {
      ASSERT_EQ(part.first, next_byte);
      ASSERT_EQ(part.first_row, next_row);
      joined += read_json(path, part, &next_row);
      ASSERT_EQ(next_row, part.first_row + part.rows);
      next_byte += part.count;
    }
    EXPECT_EQ(next_byte, text.size());
    EXPECT_TRUE(joined == whole) << bytes;
  }
  // Errors have their place in the whole.
  const std::string bad = text.replace(text.find("\"id\":321"), 8, "\"id\":\"x\"");
  const std::string bad_path = write("bad.jsonl", bad);
  const auto failure = [&](const std::optional<Part>& part) {
    uint64_t row = part ? part->first_row : 0;
    try {
      (void)read_json(bad_path, part, &row);
    } catch (const Error& error) {
      return error.describe();
    }
    return std::string();
  };
  std::string found;
  for (const Part& part : parts_of(bad_path, kJsonRows, 500)) found += failure(part);
  EXPECT_EQ(found, failure({}));
  EXPECT_NE(found.find("row 321"), std::string::npos) << found;
  const std::string control =
      "{\"$value\":null,\"$attributes\":{\"table_index\":1}}\n" + text.substr(3);
  EXPECT_TRUE(parts_of(write("control.jsonl", control), kJsonRows, 100).empty());
}

TEST_F(PartTest, SomeFilesAreReadWhole) {
  std::string rows;
  for (int i = 0; i < 500; ++i) rows += "{id=1;v=<a=1>2};\n";
  EXPECT_GT(parts_of(write("plain.yson", rows), kYsonRows, 100).size(), 10U);
  const std::string entity = "<table_index=1>#;";
  for (size_t at : {size_t{0}, rows.size() / 2, rows.size()}) {
    std::string mixed = rows;
    mixed.insert(at, entity);
    EXPECT_TRUE(parts_of(write("entity.yson", mixed), kYsonRows, 100).empty()) << at;
    mixed = "{id=\x02\x02};" + mixed;
    EXPECT_TRUE(parts_of(write("binary.yson", mixed), kYsonRows, 100).empty()) << at;
  }
  EXPECT_TRUE(parts_of(write("rows.skiff", rows), kSkiffRows, 100).empty());
  EXPECT_TRUE(parts_of(write("none.yson", ""), kYsonRows, 100).empty());
  EXPECT_THROW(parts_of("/no/such/file.yson", kYsonRows, 100), Error);
}

TEST_F(PartTest, AShorterFileIsNoticed) {
  Part part;
  part.first = 10;
  part.count = 10;
  EXPECT_THROW(part_source(open_source(write("short.yson", "{id=1};{id=2};")), part), Error);
}

}  // namespace
}  // namespace xwalk::io
