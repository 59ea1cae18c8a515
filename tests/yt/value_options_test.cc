#include "xwalk/yt/value_options.h"

#include <gtest/gtest.h>

#include "xwalk/base/error.h"

namespace xwalk::yt {
namespace {

TEST(Format, ParseAndPrintEveryAttribute) {
  std::string text =
      "<\"format\"=\"binary\";\"complex_type_mode\"=\"positional\";"
      "\"string_keyed_dict_mode\"=\"named\";\"decimal_mode\"=\"text\";\"time_mode\"=\"text\";"
      "\"uuid_mode\"=\"text_yql\";\"skip_null_values\"=%true;>\"yson\"";
  ValueOptions options = parse_format(text);
  EXPECT_EQ(options.format, yson::Format::Binary);
  EXPECT_EQ(options.complex_type_mode, ComplexTypeMode::Positional);
  EXPECT_EQ(options.string_keyed_dict_mode, DictMode::Named);
  EXPECT_EQ(options.decimal_mode, DecimalMode::Text);
  EXPECT_EQ(options.time_mode, TimeMode::Text);
  EXPECT_EQ(options.uuid_mode, UuidMode::TextYql);
  EXPECT_TRUE(options.skip_null_values);
  EXPECT_EQ(print_format(options), text);
  EXPECT_EQ(parse_format("yson"), ValueOptions());
  EXPECT_EQ(print_format(ValueOptions()), "\"yson\"");
}

TEST(Format, RefusesOtherFormatsAttributesAndWords) {
  EXPECT_THROW(parse_format("skiff"), Error);
  EXPECT_THROW(parse_format("<complex_type_mode=other>yson"), Error);
  EXPECT_THROW(parse_format("<complex_type_mode=1>yson"), Error);
  try {
    parse_format("<complex_type_moed=named>yson");
    FAIL();
  } catch (const Error& error) {
    EXPECT_EQ(error.hint(), "Did you mean complex_type_mode?");
  }
}

}  // namespace
}  // namespace xwalk::yt
