#include "xwalk/crosswalk/value_condition.h"

#include <cstring>
#include <string_view>

#include <fmt/format.h>

#include "xwalk/base/text.h"
#include "xwalk/base/time_text.h"
#include "xwalk/base/wide_integer.h"
#include "xwalk/hub/domain.h"
#include "xwalk/hub/kinds.h"
#include "xwalk/hub/value_at.h"
#include "xwalk/parquet/stored.h"

namespace xwalk::crosswalk {
namespace {

using Kind = ValueCondition::Kind;

constexpr int64_t kNanosOfSecond = 1'000'000'000;
constexpr int64_t kNanosOfDay = 86'400 * kNanosOfSecond;
/// Bytes of an INT96 and of an INTERVAL.
constexpr int32_t kStoredBytes = 12;

bool is_stored(const hub::Type& type) {
  return type.kind() == hub::Kind::FixedSizeBinary && type.size() == kStoredBytes;
}

bool is_instant(const hub::Type& type) {
  return type.kind() == hub::Kind::Timestamp || is_stored(type);
}

bool is_day(const hub::Type& type) {
  return type.kind() == hub::Kind::Date32 || type.kind() == hub::Kind::Date64;
}

/// Returns the nanoseconds of one tick of a type in a unit of time.
int64_t nanos_of_tick(const hub::Type& type) {
  if (is_stored(type)) return 1;
  if (type.kind() == hub::Kind::Date32) return kNanosOfDay;
  if (type.kind() == hub::Kind::Date64) return kNanosOfSecond / 1000;
  return kNanosOfSecond / hub::ticks_per_second(type.unit());
}

template <typename T>
T load(const char* bytes) {
  T out;
  std::memcpy(&out, bytes, sizeof(T));
  return out;
}

/// Returns the nanoseconds of a date, a time, an instant or a duration.
Int128 nanos_at(const hub::Array& array, const hub::Type& type, int64_t index) {
  if (is_stored(type)) {
    const char* bytes = array.fixed(index, kStoredBytes);
    const Int128 day = static_cast<int64_t>(load<uint32_t>(bytes + 8)) - parquet::kJulianEpoch;
    return day * kNanosOfDay + load<int64_t>(bytes);
  }
  return Int128{hub::integer_at(array, type.kind(), index)} * nanos_of_tick(type);
}

/// Returns how many digits a decimal has, without zeros at the end.
int64_t digits_at(const hub::Array& array, const hub::Type& type, int64_t index) {
  const std::string text = to_decimal_text(hub::decimal_at(array, type.kind(), index));
  const size_t last = text.find_last_not_of('0');
  if (last == std::string::npos) return 0;
  return static_cast<int64_t>(last + 1) - (text.front() == '-' ? 1 : 0);
}

bool is_object(std::string_view json) {
  const size_t first = json.find_first_not_of(" \t\r\n");
  return first != std::string_view::npos && json[first] == '{';
}

/// Returns the code unit of the escape `\uXXXX` that begins at `at`, or 0 without one.
uint32_t escaped_unit(std::string_view json, size_t at) {
  if (at + 6 > json.size() || json[at] != '\\' || json[at + 1] != 'u') return 0;
  uint32_t unit = 0;
  for (const char c : json.substr(at + 2, 4)) {
    const bool is_digit = c >= '0' && c <= '9';
    unit = unit * 16 + static_cast<uint32_t>(is_digit ? c - '0' : (c | 0x20) - 'a' + 10);
  }
  return unit;
}

bool has_half_surrogate(std::string_view json) {
  for (size_t at = json.find('\\'); at != std::string_view::npos; at = json.find('\\', at)) {
    const uint32_t unit = escaped_unit(json, at);
    const bool is_pair = unit >= 0xd800 && unit < 0xdc00 && escaped_unit(json, at + 6) >= 0xdc00 &&
                         escaped_unit(json, at + 6) < 0xe000;
    if (!is_pair && unit >= 0xd800 && unit < 0xe000) return true;
    at += is_pair ? 12 : 2;
  }
  return false;
}

bool has_months(const hub::Array& array, const hub::Type& type, int64_t index) {
  if (is_stored(type)) return load<uint32_t>(array.fixed(index, kStoredBytes)) != 0;
  if (type.kind() == hub::Kind::IntervalMonths) return array.value<int32_t>(index) != 0;
  return load<int32_t>(array.fixed(index, sizeof(parquet::MonthDayNano))) != 0;
}

/// Arrow's intervals have no such months and days.
bool is_far_interval(const hub::Array& array, const hub::Type& type, int64_t index) {
  if (!is_stored(type)) return false;
  const char* bytes = array.fixed(index, kStoredBytes);
  return ((load<uint32_t>(bytes) | load<uint32_t>(bytes + 4)) >> 31) != 0;
}

int64_t year_of(Int128 nanos) {
  const Int128 day = nanos / kNanosOfDay - (nanos % kNanosOfDay < 0 ? 1 : 0);
  return civil_from_days(static_cast<int64_t>(day)).year;
}

}  // namespace

std::string ValueCondition::text() const {
  switch (kind) {
    case Kind::Any:
      return "values";
    case Kind::Null:
      return "nulls";
    case Kind::DayOutside:
      return fmt::format("days outside the years {} to {}", year_of(low), year_of(high));
    case Kind::TimeOutside:
      return fmt::format("times outside the years {} to {}", year_of(low), year_of(high));
    case Kind::FinerThan:
      return fmt::format("parts finer than {}", low == 1000 ? "microseconds" : "milliseconds");
    case Kind::NumberOutside:
      return fmt::format("numbers outside {} to {}", to_string(low), to_string(high));
    case Kind::ManyDigits:
      return fmt::format("digits after the first {}", to_string(low));
    case Kind::NotAnObject:
      return "values other than objects";
    case Kind::HalfSurrogate:
      return "values with half of a surrogate pair (\"\\ud800\")";
    case Kind::NotUtf8:
      return "bytes that are not UTF-8";
    case Kind::EndsInZero:
      return "zero bytes at the end";
    case Kind::WithMonths:
      return "months";
    case Kind::FarInterval:
      return "months and days from 2^31 on";
  }
  return "";
}

bool can_judge(const ValueCondition& condition, const hub::Type& type) {
  const hub::Kind kind = type.kind();
  const bool is_bytes =
      hub::is_utf8(kind) || hub::is_binary(kind) || kind == hub::Kind::FixedSizeBinary;
  switch (condition.kind) {
    case Kind::Any:
      return false;
    case Kind::Null:
      return true;
    case Kind::DayOutside:
      return is_day(type);
    case Kind::TimeOutside:
      return is_instant(type);
    case Kind::FinerThan:
      return (is_instant(type) || kind == hub::Kind::Time32 || kind == hub::Kind::Time64 ||
              kind == hub::Kind::Duration) &&
             nanos_of_tick(type) < condition.low;
    case Kind::NumberOutside:
      return hub::is_integer(kind);
    case Kind::ManyDigits:
      return hub::is_decimal(kind);
    case Kind::NotAnObject:
    case Kind::HalfSurrogate:
    case Kind::NotUtf8:
    case Kind::EndsInZero:
      return is_bytes;
    case Kind::WithMonths:
      return is_stored(type) || kind == hub::Kind::IntervalMonths ||
             kind == hub::Kind::IntervalMonthDayNano;
    case Kind::FarInterval:
      return is_stored(type) || kind == hub::Kind::IntervalMonthDayNano;
  }
  return false;
}

bool meets(const ValueCondition& condition, const hub::Array& array, const hub::Type& type,
           int64_t index) {
  const auto is_outside = [&](Int128 value) {
    return value < condition.low || value > condition.high;
  };
  switch (condition.kind) {
    case Kind::Any:
    case Kind::Null:
      return false;
    case Kind::DayOutside:
    case Kind::TimeOutside:
      return is_outside(nanos_at(array, type, index));
    case Kind::FinerThan:
      return nanos_at(array, type, index) % condition.low != 0;
    case Kind::NumberOutside: {
      const int64_t value = hub::integer_at(array, type.kind(), index);
      const bool is_unsigned = type.kind() == hub::Kind::Uint64;
      return is_outside(is_unsigned ? Int128{static_cast<uint64_t>(value)} : Int128{value});
    }
    case Kind::ManyDigits:
      return digits_at(array, type, index) > condition.low;
    case Kind::NotAnObject:
      return !is_object(hub::bytes_at(array, type, index));
    case Kind::HalfSurrogate:
      return has_half_surrogate(hub::bytes_at(array, type, index));
    case Kind::NotUtf8:
      return !is_valid_utf8(hub::bytes_at(array, type, index));
    case Kind::EndsInZero:
      return hub::bytes_at(array, type, index).ends_with('\0');
    case Kind::WithMonths:
      return has_months(array, type, index);
    case Kind::FarInterval:
      return is_far_interval(array, type, index);
  }
  return false;
}

}  // namespace xwalk::crosswalk
