#include "xwalk/base/zone_offsets.h"

#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "xwalk/base/error.h"

namespace xwalk {
namespace {

void put(std::string* out, uint64_t value, int bytes) {
  for (int i = bytes - 1; i >= 0; --i) *out += static_cast<char>(value >> (8 * i));
}

std::string header(uint32_t changes, uint32_t types) {
  std::string out = "TZif2" + std::string(15, '\0');
  for (const uint32_t count : {0U, 0U, 0U, changes, types, 4U}) put(&out, count, 4);
  return out;
}

struct Change {
  int64_t at;
  uint8_t type;
};

/// Makes a file with these offsets, changes and rule.
std::string zone_file(const std::vector<int32_t>& offsets, const std::vector<Change>& changes,
                      const std::string& rule) {
  std::string out = header(0, 1) + std::string(6, '\0') + "LMT" + '\0';
  out += header(static_cast<uint32_t>(changes.size()), static_cast<uint32_t>(offsets.size()));
  for (const Change& change : changes) put(&out, static_cast<uint64_t>(change.at), 8);
  for (const Change& change : changes) out += static_cast<char>(change.type);
  for (const int32_t offset : offsets) {
    put(&out, static_cast<uint32_t>(offset), 4);
    out += std::string(2, '\0');
  }
  return out + "LMT" + '\0' + "\n" + rule + "\n";
}

TEST(ZoneOffsets, ChangesAtTheListedInstants) {
  const ZoneOffsets zone(zone_file({9017, 7200, 10800}, {{-100, 1}, {50, 2}}, ""));
  EXPECT_EQ(zone.seconds_at(INT64_MIN), 9017);
  EXPECT_EQ(zone.seconds_at(-101), 9017);
  EXPECT_EQ(zone.seconds_at(-100), 7200);
  EXPECT_EQ(zone.seconds_at(49), 7200);
  EXPECT_EQ(zone.seconds_at(50), 10800);
  EXPECT_EQ(zone.seconds_at(INT64_MAX), 10800);
}

struct RuleCase {
  const char* rule;
  int64_t instant;
  int32_t seconds;
};

TEST(ZoneOffsets, FollowsTheRuleAfterTheLastChange) {
  // Expected values are those of Python's zoneinfo for the same rules.
  constexpr RuleCase kCases[] = {
      {"<+0530>-5:30", 4102444800, 19800},
      {"EST5EDT,M3.2.0,M11.1.0", 1710053999, -18000},
      {"EST5EDT,M3.2.0,M11.1.0", 1710054000, -14400},
      {"EST5EDT,M3.2.0,M11.1.0", 1730613599, -14400},
      {"EST5EDT,M3.2.0,M11.1.0", 1730613600, -18000},
      // Ireland: the time of winter is the exception.
      {"IST-1GMT0,M10.5.0,M3.5.0/1", 1711846799, 0},
      {"IST-1GMT0,M10.5.0,M3.5.0/1", 1711846800, 3600},
      {"IST-1GMT0,M10.5.0,M3.5.0/1", 1729990800, 0},
      // Summer over the end of the year.
      {"AEST-10AEDT,M10.1.0,M4.1.0/3", 1704067200, 39600},
      {"AEST-10AEDT,M10.1.0,M4.1.0/3", 1719792000, 36000},
      // The day before the last Sunday: hours below zero.
      {"<-02>2<-01>,M3.5.0/-1,M10.5.0/0", 1711846799, -7200},
      {"<-02>2<-01>,M3.5.0/-1,M10.5.0/0", 1711846800, -3600},
      // Day 60 is the first of March, in leap years too.
      {"XXX0YYY,J60/0,J300/0", 1709251199, 0},
      {"XXX0YYY,J60/0,J300/0", 1709251200, 3600},
      {"XXX0YYY,59/0,300/0", 1709164799, 0},
      {"XXX0YYY,59/0,300/0", 1709164800, 3600},
  };
  for (const RuleCase& one : kCases) {
    const ZoneOffsets zone(zone_file({0}, {}, one.rule));
    EXPECT_EQ(zone.seconds_at(one.instant), one.seconds) << one.rule << ' ' << one.instant;
    (void)zone.seconds_at(INT64_MIN);
    (void)zone.seconds_at(INT64_MAX);
  }
}

TEST(ZoneOffsets, RefusesMalformedFiles) {
  const std::string file = zone_file({9017, 7200}, {{-100, 1}}, "EST5EDT,M3.2.0,M11.1.0");
  EXPECT_NO_THROW(ZoneOffsets{file});
  for (size_t size = 0; size < file.size(); ++size) {
    EXPECT_THROW(ZoneOffsets{std::string_view(file).substr(0, size)}, Error) << size;
  }
  EXPECT_THROW(ZoneOffsets{zone_file({0}, {{5, 0}, {4, 0}}, "")}, Error);
  EXPECT_THROW(ZoneOffsets{zone_file({0}, {{5, 1}}, "")}, Error);
  EXPECT_THROW(ZoneOffsets{zone_file({}, {}, "")}, Error);
  for (const char* rule : {"EST", "EST5EDT", "EST5EDT,M3.2.0", "EST5EDT,M13.2.0,M11.1.0",
                           "EST5EDT,M3.2.0,M11.1.0,", "EST999", "<EST5"}) {
    EXPECT_THROW(ZoneOffsets{zone_file({0}, {}, rule)}, Error) << rule;
  }
}

TEST(ZoneOffsets, SaysWhichFoldersLackAZone) {
  try {
    (void)ZoneOffsets::of_system("Nowhere/Land");
    FAIL();
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), ErrorCode::Io);
    EXPECT_NE(error.hint().find("tzdata"), std::string::npos);
  }
}

}  // namespace
}  // namespace xwalk
