#include "xwalk/io/rows/row_choice.h"

#include <functional>
#include <map>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "xwalk/hub/row_text.h"
#include "xwalk/io/places/open_input.h"
#include "xwalk/io/rows/row_stream.h"

namespace xwalk::io {
namespace {

std::vector<std::string> rows_of(Format format, const std::string& bytes, InputOptions options) {
  options.format = format;
  options.schema = "[{name=a;type=int64}]";
  const Input input = open_input(memory_source(bytes), options);
  std::vector<std::string> rows;
  while (const std::optional<hub::Batch> batch = input.reader->next()) {
    for (int64_t i = 0; i < batch->rows(); ++i) {
      rows.emplace_back();
      hub::append_json_row(input.reader->schema(), batch->array, i, &rows.back());
    }
  }
  return rows;
}

TEST(RowChoice, TheLastRowsOfATableThatHasNoneAreNone) {
  InputOptions options;
  options.table = 2;
  options.tail = 3;
  EXPECT_THAT(rows_of(kYsonRows, "{a=1};{a=2};{a=3};{a=4};", options), testing::IsEmpty());
  EXPECT_THAT(rows_of(kJsonRows, "{\"a\":1}\n{\"a\":2}\n{\"a\":3}\n{\"a\":4}\n", options),
              testing::IsEmpty());
}

TEST(RowChoice, TheLastRowsOfASampleAreTheLastOfIts) {
  std::string bytes;
  for (int i = 0; i < 100; ++i) bytes += "{a=" + std::to_string(i) + "};";
  InputOptions options;
  options.sample = Sample{.share = 0.2};
  options.batch_rows = 10;
  const std::vector<std::string> sampled = rows_of(kYsonRows, bytes, options);
  options.tail = 5;
  EXPECT_EQ(rows_of(kYsonRows, bytes, options),
            std::vector<std::string>(sampled.end() - 5, sampled.end()));
}

/// Returns how many rows of each of two files come, of ten each.
std::map<std::string, int64_t, std::less<>> rows_by_file(
    const std::function<std::unique_ptr<SplitReader>(std::unique_ptr<SplitReader>)>& choose) {
  std::string bytes;
  for (int i = 0; i < 10; ++i) bytes += "{a=" + std::to_string(i) + "};";
  const OpenReader open = [&](const std::string&) {
    InputOptions options;
    options.format = kYsonRows;
    options.schema = "[{name=a;type=int64}]";
    return open_input(memory_source(bytes), options).reader;
  };
  const std::unique_ptr<SplitReader> reader =
      choose(chain(open(""), "one", {"two"}, open, nullptr));
  std::map<std::string, int64_t, std::less<>> rows;
  while (const std::unique_ptr<Piece> piece = reader->take()) {
    const int64_t in_batch = piece->decode().rows();
    rows[std::string(piece->file())] += in_batch;
  }
  return rows;
}

TEST(RowChoice, RowsThatAreDecodedAheadKeepTheirFile) {
  EXPECT_THAT(rows_by_file([](auto reader) { return last_rows(std::move(reader), 13); }),
              testing::UnorderedElementsAre(testing::Pair("one", 3), testing::Pair("two", 10)));
  EXPECT_THAT(rows_by_file([](auto reader) {
                return sample_rows(std::move(reader), {.rows = 20}, 1, false);
              }),
              testing::UnorderedElementsAre(testing::Pair("one", 10), testing::Pair("two", 10)));
  EXPECT_THAT(rows_by_file([](auto reader) {
                return sample_rows(std::move(reader), {.share = 0.999999}, 1, true);
              }),
              testing::UnorderedElementsAre(testing::Pair("one", 10), testing::Pair("two", 10)));
}

}  // namespace
}  // namespace xwalk::io
