#include "xwalk/hub/time_text.h"

#include <limits>
#include <string>

#include <gtest/gtest.h>

namespace xwalk::hub {
namespace {

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

TEST(TimeText, TicksOfEveryUnitBothWays) {
  constexpr int64_t kLeast = std::numeric_limits<int64_t>::min();
  constexpr int64_t kMost = std::numeric_limits<int64_t>::max();
  const struct {
    TimeUnit unit;
    int64_t ticks;
    const char* text;
  } samples[] = {{TimeUnit::Second, 0, "1970-01-01T00:00:00"},
                 {TimeUnit::Milli, -1, "1969-12-31T23:59:59.999"},
                 {TimeUnit::Micro, 1'500'000, "1970-01-01T00:00:01.5"},
                 {TimeUnit::Nano, 1, "1970-01-01T00:00:00.000000001"},
                 {TimeUnit::Nano, kLeast, "1677-09-21T00:12:43.145224192"},
                 {TimeUnit::Nano, kMost, "2262-04-11T23:47:16.854775807"},
                 {TimeUnit::Second, kMost, "+292277026596-12-04T15:30:07"},
                 {TimeUnit::Second, kLeast, "-292277022657-01-27T08:29:52"}};
  for (const auto& sample : samples) {
    char text[kTimeTextSize];
    const std::string written(text, write_instant(sample.ticks, sample.unit, text));
    EXPECT_EQ(written, sample.text);
    int64_t ticks = 0;
    EXPECT_EQ(read_instant(written, sample.unit, false, &ticks), TimeText::Ok) << written;
    EXPECT_EQ(ticks, sample.ticks);
    EXPECT_EQ(read_instant(written + "Z", sample.unit, true, &ticks), TimeText::Ok) << written;
    EXPECT_EQ(ticks, sample.ticks);
  }
  char text[kTimeTextSize];
  EXPECT_EQ(std::string(text, write_time(45'000'500, TimeUnit::Milli, text)), "12:30:00.5");
}

TEST(TimeText, ZonesFractionsAndWhatIsTooFar) {
  int64_t ticks = 0;
  EXPECT_EQ(read_instant("2024-01-01 02:00:00+02:00", TimeUnit::Second, true, &ticks),
            TimeText::Ok);
  EXPECT_EQ(ticks, 1704067200);
  EXPECT_EQ(read_instant("2024-01-01T00:00:00.5Z", TimeUnit::Second, true, &ticks),
            TimeText::Finer);
  EXPECT_EQ(read_instant("2024-01-01T00:00:00.50", TimeUnit::Milli, false, &ticks), TimeText::Ok);
  EXPECT_EQ(read_instant("2263-01-01T00:00:00Z", TimeUnit::Nano, true, &ticks), TimeText::TooFar);
  for (const char* bad :
       {"2024-01-01T00:00:00", "2024-01-01T00:00:00+2", "2024-01-01", "", "2024-01-01T00:00:00.Z",
        "2024-01-01T00:00:00ZZ", "2024-01-01T00:00:00.1234567890Z", "2024-02-30T00:00:00Z"}) {
    EXPECT_EQ(read_instant(bad, TimeUnit::Micro, true, &ticks), TimeText::Malformed) << bad;
  }
  EXPECT_EQ(read_instant("2024-01-01T00:00:00Z", TimeUnit::Micro, false, &ticks),
            TimeText::Malformed);
  EXPECT_EQ(read_time("23:59:59.999", TimeUnit::Milli, &ticks), TimeText::Ok);
  EXPECT_EQ(ticks, 86'399'999);
  EXPECT_EQ(read_time("12:00:00.1234", TimeUnit::Milli, &ticks), TimeText::Finer);
  for (const char* bad : {"24:00:00", "12:00", "-12:00:00", "12:00:00 "}) {
    EXPECT_EQ(read_time(bad, TimeUnit::Milli, &ticks), TimeText::Malformed) << bad;
  }
}

}  // namespace
}  // namespace xwalk::hub
