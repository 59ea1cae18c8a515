// Scalars are read by one codec in all formats: YSON and Skiff refuse the same values with the same
// messages, and accept the same ones.
#include <cstring>
#include <string>

#include <gtest/gtest.h>

#include "tests/skiff/memory_stream.h"
#include "xwalk/base/error.h"
#include "xwalk/skiff/values.h"
#include "xwalk/yson/print.h"
#include "xwalk/yt/forms.h"
#include "xwalk/yt/row_decoder.h"

namespace xwalk::skiff {
namespace {

yt::TableSchema table_of(const std::string& type) {
  yt::TableSchema table;
  table.columns.emplace_back("c", yt::parse_type(type));
  return table;
}

/// Returns the error for a value, "" if it is accepted.
std::string from_yson(const std::string& type, const yson::Node& value) {
  try {
    yson::Node row = yson::Node::map({{"c", value}});
    yt::RowDecoder(table_of(type), {})
        .decode(yson::print_list_fragment({row}, yson::Format::Binary), 0);
  } catch (const Error& error) {
    return std::string(error.message());
  }
  return "";
}

std::string from_skiff(const std::string& type, const std::string& wire, const std::string& value) {
  Schema schema = schema_of(table_of(type));
  schema.format.tables = {parse_short("tuple<'c':" + wire + ">")};
  std::string bytes = std::string(2, '\0') + value;
  try {
    read_rows(std::make_unique<testing::MemorySource>(bytes, 0), schema, {})->next();
  } catch (const Error& error) {
    return std::string(error.message());
  }
  return "";
}

std::string string32(const std::string& bytes) {
  auto size = static_cast<uint32_t>(bytes.size());
  std::string out(sizeof(size), '\0');
  std::memcpy(out.data(), &size, sizeof(size));
  return out + bytes;
}

template <typename Number>
std::string number(Number value) {
  std::string out(sizeof(value), '\0');
  std::memcpy(out.data(), &value, sizeof(value));
  return out;
}

TEST(Scalars, StringsAreRefusedInTheSameWords) {
  struct Case {
    const char* type;
    std::string bytes;
    bool good = false;
  };
  const std::vector<Case> cases = {
      {"utf8", "\xFF"},
      {"utf8", "имя", true},
      {"json", "[1,]"},
      {"json", "[1]", true},
      {"uuid", "short"},
      {"uuid", "0123456789abcdef", true},
      {"tz_date", std::string("\0\1", 2)},
      {"tz_date", std::string("\0\1Nowhere/Land", 14)},
      {"tz_date", std::string("\xFF\xFFGMT", 5)},
      {"tz_date", std::string("\0\1GMT", 5), true},
  };
  for (const Case& one : cases) {
    std::string said = from_yson(one.type, yson::Node::string(one.bytes));
    EXPECT_EQ(said.empty(), one.good) << one.type << " " << said;
    EXPECT_EQ(from_skiff(one.type, "string32", string32(one.bytes)), said) << one.type;
  }
}

TEST(Scalars, NumbersAreRefusedInTheSameWords) {
  using yson::Node;
  EXPECT_EQ(from_yson("int8", Node::int64(300)), from_skiff("int8", "int64", number(int64_t{300})));
  EXPECT_EQ(from_yson("int8", Node::int64(300)),
            "expected int8 in the range [-128, 127], found 300");
  EXPECT_EQ(from_yson("date", Node::uint64(49673)),
            from_skiff("date", "uint64", number(uint64_t{49673})));
  EXPECT_NE(from_yson("date", Node::uint64(49673)), "");
  EXPECT_EQ(from_yson("float", Node::real(1e39)), from_skiff("float", "double", number(1e39)));
  EXPECT_NE(from_yson("float", Node::real(1e39)), "");
}

TEST(Scalars, DecimalsAreRefusedInTheSameWords) {
  const std::string type = "{type_name=decimal;precision=3;scale=1}";
  auto stored = [](uint32_t flipped) {
    std::string bytes(4, '\0');
    for (size_t i = 0; i < 4; ++i) bytes[i] = static_cast<char>(flipped >> (24 - 8 * i));
    return yson::Node::string(bytes);
  };
  // 1000 has a digit too many; the greatest integers are nan and infinity.
  for (int32_t value : {1000, -1000, INT32_MAX, INT32_MAX - 1, -INT32_MAX + 1, 999, -999}) {
    std::string said = from_yson(type, stored(static_cast<uint32_t>(value) ^ 0x80000000u));
    EXPECT_EQ(from_skiff(type, "int32", number(value)), said) << value;
    EXPECT_EQ(said.empty(), value == 999 || value == -999) << value;
  }
}

}  // namespace
}  // namespace xwalk::skiff
