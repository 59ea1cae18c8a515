// Dictionary columns are written as their values: decoded from the dictionary first, the same
// encoder writes the same bytes the slow way.

#include <algorithm>
#include <cstring>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "random_type.h"
#include "random_value.h"
#include "stored_form.h"
#include "tests/rounds.h"
#include "xwalk/base/error.h"
#include "xwalk/hub/cast/take.h"
#include "xwalk/hub/filter.h"
#include "xwalk/yson/print.h"
#include "xwalk/yt/forms.h"
#include "xwalk/yt/row_decoder.h"
#include "xwalk/yt/row_encoder.h"
#include "xwalk/yt/short_notation.h"

namespace xwalk::yt {
namespace {

using hub::Array;
using yson::Format;
using yson::Node;

using Indices = std::vector<int64_t>;

/// A column of the entries that the indices name; -1 is a null.
Array dictionary_column(const Array& entries, const Indices& indices) {
  Array out = hub::start(static_cast<int64_t>(indices.size()));
  hub::Buffer bits((out.length + 7) / 8);
  hub::Buffer numbers(out.length * 4);
  std::memset(bits.as<uint8_t>(), 0, static_cast<size_t>((out.length + 7) / 8));
  for (int64_t i = 0; i < out.length; ++i) {
    const int64_t index = indices[static_cast<size_t>(i)];
    if (index >= 0) hub::set_bit(bits.as<uint8_t>(), i);
    // Values below a null do not matter.
    numbers.as<int32_t>()[i] = index >= 0 ? static_cast<int32_t>(index) : INT32_MIN + 7;
  }
  out.buffers.clear();
  out.owners.clear();
  hub::attach(out, bits);
  hub::attach(out, numbers);
  out.null_count = -1;
  out.dictionary = std::make_shared<Array>(entries);
  return out;
}

/// The same rows with dictionaries and without.
struct Both {
  hub::Batch encoded;
  hub::Batch plain;
};

/// Rows of the columns of `entries`, each by its own indices.
Both rows_of(const hub::Schema& schema, const Array& entries, const std::vector<Indices>& indices) {
  Both both;
  both.plain.array = hub::start(static_cast<int64_t>(indices.front().size()));
  both.plain.array.null_count = 0;
  both.encoded.array = both.plain.array;
  for (size_t i = 0; i < indices.size(); ++i) {
    both.encoded.array.children.push_back(dictionary_column(entries.children[i], indices[i]));
    both.plain.array.children.push_back(
        hub::cast::take(entries.children[i], schema.fields[i].type, indices[i]));
  }
  return both;
}

struct Outcome {
  std::string bytes;
  std::string error;
  friend bool operator==(const Outcome&, const Outcome&) = default;
};

Outcome encode(const RowEncoder& encoder, const hub::Batch& batch, int64_t begin, int64_t end,
               const yson::Buffer::Drain* drain = nullptr) {
  Outcome outcome;
  yson::Buffer out(drain);
  try {
    encoder.encode(batch.array, begin, end, 100, &out);
  } catch (const Error& error) {
    outcome.error = error.message() + "@" + std::to_string(error.place().row.value()) +
                    error.place().path.text();
  }
  outcome.bytes = out.view();
  return outcome;
}

TableSchema table(std::string_view text) { return parse_table_schema(text); }

hub::Batch decode(const TableSchema& schema, std::string_view rows) {
  return RowDecoder(schema, {}).decode(rows, 0);
}

ValueOptions random_options(testing::RandomValues* random) {
  ValueOptions options;
  options.complex_type_mode =
      random->below(2) == 0 ? ComplexTypeMode::Named : ComplexTypeMode::Positional;
  options.decimal_mode = random->below(2) == 0 ? DecimalMode::Text : DecimalMode::Binary;
  options.time_mode = random->below(2) == 0 ? TimeMode::Text : TimeMode::Binary;
  options.uuid_mode = static_cast<UuidMode>(random->below(3));
  options.skip_null_values = random->below(3) == 0;
  options.format = static_cast<Format>(random->below(3));
  return options;
}

TEST(DictionaryRows, AreWhatTheyStandFor) {
  testing::RandomTypes types(51);
  testing::RandomValues random(52);
  unsigned compared = 0;
  for (unsigned turn = 0; turn < test::rounds(1500); ++turn) {
    TableSchema schema;
    for (uint64_t i = 1 + random.below(4); i > 0; --i) {
      schema.columns.emplace_back("c" + std::to_string(i), types.type(turn % 3));
    }
    ReadOptions read;
    read.values = stored_form();
    std::optional<RowDecoder> decoder;
    try {
      decoder.emplace(schema, read);
    } catch (const Error& error) {
      ASSERT_EQ(error.code(), ErrorCode::Unsupported);
      continue;
    }
    const uint64_t count = random.below(30);
    std::vector<Node> entries;
    for (uint64_t i = 0; i < count; ++i) {
      Node::Map row;
      for (const ColumnSchema& column : schema.columns) {
        row.emplace_back(column.name, random.value(column.type));
      }
      entries.push_back(Node::map(std::move(row)));
    }
    const hub::Batch batch = decoder->decode(yson::print_list_fragment(entries, Format::Binary), 0);
    ASSERT_TRUE(batch.bad.empty());
    const hub::Schema& arrow = decoder->schema();
    // Both fewer rows than entries and many more.
    const uint64_t rows = 1 + random.below(80);
    std::vector<Indices> indices(schema.columns.size());
    for (size_t i = 0; i < indices.size(); ++i) {
      for (uint64_t row = 0; row < rows; ++row) {
        const bool null = count == 0 || (arrow.fields[i].nullable && random.below(4) == 0);
        indices[i].push_back(null ? -1 : static_cast<int64_t>(random.below(count)));
      }
      const bool no_nulls = !hub::has_validity(arrow.fields[i].type.kind());
      if (count == 0 && (no_nulls || !arrow.fields[i].nullable)) indices[i].clear();
    }
    if (indices.front().size() != rows) continue;
    if (std::ranges::any_of(indices, [&](const Indices& one) { return one.size() != rows; })) {
      continue;
    }
    ValueOptions options = random_options(&random);
    options.uuid_order = read.values.uuid_order;
    std::optional<RowEncoder> encoder;
    SCOPED_TRACE(print_format(options));
    encoder.emplace(schema, options);
    const Both both = rows_of(arrow, batch.array, indices);
    const auto all = static_cast<int64_t>(rows);
    ASSERT_EQ(encode(*encoder, both.encoded, 0, all), encode(*encoder, both.plain, 0, all));
    // Runs of rows, and slices, whose arrays begin elsewhere.
    const auto begin = static_cast<int64_t>(random.below(rows));
    const int64_t end = begin + static_cast<int64_t>(random.below(rows + 1)) % (all - begin + 1);
    const Outcome some = encode(*encoder, both.plain, begin, end);
    ASSERT_EQ(encode(*encoder, both.encoded, begin, end), some);
    const hub::Batch slice = hub::slice(both.encoded, begin, end - begin);
    ASSERT_EQ(encode(*encoder, slice, 0, end - begin).bytes, some.bytes);
    ++compared;
  }
  EXPECT_GT(compared, test::rounds(800));
}

/// What rows of one column become both ways, which must be the same.
Outcome outcome_of(const TableSchema& schema, const ValueOptions& options, const Array& entries,
                   const Indices& indices) {
  const RowEncoder encoder(schema, options);
  const Both both = rows_of(encoder.schema(), entries, {indices});
  const auto rows = static_cast<int64_t>(indices.size());
  Outcome outcome = encode(encoder, both.encoded, 0, rows);
  EXPECT_EQ(outcome, encode(encoder, both.plain, 0, rows));
  return outcome;
}

Indices repeated(const Indices& indices, int times) {
  Indices out;
  for (int i = 0; i < times; ++i) out.insert(out.end(), indices.begin(), indices.end());
  return out;
}

/// Days of which the second lies beyond the range of the type.
Array dates(const TableSchema& schema) {
  Array entries = decode(schema, "{d=1u};{d=2u};{d=3u}").array;
  hub::Buffer days(3 * 4);
  const std::array<int32_t, 3> kDays = {1, -5, 3};
  std::memcpy(days.as<char>(), kDays.data(), sizeof(kDays));
  Array& column = entries.children[0];
  column.buffers[1] = days.as<char>();
  column.owners.push_back(days.owner());
  return entries;
}

TEST(DictionaryRows, AnEntryThatHasNoFormIsRefusedWhereARowNamesIt) {
  const TableSchema schema = table("[{name=d;type_v3=date}]");
  const Array entries = dates(schema);
  for (int times : {1, 20}) {  // more entries than rows, and fewer
    for (Format format : {Format::Text, Format::Binary, Format::Pretty}) {
      ValueOptions options;
      options.format = format;
      EXPECT_EQ(outcome_of(schema, options, entries, repeated({0, 2, 2, 0}, times)).error, "");
      Indices named = repeated({0, 2}, times);
      named.push_back(1);
      const Outcome refused = outcome_of(schema, options, entries, named);
      EXPECT_NE(refused.error.find("@" + std::to_string(100 + 2 * times) + "d"), std::string::npos)
          << refused.error;
    }
  }
}

TEST(DictionaryRows, NullsAreThoseOfIndicesAndOfEntries) {
  const TableSchema schema = table("[{name=s;type_v3={type_name=optional;item=string}}]");
  const Array entries = decode(schema, "{s=a};{};{s=\"c\\\"\"}").array;
  for (int times : {1, 20}) {
    for (bool skip : {false, true}) {
      ValueOptions options;
      options.skip_null_values = skip;
      const Outcome outcome = outcome_of(schema, options, entries, repeated({2, 1, -1, 0}, times));
      EXPECT_EQ(outcome.bytes.substr(0, outcome.bytes.size() / static_cast<size_t>(times)),
                skip ? "{\"s\"=\"c\\\"\";};\n{};\n{};\n{\"s\"=\"a\";};\n"
                     : "{\"s\"=\"c\\\"\";};\n{\"s\"=#;};\n{\"s\"=#;};\n{\"s\"=\"a\";};\n");
    }
  }
  // The same if the column is required.
  const TableSchema required = table("[{name=s;type_v3=string}]");
  for (int times : {1, 20}) {
    EXPECT_EQ(outcome_of(required, {}, entries, repeated({0, 2}, times)).error, "");
    EXPECT_NE(outcome_of(required, {}, entries, repeated({0, 1}, times)).error, "");
    EXPECT_NE(outcome_of(required, {}, entries, repeated({0, -1}, times)).error, "");
  }
}

TEST(DictionaryRows, AnIndexOutsideTheDictionaryIsRefused) {
  const TableSchema schema = table("[{name=s;type_v3={type_name=optional;item=string}}]");
  const Array entries = decode(schema, "{s=a};{s=b}").array;
  const RowEncoder encoder(schema, {});
  for (int64_t wrong : {int64_t{2}, int64_t{3}, int64_t{1} << 30}) {
    for (int times : {1, 20}) {
      hub::Batch batch;
      Indices indices = repeated({0, 1}, times);
      indices.push_back(wrong);
      batch.array = hub::start(static_cast<int64_t>(indices.size()));
      batch.array.null_count = 0;
      batch.array.children.push_back(dictionary_column(entries.children[0], indices));
      const Outcome outcome = encode(encoder, batch, 0, batch.rows());
      EXPECT_EQ(outcome.error, "expected a dictionary index below 2, found " +
                                   std::to_string(wrong) + "@" + std::to_string(100 + 2 * times) +
                                   "s");
    }
  }
}

TEST(DictionaryRows, EntriesMayBeOfAnySize) {
  const TableSchema schema = table("[{name=s;type_v3=string};{name=t;type_v3=string}]");
  Array entries;
  {
    // Around the sizes at which fields are copied in one step, in more, or not at all; and more
    // bytes altogether than are made ahead.
    std::vector<Node> rows;
    for (size_t size : {0, 1, 24, 25, 26, 27, 28, 57, 250, 251, 252, 300, 5000, 3 << 20}) {
      rows.push_back(Node::map({{"s", Node::string(std::string(size, 'x'))},
                                {"t", Node::string(std::string(size / 2, '\n'))}}));
    }
    for (int i = 0; i < 6000; ++i) {
      rows.push_back(Node::map({{"s", Node::string(std::to_string(i) + std::string(200, 'y'))},
                                {"t", Node::string(std::to_string(i))}}));
    }
    entries = decode(schema, yson::print_list_fragment(rows, Format::Binary)).array;
  }
  testing::RandomValues random(53);
  std::vector<Indices> indices(2);
  for (Indices& of : indices) {
    for (int64_t i = 0; i < 14; ++i) of.push_back(i);
    for (int i = 0; i < 20000; ++i) {
      of.push_back(14 + static_cast<int64_t>(random.below(6000)));
    }
  }
  for (Format format : {Format::Text, Format::Binary}) {
    ValueOptions options;
    options.format = format;
    const RowEncoder encoder(schema, options);
    const Both both = rows_of(encoder.schema(), entries, indices);
    const int64_t rows = both.plain.rows();
    const Outcome plain = encode(encoder, both.plain, 0, rows);
    ASSERT_EQ(plain.error, "");
    ASSERT_TRUE(encode(encoder, both.encoded, 0, rows) == plain);
    std::string drained;
    const yson::Buffer::Drain drain = [&](std::string_view bytes) { drained += bytes; };
    drained += encode(encoder, both.encoded, 0, rows, &drain).bytes;
    ASSERT_TRUE(drained == plain.bytes);
  }
}

// Batches may share a dictionary, or have another one at the same place in memory.
TEST(DictionaryRows, BatchesHaveTheirOwnDictionary) {
  const TableSchema schema = table("[{name=s;type_v3=string}]");
  const RowEncoder encoder(schema, {});
  Both last;
  for (int turn = 0; turn < 200; ++turn) {
    if (turn % 3 != 0) {
      // Indices change, the dictionary stays.
      const Array entries = *last.encoded.array.children[0].dictionary;
      Array columns = hub::start(entries.length);
      columns.children.push_back(entries);
      last = rows_of(encoder.schema(), columns, {repeated({turn % 2, 0, 1}, 10)});
    } else {
      last = {};
      const std::string value = std::to_string(turn);
      last =
          rows_of(encoder.schema(), decode(schema, "{s=a" + value + "};{s=b" + value + "}").array,
                  {repeated({0, 1, 1}, 10)});
    }
    ASSERT_EQ(encode(encoder, last.encoded, 0, 30), encode(encoder, last.plain, 0, 30));
  }
}

}  // namespace
}  // namespace xwalk::yt
