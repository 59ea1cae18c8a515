// Rows one by one, as a job reads and writes them and as the oracle does, which goes token by
// token.

#include "tests/skiff/oracle/rows.h"

#include <algorithm>
#include <cstdint>
#include <memory>
#include <sstream>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "tests/skiff/memory_stream.h"
#include "xwalk/base/error.h"
#include "xwalk/base/hex.h"
#include "xwalk/skiff/job.h"
#include "xwalk/skiff/schema.h"
#include "xwalk/yson/node.h"
#include "xwalk/yson/parse.h"
#include "xwalk/yson/print.h"

namespace xwalk::skiff {
namespace {

struct Found {
  std::vector<std::string> rows;
  /// The same, their columns by name.
  std::vector<std::string> sorted;
  std::string error;
  Place place;
};

/// Takes the rows of a reader of rows until it ends or refuses one.
template <typename Reader>
Found take_all(Reader* reader) {
  Found found;
  try {
    while (std::optional<Row> row = reader->next()) {
      found.rows.push_back(yson::print(row->columns));
      std::ranges::sort(row->columns.as_map(), {}, [](const auto& entry) { return entry.first; });
      found.sorted.push_back(yson::print(row->columns));
    }
  } catch (const Error& error) {
    found.error = error.what();
    found.place = error.place();
  }
  return found;
}

Job job_of(const Schema& schema, std::string_view bytes) {
  return Job(schema, std::make_unique<testing::MemorySource>(bytes, 1), {}, {});
}

Found read(const char* text, const char* hex) {
  const Schema schema = parse_schema(text);
  const std::string bytes = from_hex(hex);
  Input input(bytes);
  RowReader reader(bind(schema, Flow::Read), input);
  const Found expected = take_all(&reader);
  Job job = job_of(schema, bytes);
  Found found = take_all(&job);
  EXPECT_EQ(found.sorted, expected.sorted);
  EXPECT_EQ(found.error, expected.error);
  EXPECT_EQ(found.place.path.text(), expected.place.path.text());
  EXPECT_EQ(found.place.table, expected.place.table);
  EXPECT_EQ(found.place.row, expected.place.row);
  EXPECT_EQ(found.place.byte, expected.place.byte);
  return found;
}

std::string write_with_oracle(const Schema& schema, const std::vector<const char*>& rows) {
  std::string out;
  RowWriter writer(bind(schema, Flow::Write), &out);
  for (const char* text : rows) {
    Row row;
    row.columns = yson::parse(text);
    writer.write(row);
  }
  return to_hex(out);
}

std::string write(const char* text, const std::vector<const char*>& rows) {
  const Schema schema = parse_schema(text);
  std::string out;
  std::vector<std::unique_ptr<ByteSink>> sinks;
  sinks.push_back(std::make_unique<testing::MemorySink>(&out));
  Job job({}, std::make_unique<testing::MemorySource>("", 0), schema, std::move(sinks));
  for (const char* row : rows) job.write(0, yson::parse(row));
  job.finish();
  EXPECT_EQ(to_hex(out), write_with_oracle(schema, rows));
  return to_hex(out);
}

std::string write_error(const char* schema, const char* row) {
  try {
    return "written: " + write(schema, {row});
  } catch (const Error& error) {
    EXPECT_THROW(write_with_oracle(parse_schema(schema), {row}), Error);
    return error.place().path.text() + ": " + error.what();
  }
}

constexpr const char* kAll =
    "tuple<'d':variant8<nothing;int64>;'$sparse_columns':repeated_variant16<'s':int8;'t':string32>;"
    "'$other_columns':yson32>\n";

TEST(Rows, DenseSparseAndOtherColumns) {
  std::string hex = write(kAll, {"{d=5;t=x;s=-1;more=[1]}", "{}"});
  EXPECT_EQ(hex,
            "0000"
            "010500000000000000"
            "0000ff"
            "0100"
            "0100000078"
            "ffff"
            "0f000000"
            "7b01086d6f72653d5b02023b5d3b7d"
            "0000"
            "00"
            "ffff"
            "02000000"
            "7b7d");
  Found found = read(kAll, hex.c_str());
  EXPECT_EQ(found.error, "");
  ASSERT_EQ(found.rows.size(), 2u);
  EXPECT_EQ(found.rows[0], R"({"d"=5;"s"=-1;"t"="x";"more"=[1;];})");
  EXPECT_EQ(found.rows[1], "{}");
}

TEST(Rows, TheByteOfBrokenYsonIsThatOfTheStream) {
  const Found found = read("tuple<'a':int8;'b':yson32>\n",
                           "00000503000000"
                           "5b2a5d");
  EXPECT_EQ(found.place.path.text(), "b");
  EXPECT_EQ(found.place.byte, 8u) << found.error;
}

Schema one_column(const std::string& name, const std::string& type) {
  return parse_schema("<strict=%true>[{name=" + name + ";type_v3=" + type + "}]");
}

/// Returns the first row of one table of one column, read into `row`, as text, or "refused".
std::string read_into(Row* row, const Schema& schema, const std::string& value) {
  const std::string bytes = std::string(2, '\0') + value;
  Job job = job_of(schema, bytes);
  try {
    EXPECT_TRUE(job.next(row));
    EXPECT_FALSE(job.next(row));
  } catch (const Error&) {
    return "refused";
  }
  return yson::print(row->columns);
}

TEST(Rows, TextOfEverySizeIsCheckedToItsLastByte) {
  const Schema schema = one_column("t", "utf8");
  Row row;
  for (size_t size = 0; size <= 40; ++size) {
    std::string value = from_hex("00000000") + std::string(size, 'x');
    value[0] = static_cast<char>(size);
    EXPECT_EQ(read_into(&row, schema, value), "{\"t\"=\"" + std::string(size, 'x') + "\";}");
    for (size_t bad = 0; bad < size; ++bad) {
      std::string damaged = value;
      damaged[4 + bad] = '\xff';
      EXPECT_EQ(read_into(&row, schema, damaged), "refused") << size << ", " << bad;
    }
  }
}

TEST(Rows, NamesOfARowBeforeAreWrittenOver) {
  for (size_t size = 1; size <= 20; ++size) {
    const std::string name(size, 'n');
    const Schema schema = one_column(name, "int64");
    for (size_t other = 0; other < size; ++other) {
      std::string before = name;
      before[other] = 'm';
      Row row;
      row.columns.add(before, yson::Node::string("x"));
      row.columns.add("beyond", yson::Node::string("y"));
      EXPECT_EQ(read_into(&row, schema, std::string(8, '\0')), "{\"" + name + "\"=0;}");
    }
  }
}

TEST(Rows, IntegersEndWhereTheirTypeEnds) {
  struct Range {
    const char* type;
    uint64_t low;
    uint64_t high;
  };
  auto word = [](uint64_t value) {
    std::string bytes;
    for (int i = 0; i < 8; ++i) bytes += static_cast<char>(value >> (8 * i));
    return bytes;
  };
  Row row;
  for (const Range& range : {Range{"int8", ~uint64_t{0x7f}, 0x7f},
                             {"int16", ~uint64_t{0x7fff}, 0x7fff},
                             {"int32", ~uint64_t{0x7fffffff}, 0x7fffffff},
                             {"uint8", 0, 0xff},
                             {"uint16", 0, 0xffff},
                             {"uint32", 0, 0xffffffff}}) {
    const Schema schema = one_column("n", range.type);
    EXPECT_NE(read_into(&row, schema, word(range.low)), "refused") << range.type;
    EXPECT_NE(read_into(&row, schema, word(range.high)), "refused") << range.type;
    EXPECT_EQ(read_into(&row, schema, word(range.low - 1)), "refused") << range.type;
    EXPECT_EQ(read_into(&row, schema, word(range.high + 1)), "refused") << range.type;
  }
  for (const char* type : {"int64", "uint64"}) {
    const Schema schema = one_column("n", type);
    for (uint64_t value : {uint64_t{0}, ~uint64_t{0}, uint64_t{1} << 63, (uint64_t{1} << 63) - 1}) {
      EXPECT_NE(read_into(&row, schema, word(value)), "refused") << type;
    }
  }
}

TEST(Rows, AColumnGivenTwiceIsRefused) {
  Found twice = read(kAll,
                     "0000"
                     "00"
                     "000001"
                     "000002"
                     "ffff"
                     "020000007b7d");
  EXPECT_NE(twice.error, "");
  EXPECT_EQ(twice.place.path.text(), "s");
  EXPECT_EQ(twice.place.row, 0u);
  // {s=1} among the other columns.
  Found other = read(kAll,
                     "0000"
                     "00"
                     "ffff"
                     "08000000"
                     "7b0102733d02027d");
  EXPECT_NE(other.error, "");
  EXPECT_NE(write_error(kAll, "{d=1;d=2}").find("d: "), std::string::npos);
}

TEST(Rows, EachRefusalSaysWhereAndWhy) {
  struct Case {
    const char* schema;
    const char* hex;
    const char* path;
    uint64_t byte;
  };
  const Case cases[] = {
      {"tuple<'a':boolean>\n", "000002", "a", 2},
      {"tuple<'a':variant8<nothing;int64>>\n", "000002", "a", 2},
      {"tuple<'a':string32>\n", "0000ffffffff61", "a", 2},
      {"tuple<'a':int64>\n", "000001", "a", 2},
      {"tuple<'a':int64>\n", "010001", "", 0},
      {"tuple<'a':repeated_variant8<int8>>\n", "0000000501", "a[1]", 4},
      {kAll,
       "0000"
       "00"
       "0200",
       "$sparse_columns", 3},
      {kAll,
       "0000"
       "00"
       "ffff"
       "020000005b5d",
       "$other_columns", 5},
      {"<strict=%true>[{name=a;type=utf8;required=%true}]", "000001000000ff", "a", 2},
      {"<strict=%true>[{name=a;type_v3=date}]", "0000ffffffffffffffff", "a", 2},
  };
  for (const Case& c : cases) {
    Found found = read(c.schema, c.hex);
    ASSERT_NE(found.error, "") << c.hex;
    EXPECT_EQ(found.place.path.text(), c.path) << c.hex << " " << found.error;
    EXPECT_EQ(found.place.row, 0u) << c.hex;
    ASSERT_TRUE(found.place.byte) << c.hex;
    EXPECT_GE(*found.place.byte, c.byte) << c.hex << " " << found.error;
  }
}

TEST(Rows, AValueOfAnyTypeWithoutBytesIsNull) {
  const char* schema =
      "{format=<table_skiff_schemas=[{wire_type=tuple;children=[{name=a;wire_type=variant8;"
      "children=[{wire_type=nothing};{wire_type=nothing}]};{name=b;wire_type=int8}]}]>skiff;"
      "table_schemas=[<strict=%true>[{name=a;type=any};{name=b;type_v3=int8}]]}";
  const Found found = read(schema,
                           "0000"
                           "01"
                           "05"
                           "0000"
                           "00"
                           "06");
  EXPECT_EQ(found.error, "");
  EXPECT_EQ(found.rows, (std::vector<std::string>{"{\"b\"=5;}", "{\"b\"=6;}"}));
}

TEST(Rows, AnEntityIsNullHoweverItIsWritten) {
  const char* schema =
      "{format=<table_skiff_schemas=[{wire_type=tuple;children=[{name=a;wire_type=yson32}]}]>skiff;"
      "table_schemas=[<strict=%true>[{name=a;type=any}]]}";
  const Found found = read(schema,
                           "0000"
                           "01000000"
                           "23"
                           "0000"
                           "03000000"
                           "203c3e"
                           "0000"
                           "04000000"
                           "3c3e2320");
  EXPECT_EQ(found.place.row, 1u);
  EXPECT_EQ(found.rows, (std::vector<std::string>{"{}"}));
  EXPECT_EQ(read(schema,
                 "0000"
                 "04000000"
                 "3c3e2320")
                .rows,
            (std::vector<std::string>{"{}"}));
}

TEST(Rows, YsonIsReadAsByTheOracle) {
  // The last ones are not YSON, or not all of it.
  std::istringstream texts(
      "1| 1 |-7u|word|\"a\\n\"|%true|0.5|[1;{a=#;b=<c=1>2u};]|{}|#| # "
      "|<>1|<>#|<a=1>1|<a=1>#|<a=1>{b=2}|"
      "\x01\x04xy|[\x02\x03;\x03\x01]|| |1 2|[1|{a}|*|\x01\x06xy");
  std::vector<std::string> values;
  for (std::string text; std::getline(texts, text, '|');) values.push_back(text);
  for (const std::string type : {"type=any", "type_v3=yson"}) {
    const std::string schema =
        "{format=<table_skiff_schemas=[{wire_type=tuple;children=[{name=a;wire_type=yson32}]}]>"
        "skiff;table_schemas=[<strict=%true>[{name=a;" +
        type + "}]]}";
    for (const std::string& value : values) {
      SCOPED_TRACE(type + " " + value);
      std::string row(6, '\0');
      row[2] = static_cast<char>(value.size());
      read(schema.c_str(), to_hex(row + value).c_str());
    }
  }
}

TEST(Rows, AColumnWithoutAPlaceIsRefused) {
  const char* schema = "tuple<'a':variant8<nothing;int64>>\n";
  EXPECT_EQ(write_error(schema, "{b=1}").substr(0, 3), "b: ");
  EXPECT_EQ(write_error(schema, "{a=#}"), "written: 000000");
}

TEST(Rows, ValuesBeyondTheirWireTypeAreRefused) {
  const char* schema = "tuple<'a':int8>\n";
  EXPECT_EQ(write_error(schema, "{a=-128}"), "written: 000080");
  EXPECT_EQ(write_error(schema, "{a=128}").substr(0, 3), "a: ");
  EXPECT_EQ(write_error(schema, "{}").substr(0, 3), "a: ");
  EXPECT_EQ(write_error(schema, "{a=x}").substr(0, 3), "a: ");
}

TEST(Rows, RefusedRowsLeaveNothingBehind) {
  // The values of the second schema do not all fit their wire types.
  for (const char* schema :
       {"tuple<'a':int8;'b':int8>\n",
        "{format=<table_skiff_schemas=[{wire_type=tuple;children=[{name=a;wire_type=int8};"
        "{name=b;wire_type=int8}]}]>skiff;table_schemas=[<strict=%true>["
        "{name=a;type_v3=int64};{name=b;type_v3=int64}]]}"}) {
    std::string out;
    std::vector<std::unique_ptr<ByteSink>> sinks;
    sinks.push_back(std::make_unique<testing::MemorySink>(&out));
    Job job({}, std::make_unique<testing::MemorySource>("", 0), parse_schema(schema),
            std::move(sinks));
    EXPECT_THROW(job.write(0, yson::parse("{a=1;b=300}")), Error);
    job.write(0, yson::parse("{a=1;b=2}"));
    EXPECT_THROW(job.write(0, yson::parse("{a=300;b=3}")), Error);
    job.write(0, yson::parse("{a=3;b=4}"));
    job.finish();
    EXPECT_EQ(to_hex(out), "0000010200000304");
  }
}

TEST(Rows, IndicesFollowFromTheRowBefore) {
  const char* schema =
      "tuple<'a':int8;'$row_index':variant8<nothing;int64;nothing>;"
      "'$range_index':variant8<nothing;int64>>\n";
  std::string bytes = from_hex(
      "0000"
      "01"
      "010700000000000000"
      "010000000000000000"
      "0000"
      "02"
      "00"
      "00"
      "0000"
      "03"
      "02"
      "00");
  Job job = job_of(parse_schema(schema), bytes);
  EXPECT_EQ(job.next()->row_index, 7);
  std::optional<Row> second = job.next();
  EXPECT_EQ(second->row_index, 8);
  EXPECT_EQ(second->range_index, 0);
  EXPECT_EQ(job.next()->row_index, std::nullopt);
  EXPECT_FALSE(job.next());
  // A first row must give them in full.
  EXPECT_NE(read(schema,
                 "0000"
                 "01"
                 "00"
                 "010000000000000000")
                .error,
            "");
}

}  // namespace
}  // namespace xwalk::skiff
