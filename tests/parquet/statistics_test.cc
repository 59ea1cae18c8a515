#include "xwalk/parquet/statistics.h"

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

}  // namespace
}  // namespace xwalk::parquet
