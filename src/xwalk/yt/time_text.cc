#include "xwalk/yt/time_text.h"

#include "xwalk/base/text.h"
#include "xwalk/yson/writer.h"

namespace xwalk::yt {
namespace {

constexpr int64_t kDaySeconds = 86400;
/// Far outside of every type's range, so that no sum below overflows.
constexpr size_t kYearDigits = 7;

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

char* write_clock(int64_t seconds, char* out) {
  *out++ = 'T';
  out = write_padded(seconds / 3600, 2, out);
  *out++ = ':';
  out = write_padded(seconds / 60 % 60, 2, out);
  *out++ = ':';
  return write_padded(seconds % 60, 2, out);
}

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

bool take_date(std::string_view* text, int64_t* days) {
  bool negative = take_char(text, '-');
  bool expanded = negative || take_char(text, '+');
  size_t digits = 0;
  while (digits < text->size() && is_ascii_digit((*text)[digits])) ++digits;
  if (expanded ? digits < 4 || digits > kYearDigits : digits != 4) return false;
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

bool take_datetime(std::string_view* text, int64_t* seconds) {
  int64_t days;
  int64_t hour;
  int64_t minute;
  int64_t second;
  if (!take_date(text, &days) || !take_char(text, 'T') || !take_number(text, 2, &hour) ||
      !take_char(text, ':') || !take_number(text, 2, &minute) || !take_char(text, ':') ||
      !take_number(text, 2, &second)) {
    return false;
  }
  if (hour > 23 || minute > 59 || second > 59) return false;
  *seconds = days * kDaySeconds + hour * 3600 + minute * 60 + second;
  return true;
}

}  // namespace

char* write_date(int64_t days, char* out) {
  CivilDate date = civil_from_days(days);
  if (date.year >= 0 && date.year <= 9999) {
    out = write_padded(date.year, 4, out);
  } else {
    *out++ = date.year < 0 ? '-' : '+';
    int64_t year = date.year < 0 ? -date.year : date.year;
    out = year <= 9999 ? write_padded(year, 4, out)
                       : yson::write_digits(out, static_cast<uint64_t>(year));
  }
  *out++ = '-';
  out = write_padded(date.month, 2, out);
  *out++ = '-';
  return write_padded(date.day, 2, out);
}

char* write_datetime(int64_t seconds, char* out) {
  Split split = floor_split(seconds, kDaySeconds);
  out = write_clock(split.rest, write_date(split.whole, out));
  *out++ = 'Z';
  return out;
}

char* write_timestamp(int64_t micros, char* out) {
  Split parts = floor_split(micros, 1'000'000);
  Split split = floor_split(parts.whole, kDaySeconds);
  out = write_clock(split.rest, write_date(split.whole, out));
  *out++ = '.';
  out = write_padded(parts.rest, 6, out);
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

}  // namespace xwalk::yt
