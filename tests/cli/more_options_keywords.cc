// The row of more_options.inc in the interfaces that take options by their ids: Python, C, SQL and
// Spark.

#include <algorithm>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "xwalk/convert/named_options.h"

namespace xwalk::io {
namespace {

constexpr auto kImaginary = static_cast<hub::Option>(hub::kOptions);

TEST(MoreOptions, PythonAndSqlListIt) {
  const std::vector<NamedOption> all = named_options();
  const auto row = std::ranges::find(all, kImaginary, &NamedOption::option);
  ASSERT_NE(row, all.end());
  EXPECT_EQ(hub::to_string(row->option), "imaginary_rows");
  EXPECT_EQ(row->usual, "7");
  EXPECT_EQ(row->group, OptionGroup::Rows);
  EXPECT_EQ(row->not_on_spark, "it is imaginary");
}

TEST(MoreOptions, JsonSqlAndSparkReadIt) {
  EXPECT_EQ(read_named_options(R"({"imaginary_rows": 2})").input.limit, 2);
  EXPECT_EQ(read_named_options(R"({"imaginary_rows": "2k"})", OptionTexts::Parsed).input.limit,
            2000);
  EXPECT_EQ(parse_option(kImaginary, "2k"), "2000");
}

TEST(MoreOptions, MessagesNameItAsEachInterfaceDoes) {
  const std::string text = hub::mention(kImaginary, "3");
  EXPECT_EQ(hub::spelled(text, hub::Interface::Program), "--imaginary-rows 3");
  EXPECT_EQ(hub::spelled(text, hub::Interface::Python), "imaginary_rows=3");
  EXPECT_EQ(hub::spelled(text, hub::Interface::Json), "\"imaginary_rows\": 3");
  EXPECT_EQ(hub::spelled(text, hub::Interface::Sql), "imaginary_rows => 3");
}

}  // namespace
}  // namespace xwalk::io
