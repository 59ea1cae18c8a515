#include "xwalk/skiff/rows.h"

#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "xwalk/base/error.h"
#include "xwalk/base/text.h"
#include "xwalk/skiff/schema.h"
#include "xwalk/yson/parse.h"
#include "xwalk/yson/print.h"

namespace xwalk::skiff {
namespace {

struct Found {
  std::vector<std::string> rows;
  std::string error;
  Place place;
};

Found read(const char* schema, const char* hex) {
  std::string bytes = from_hex(hex);
  Input input(bytes);
  Found found;
  try {
    RowReader reader(bind(parse_schema(schema), Flow::Read), input);
    while (std::optional<Row> row = reader.next()) {
      found.rows.push_back(yson::print(row->columns));
    }
  } catch (const Error& error) {
    found.error = error.what();
    found.place = error.place();
  }
  return found;
}

std::string write(const char* schema, std::vector<const char*> rows) {
  std::string out;
  RowWriter writer(bind(parse_schema(schema), Flow::Write), &out);
  for (const char* text : rows) {
    Row row;
    row.columns = yson::parse(text);
    writer.write(row);
  }
  return to_hex(out);
}

std::string write_error(const char* schema, const char* row) {
  try {
    return "written: " + write(schema, {row});
  } catch (const Error& error) {
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
  std::string out;
  RowWriter writer(bind(parse_schema("tuple<'a':int8;'b':int8>\n"), Flow::Write), &out);
  Row row;
  row.columns = yson::parse("{a=1;b=300}");
  EXPECT_THROW(writer.write(row), Error);
  EXPECT_EQ(out, "");
  row.columns = yson::parse("{a=1;b=2}");
  writer.write(row);
  writer.write_end_of_stream();
  EXPECT_EQ(to_hex(out), "00000102ffff");
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
  Input input(bytes);
  RowReader reader(bind(parse_schema(schema), Flow::Read), input);
  EXPECT_EQ(reader.next()->row_index, 7);
  std::optional<Row> second = reader.next();
  EXPECT_EQ(second->row_index, 8);
  EXPECT_EQ(second->range_index, 0);
  EXPECT_EQ(reader.next()->row_index, std::nullopt);
  EXPECT_FALSE(reader.next());
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
