#include "xwalk/base/time_text.h"

#include <charconv>

#include "xwalk/base/wide_integer.h"

namespace xwalk {
namespace {

constexpr int64_t kDaySeconds = 86400;

struct Split {
  int64_t whole;
  int64_t rest;
};

constexpr Split floor_split(int64_t value, int64_t unit) {
  int64_t whole = value / unit;
  int64_t rest = value % unit;
  return rest < 0 ? Split{whole - 1, rest + unit} : Split{whole, rest};
}

char* write_padded(int64_t value, int digits, char* out) {
  for (int i = digits; i-- > 0;) {
    out[i] = static_cast<char>('0' + value % 10);
    value /= 10;
  }
  return out + digits;
}

char* write_number(int64_t value, char* out) {
  return std::to_chars(out, out + kTimeTextSize, value).ptr;
}

int64_t ticks_in_second(int digits) { return static_cast<int64_t>(internal::kPowers64[digits]); }

/// Writes a fraction of a second, or nothing if it is zero.
char* write_fraction(int64_t ticks, int digits, char* out) {
  if (ticks == 0) return out;
  *out++ = '.';
  out = write_padded(ticks, digits, out);
  while (out[-1] == '0') --out;
  return out;
}

}  // namespace

char* write_date(int64_t days, char* out) {
  CivilDate date = civil_from_days(days);
  if (date.year >= 0 && date.year <= 9999) {
    out = write_padded(date.year, 4, out);
  } else {
    *out++ = date.year < 0 ? '-' : '+';
    int64_t year = date.year < 0 ? -date.year : date.year;
    out = year <= 9999 ? write_padded(year, 4, out) : write_number(year, out);
  }
  *out++ = '-';
  out = write_padded(date.month, 2, out);
  *out++ = '-';
  return write_padded(date.day, 2, out);
}

char* write_clock(int64_t seconds, char* out) {
  const int64_t hours = seconds / 3600;
  out = hours < 100 ? write_padded(hours, 2, out) : write_number(hours, out);
  *out++ = ':';
  out = write_padded(seconds / 60 % 60, 2, out);
  *out++ = ':';
  return write_padded(seconds % 60, 2, out);
}

char* write_time(int64_t ticks, int digits, char* out) {
  const int64_t per_second = ticks_in_second(digits);
  // Below zero there is no time of a day: the sign alone tells.
  if (ticks < 0) *out++ = '-';
  const uint64_t size = ticks < 0 ? 0 - static_cast<uint64_t>(ticks) : static_cast<uint64_t>(ticks);
  const auto whole = static_cast<int64_t>(size / static_cast<uint64_t>(per_second));
  const auto rest = static_cast<int64_t>(size % static_cast<uint64_t>(per_second));
  return write_fraction(rest, digits, write_clock(whole, out));
}

char* write_instant(int64_t ticks, int digits, char* out) {
  const Split parts = floor_split(ticks, ticks_in_second(digits));
  const Split split = floor_split(parts.whole, kDaySeconds);
  out = write_date(split.whole, out);
  *out++ = 'T';
  return write_fraction(parts.rest, digits, write_clock(split.rest, out));
}

}  // namespace xwalk
