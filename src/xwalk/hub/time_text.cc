#include "xwalk/hub/time_text.h"

#include "xwalk/base/int128.h"
#include "xwalk/base/text.h"
#include "xwalk/base/wide_integer.h"

namespace xwalk::hub {
namespace {

constexpr int64_t kDaySeconds = 86400;
/// Far outside of every type's range, so that no sum below overflows.
constexpr size_t kYearDigits = 7;

/// Takes exactly `digits` digits off the front.
bool take_number(std::string_view* text, size_t digits, int64_t* value) {
  if (text->size() < digits) return false;
  *value = 0;
  for (size_t i = 0; i < digits; ++i) {
    char c = (*text)[i];
    if (!is_ascii_digit(c)) return false;
    *value = *value * 10 + (c - '0');
  }
  text->remove_prefix(digits);
  return true;
}

bool take_char(std::string_view* text, char c) {
  if (text->empty() || text->front() != c) return false;
  text->remove_prefix(1);
  return true;
}

bool take_date(std::string_view* text, int64_t* days, size_t year_digits = kYearDigits) {
  bool negative = take_char(text, '-');
  bool expanded = negative || take_char(text, '+');
  size_t digits = 0;
  while (digits < text->size() && is_ascii_digit((*text)[digits])) ++digits;
  if (expanded ? digits < 4 || digits > year_digits : digits != 4) return false;
  CivilDate date;
  int64_t month;
  int64_t day;
  if (!take_number(text, digits, &date.year) || !take_char(text, '-') ||
      !take_number(text, 2, &month) || !take_char(text, '-') || !take_number(text, 2, &day)) {
    return false;
  }
  if (negative) date.year = -date.year;
  if (month < 1 || month > 12 || day < 1) return false;
  date.month = static_cast<int>(month);
  date.day = static_cast<int>(day);
  if (date.day > days_in_month(date.year, date.month)) return false;
  *days = days_from_civil(date);
  return true;
}

/// Takes an hour and a minute, which have a colon between them.
bool take_minutes(std::string_view* text, int64_t* minutes) {
  int64_t hour;
  int64_t minute;
  if (!take_number(text, 2, &hour) || !take_char(text, ':') || !take_number(text, 2, &minute) ||
      hour > 23 || minute > 59) {
    return false;
  }
  *minutes = hour * 60 + minute;
  return true;
}

bool take_clock(std::string_view* text, int64_t* seconds) {
  int64_t minutes;
  int64_t second;
  if (!take_minutes(text, &minutes) || !take_char(text, ':') || !take_number(text, 2, &second) ||
      second > 59) {
    return false;
  }
  *seconds = minutes * 60 + second;
  return true;
}

bool take_datetime(std::string_view* text, int64_t* seconds) {
  int64_t days;
  int64_t clock;
  if (!take_date(text, &days) || !take_char(text, 'T') || !take_clock(text, &clock)) return false;
  *seconds = days * kDaySeconds + clock;
  return true;
}

constexpr size_t kNanoDigits = 9;

/// Digits of a fraction that a unit has.
size_t fraction_digits(TimeUnit unit) {
  return unit == TimeUnit::Second  ? 0
         : unit == TimeUnit::Milli ? 3
         : unit == TimeUnit::Micro ? 6
                                   : 9;
}

int64_t ticks_in_second(TimeUnit unit) {
  return static_cast<int64_t>(internal::kPowers64[fraction_digits(unit)]);
}

/// Takes a fraction of a second off the front, if there is one.
TimeText take_fraction(std::string_view* text, TimeUnit unit, int64_t* ticks) {
  *ticks = 0;
  if (!take_char(text, '.')) return TimeText::Ok;
  size_t digits = 0;
  while (digits < text->size() && is_ascii_digit((*text)[digits])) ++digits;
  int64_t fraction = 0;
  if (digits < 1 || digits > kNanoDigits || !take_number(text, digits, &fraction)) {
    return TimeText::Malformed;
  }
  fraction *= static_cast<int64_t>(internal::kPowers64[kNanoDigits - digits]);
  const auto step = static_cast<int64_t>(internal::kPowers64[kNanoDigits - fraction_digits(unit)]);
  *ticks = fraction / step;
  return fraction % step == 0 ? TimeText::Ok : TimeText::Finer;
}

/// Takes a zone off the front: the seconds by which its clock is ahead of UTC.
bool take_zone(std::string_view* text, int64_t* ahead) {
  *ahead = 0;
  if (take_char(text, 'Z')) return true;
  const bool is_negative = take_char(text, '-');
  int64_t minutes;
  if ((!is_negative && !take_char(text, '+')) || !take_minutes(text, &minutes)) return false;
  *ahead = (is_negative ? -minutes : minutes) * 60;
  return true;
}

}  // namespace

char* write_datetime(int64_t seconds, char* out) {
  out = xwalk::write_instant(seconds, 0, out);
  *out++ = 'Z';
  return out;
}

char* write_timestamp(int64_t micros, char* out) {
  constexpr int64_t kSecond = 1'000'000;
  const int64_t rest = micros % kSecond;
  const int64_t fraction = rest < 0 ? rest + kSecond : rest;
  out = xwalk::write_instant(micros / kSecond - (rest < 0 ? 1 : 0), 0, out);
  *out++ = '.';
  int64_t digits = kSecond + fraction;
  for (int i = 6; i-- > 0; digits /= 10) out[i] = static_cast<char>('0' + digits % 10);
  out += 6;
  *out++ = 'Z';
  return out;
}

bool read_date(std::string_view text, int64_t* days) {
  return take_date(&text, days) && text.empty();
}

bool read_datetime(std::string_view text, int64_t* seconds) {
  return take_datetime(&text, seconds) && text == "Z";
}

bool read_timestamp(std::string_view text, int64_t* micros) {
  int64_t seconds;
  if (!take_datetime(&text, &seconds)) return false;
  int64_t fraction = 0;
  if (take_char(&text, '.')) {
    size_t digits = 0;
    while (digits < text.size() && is_ascii_digit(text[digits])) ++digits;
    if (digits < 1 || digits > 6 || !take_number(&text, digits, &fraction)) return false;
    for (size_t i = digits; i < 6; ++i) fraction *= 10;
  }
  // The greatest instant of timestamp64 is below this; beyond it, microseconds need more bits.
  constexpr int64_t kMostSeconds = INT64_MAX / 1'000'000 - 1;
  if (text != "Z" || seconds > kMostSeconds || seconds < -kMostSeconds) return false;
  *micros = seconds * 1'000'000 + fraction;
  return true;
}

char* write_time(int64_t ticks, TimeUnit unit, char* out) {
  return xwalk::write_time(ticks, static_cast<int>(fraction_digits(unit)), out);
}

char* write_instant(int64_t ticks, TimeUnit unit, char* out) {
  return xwalk::write_instant(ticks, static_cast<int>(fraction_digits(unit)), out);
}

TimeText read_time(std::string_view text, TimeUnit unit, int64_t* ticks) {
  int64_t seconds;
  int64_t fraction;
  if (!take_clock(&text, &seconds)) return TimeText::Malformed;
  const TimeText result = take_fraction(&text, unit, &fraction);
  if (!text.empty()) return TimeText::Malformed;
  *ticks = seconds * ticks_in_second(unit) + fraction;
  return result;
}

TimeText read_instant(std::string_view text, TimeUnit unit, bool zoned, int64_t* ticks) {
  int64_t days;
  int64_t seconds;
  int64_t fraction;
  int64_t ahead = 0;
  // Seconds of 64 bits reach that far.
  constexpr size_t kMostYearDigits = 12;
  if (!take_date(&text, &days, kMostYearDigits) ||
      !(take_char(&text, 'T') || take_char(&text, ' ')) || !take_clock(&text, &seconds)) {
    return TimeText::Malformed;
  }
  const TimeText result = take_fraction(&text, unit, &fraction);
  if (result == TimeText::Malformed || (zoned && !take_zone(&text, &ahead)) || !text.empty()) {
    return TimeText::Malformed;
  }
  const Int128 whole = Int128{days} * kDaySeconds + seconds - ahead;
  const Int128 exact = whole * ticks_in_second(unit) + fraction;
  *ticks = static_cast<int64_t>(exact);
  return *ticks == exact ? result : TimeText::TooFar;
}

}  // namespace xwalk::hub
