#pragma once

#include <cstddef>
#include <cstdint>

namespace xwalk {

/// A day of the proleptic Gregorian calendar. Years count through 0 (1 BC).
struct CivilDate {
  int64_t year = 1970;
  int month = 1;
  int day = 1;

  friend bool operator==(const CivilDate&, const CivilDate&) = default;
};

/// Turns days since 1970-01-01 into a date and back, over far more than the range of date32.
constexpr CivilDate civil_from_days(int64_t days) {
  // Counts in eras of 400 years that begin on the first of March (H. Hinnant's algorithm).
  days += 719468;
  int64_t era = (days >= 0 ? days : days - 146096) / 146097;
  int64_t day_of_era = days - era * 146097;
  int64_t year_of_era =
      (day_of_era - day_of_era / 1460 + day_of_era / 36524 - day_of_era / 146096) / 365;
  int64_t day_of_year = day_of_era - (365 * year_of_era + year_of_era / 4 - year_of_era / 100);
  int64_t shifted = (5 * day_of_year + 2) / 153;
  int month = static_cast<int>(shifted < 10 ? shifted + 3 : shifted - 9);
  return {year_of_era + era * 400 + (month <= 2 ? 1 : 0), month,
          static_cast<int>(day_of_year - (153 * shifted + 2) / 5 + 1)};
}

constexpr int64_t days_from_civil(const CivilDate& date) {
  int64_t year = date.year - (date.month <= 2 ? 1 : 0);
  int64_t era = (year >= 0 ? year : year - 399) / 400;
  int64_t year_of_era = year - era * 400;
  int64_t day_of_year = (153 * (date.month + (date.month > 2 ? -3 : 9)) + 2) / 5 + date.day - 1;
  int64_t day_of_era = year_of_era * 365 + year_of_era / 4 - year_of_era / 100 + day_of_year;
  return era * 146097 + day_of_era - 719468;
}

constexpr int days_in_month(int64_t year, int month) {
  constexpr int kDays[] = {31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31};
  bool leap = year % 4 == 0 && (year % 100 != 0 || year % 400 == 0);
  return month == 2 && leap ? 29 : kDays[month - 1];
}

/// Longest text of each writer below.
inline constexpr size_t kTimeTextSize = 40;

/// Writes a date as `2022-01-02` and returns the end. Years outside 0000…9999 have a sign and as
/// many digits as they need, as ISO 8601 expands them.
char* write_date(int64_t days, char* out);

/// Writes seconds as `03:04:05` and returns the end. Hours from 100 on have as many digits as they
/// need.
char* write_clock(int64_t seconds, char* out);

/// Write ticks, of which a second has 10^digits, without the zeros at the end of a fraction, and
/// return the end: a time of day as `03:04:05.5`, an instant as `2022-01-02T03:04:05.5`.
char* write_time(int64_t ticks, int digits, char* out);
char* write_instant(int64_t ticks, int digits, char* out);

}  // namespace xwalk
