#include "xwalk/yt/value_options.h"

#include <gtest/gtest.h>

#include "xwalk/base/error.h"
#include "xwalk/yt/time_text.h"

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

TEST(TimeText, WholeRangeBothWays) {
  struct {
    int64_t days;
    const char* text;
  } samples[] = {{0, "1970-01-01"},
                 {-1, "1969-12-31"},
                 {-719528, "0000-01-01"},
                 {-719529, "-0001-12-31"},
                 {2932896, "9999-12-31"},
                 {2932897, "+10000-01-01"},
                 {-53375809, "-144168-01-01"},
                 {53375807, "+148107-12-31"},
                 {11016, "2000-02-29"}};
  for (const auto& sample : samples) {
    char text[kTimeTextSize];
    EXPECT_EQ(std::string(text, write_date(sample.days, text)), sample.text);
    int64_t days = 0;
    EXPECT_TRUE(read_date(sample.text, &days)) << sample.text;
    EXPECT_EQ(days, sample.days);
  }
}

TEST(TimeText, DaysAndDatesAreOneToOne) {
  for (int64_t days = -53375808; days <= 53375807; days += days % 97 == 0 ? 9973 : 1) {
    CivilDate date = civil_from_days(days);
    ASSERT_EQ(days_from_civil(date), days);
    ASSERT_GE(date.day, 1);
    ASSERT_LE(date.day, days_in_month(date.year, date.month));
  }
  EXPECT_EQ(civil_from_days(-53375809), (CivilDate{-144168, 1, 1}));
  EXPECT_EQ(civil_from_days(53375807), (CivilDate{148107, 12, 31}));
}

TEST(TimeText, TimestampsBeforeTheEpochAndAtBothEnds) {
  for (int64_t micros : {int64_t{-1}, int64_t{-4611669897600000000}, int64_t{4611669811199999999},
                         int64_t{1641092645123456}}) {
    char text[kTimeTextSize];
    std::string printed(text, write_timestamp(micros, text));
    int64_t read = 0;
    EXPECT_TRUE(read_timestamp(printed, &read)) << printed;
    EXPECT_EQ(read, micros) << printed;
  }
  char text[kTimeTextSize];
  EXPECT_EQ(std::string(text, write_timestamp(-1, text)), "1969-12-31T23:59:59.999999Z");
}

TEST(TimeText, RefusesWhatDoesNotExist) {
  int64_t value = 0;
  for (const char* text : {"2021-02-29", "2021-13-01", "2021-00-10", "2021-01-00", "21-01-01",
                           "2021-1-1", "2021-01-01 ", "+2021-01-01T", ""}) {
    EXPECT_FALSE(read_date(text, &value)) << text;
  }
  for (const char* text : {"2021-01-01T24:00:00Z", "2021-01-01T00:60:00Z", "2021-01-01T00:00:60Z",
                           "2021-01-01T00:00:00", "2021-01-01 00:00:00Z"}) {
    EXPECT_FALSE(read_datetime(text, &value)) << text;
  }
  EXPECT_FALSE(read_timestamp("2021-01-01T00:00:00.Z", &value));
  EXPECT_FALSE(read_timestamp("2021-01-01T00:00:00.1234567Z", &value));
  EXPECT_TRUE(read_timestamp("2021-01-01T00:00:00Z", &value));
}

}  // namespace
}  // namespace xwalk::yt
