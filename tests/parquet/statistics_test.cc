#include "xwalk/parquet/statistics.h"

#include <cmath>
#include <cstring>
#include <optional>
#include <set>
#include <string>

#include <gtest/gtest.h>

#include "xwalk/parquet/hub.h"

namespace xwalk::parquet {
namespace {

using namespace std::string_literals;

/// A footer with one row in one column `x` of fixed_len_byte_array without a length, whose smallest
/// and largest value are of no bytes, in the compact protocol of Thrift.
const std::string kNoLength =
    "\x15\x02"                                     // version
    "\x19\x2c"                                     // schema: two elements
    "\x48\x06schema\x15\x02\0"                     // the root, with one child
    "\x15\x0e\x25\x02\x18\x01x\0"                  // type, repetition, name
    "\x16\x02"                                     // rows
    "\x19\x1c\x19\x1c\x26\0\x1c"                   // a row group, its one chunk, its metadata
    "\x15\x0e\x19\x05\x19\x18\x01x\x15\0\x16\x02"  // type, encodings, path, codec, values
    "\x16\0\x16\0\x26\0"                           // sizes, offset
    "\x3c\x36\0\x28\0\x18\0\0"                     // statistics: nulls, largest, smallest
    "\0\0\x16\0\x16\x02\0\0"s;

TEST(Statistics, ValuesWithoutBytesAreNone) {
  const Footer footer = parse_footer(kNoLength);
  const hub::FileFacts facts = facts_of(kNoLength, footer, to_arrow(footer.schema));
  EXPECT_EQ(facts.rows, 1U);
  ASSERT_EQ(facts.columns.size(), 1U);
  EXPECT_EQ(facts.columns[0].nulls, 0U);
  EXPECT_FALSE(facts.columns[0].values.has_value());
}

/// Returns a row group of three rows of one chunk, whose metadata ends with `statistics`.
std::string group(char type, const std::string& statistics) {
  return "\x19\x1c\x26\0\x1c"s                    // its one chunk, its metadata
         + "\x15" + type +                        // type
         "\x19\x05\x19\x18\x01x\x15\0\x16\x06"s   // encodings, path, codec, values
         "\x16\0\x16\0\x26\0"s                    // sizes, offset
         + statistics + "\0\0\x16\0\x16\x06\0"s;  // ends, bytes, rows
}

/// Returns the facts of the column in a footer with one column and two row groups.
hub::ColumnFacts facts_of_groups(char type, const std::string& logical, const std::string& first,
                                 const std::string& second) {
  const std::string bytes = "\x15\x02\x19\x2c\x48\x06schema\x15\x02\0"s  // version, root
                            + "\x15" + type + "\x25\x02\x18\x01x"s + logical +
                            "\0\x16\x0c\x19\x2c"s + group(type, first) + group(type, second) +
                            "\0"s;
  const Footer footer = parse_footer(bytes);
  const hub::FileFacts facts = facts_of(bytes, footer, to_arrow(footer.schema));
  EXPECT_EQ(facts.rows, 6U);
  return facts.columns.at(0);
}

constexpr char kDouble = 0x0a;
constexpr char kBytes = 0x0c;

/// Statistics with a number of NaNs (zigzag), of nulls.
std::string nans(char zigzag) { return "\x3c\x36\0\x66"s + zigzag + "\0"s; }

TEST(Statistics, NansAreCountedIfEveryChunkCountsThem) {
  EXPECT_EQ(facts_of_groups(kDouble, "", nans(2), nans(4)).nans, 3U);
  EXPECT_EQ(facts_of_groups(kDouble, "", nans(2), "\x3c\x36\0\0"s).nans, std::nullopt);
  // A chunk of nulls has none; more than there are values, and fewer than none, are no numbers.
  EXPECT_EQ(facts_of_groups(kDouble, "", nans(2), "\x3c\x36\x06\0"s).nans, 1U);
  EXPECT_EQ(facts_of_groups(kDouble, "", nans(2), nans(8)).nans, std::nullopt);
  EXPECT_EQ(facts_of_groups(kDouble, "", nans(2), nans(1)).nans, std::nullopt);
  EXPECT_EQ(facts_of_groups(kBytes, "", nans(2), nans(2)).nans, std::nullopt);
}

std::string double_bytes(double value) {
  std::string out(8, '\0');
  std::memcpy(out.data(), &value, out.size());
  return out;
}

/// Geospatial statistics: a box of x and y from `least` to `greatest`, and type codes.
std::string geospatial(double least, double greatest, const std::string& codes) {
  const std::string low = "\x17" + double_bytes(least);
  const std::string high = "\x17" + double_bytes(greatest);
  return "\x3c\x36\0\0\x5c\x1c"s + low + high + low + high + "\0"s + codes + "\0"s;
}

TEST(Statistics, BoxesAndTypesOfGeometriesAreJoined) {
  const std::string geometry = "\x6c\x0c\x22\0\0"s;
  const std::string point = "\x19\x15\x02"s;
  const std::string line_z = "\x19\x15\xd4\x0f"s;  // 1002
  const auto facts = [&](const std::string& first, const std::string& second) {
    return facts_of_groups(kBytes, geometry, first, second).geospatial;
  };
  std::optional<hub::GeospatialFacts> found =
      facts(geospatial(1, 2, point), geospatial(-3, 0, line_z));
  ASSERT_TRUE(found);
  const hub::GeospatialFacts::Range range{.least = -3, .greatest = 2};
  EXPECT_EQ(found->box[0], range);
  EXPECT_EQ(found->box[1], range);
  EXPECT_FALSE(found->box[2]);
  EXPECT_EQ(found->types, (std::set<std::string>{"LineString Z", "Point"}));
  // Unknown codes, and no codes, leave the types unknown.
  for (const std::string& codes : {"\x19\x15\x10"s, ""s}) {
    found = facts(geospatial(1, 2, point), geospatial(1, 2, codes));
    ASSERT_TRUE(found);
    EXPECT_TRUE(found->types.empty());
  }
  // A box across the antimeridian joins only equal ones. A bound that is NaN is unknown.
  found = facts(geospatial(2, 1, point), geospatial(2, 1, point));
  EXPECT_EQ(found->box[0], (hub::GeospatialFacts::Range{.least = 2, .greatest = 1}));
  found = facts(geospatial(2, 1, point), geospatial(0, 3, point));
  EXPECT_FALSE(found->box[0]);
  found = facts(geospatial(1, std::nan(""), point), geospatial(1, 2, point));
  EXPECT_FALSE(found->box[0]);
  EXPECT_FALSE(facts(geospatial(1, 2, point), "\x3c\x36\0\0"s));
  EXPECT_FALSE(
      facts_of_groups(kBytes, "", geospatial(1, 2, point), geospatial(1, 2, point)).geospatial);
}

}  // namespace
}  // namespace xwalk::parquet
