#pragma once

#include <cstdint>
#include <limits>

#include "xwalk/yt/type.h"

namespace xwalk::yt {

/// Ranges of the temporal types, both ends included ("Primitive types" in the specification).
inline constexpr int64_t kSecondsPerDay = 86400;
inline constexpr int64_t kMicrosPerSecond = 1'000'000;
inline constexpr int64_t kMicrosPerDay = kSecondsPerDay * kMicrosPerSecond;
inline constexpr int64_t kDateMax = 49673 - 1;
inline constexpr int64_t kDatetimeMax = 49673 * kSecondsPerDay - 1;
inline constexpr int64_t kTimestampMax = 49673 * kMicrosPerDay - 1;
inline constexpr int64_t kIntervalMax = kTimestampMax;
inline constexpr int64_t kDate32Min = -53375809;
inline constexpr int64_t kDate32Max = 53375808 - 1;
inline constexpr int64_t kDatetime64Min = kDate32Min * kSecondsPerDay;
inline constexpr int64_t kDatetime64Max = 53375808 * kSecondsPerDay - 1;
inline constexpr int64_t kTimestamp64Min = kDate32Min * kMicrosPerDay;
inline constexpr int64_t kTimestamp64Max = 53375808 * kMicrosPerDay - 1;
inline constexpr int64_t kInterval64Max = 9223339708800000000;

/// The integers a type holds. `max` is unsigned to reach 2^64 - 1.
struct IntegerRange {
  int64_t min = 0;
  uint64_t max = 0;

  constexpr bool contains(int64_t value) const {
    return value >= min && (value < 0 || static_cast<uint64_t>(value) <= max);
  }
  constexpr bool contains(uint64_t value) const { return value <= max; }
};

/// Returns true if values of the type are integers in YSON: integers, dates, times, intervals.
constexpr bool is_integral(TypeKind kind) {
  switch (kind) {
    case TypeKind::Int8:
    case TypeKind::Int16:
    case TypeKind::Int32:
    case TypeKind::Int64:
    case TypeKind::Uint8:
    case TypeKind::Uint16:
    case TypeKind::Uint32:
    case TypeKind::Uint64:
    case TypeKind::Date:
    case TypeKind::Datetime:
    case TypeKind::Timestamp:
    case TypeKind::Interval:
    case TypeKind::Date32:
    case TypeKind::Datetime64:
    case TypeKind::Timestamp64:
    case TypeKind::Interval64:
      return true;
    default:
      return false;
  }
}

/// Returns true for an integral type that YSON writes as uint64.
constexpr bool is_unsigned(TypeKind kind) {
  switch (kind) {
    case TypeKind::Uint8:
    case TypeKind::Uint16:
    case TypeKind::Uint32:
    case TypeKind::Uint64:
    case TypeKind::Date:
    case TypeKind::Datetime:
    case TypeKind::Timestamp:
      return true;
    default:
      return false;
  }
}

/// Returns the range of an integral type, or of the instant of a type with a time zone; {0, 0} for
/// others.
constexpr IntegerRange integer_range(TypeKind kind) {
  auto symmetric = [](int64_t max) { return IntegerRange{-max, static_cast<uint64_t>(max)}; };
  auto range = [](int64_t min, int64_t max) {
    return IntegerRange{min, static_cast<uint64_t>(max)};
  };
  switch (kind) {
    case TypeKind::Int8:
      return range(-128, 127);
    case TypeKind::Int16:
      return range(-32768, 32767);
    case TypeKind::Int32:
      return range(INT32_MIN, INT32_MAX);
    case TypeKind::Int64:
      return range(INT64_MIN, INT64_MAX);
    case TypeKind::Uint8:
      return {0, UINT8_MAX};
    case TypeKind::Uint16:
      return {0, UINT16_MAX};
    case TypeKind::Uint32:
      return {0, UINT32_MAX};
    case TypeKind::Uint64:
      return {0, UINT64_MAX};
    case TypeKind::Date:
    case TypeKind::TzDate:
      return range(0, kDateMax);
    case TypeKind::Datetime:
    case TypeKind::TzDatetime:
      return range(0, kDatetimeMax);
    case TypeKind::Timestamp:
    case TypeKind::TzTimestamp:
      return range(0, kTimestampMax);
    case TypeKind::Interval:
      return symmetric(kIntervalMax);
    case TypeKind::Date32:
    case TypeKind::TzDate32:
      return range(kDate32Min, kDate32Max);
    case TypeKind::Datetime64:
    case TypeKind::TzDatetime64:
      return range(kDatetime64Min, kDatetime64Max);
    case TypeKind::Timestamp64:
    case TypeKind::TzTimestamp64:
      return range(kTimestamp64Min, kTimestamp64Max);
    case TypeKind::Interval64:
      return symmetric(kInterval64Max);
    default:
      return {};
  }
}

/// Returns the type of the instant that a type with a time zone holds.
constexpr TypeKind tz_instant(TypeKind kind) {
  switch (kind) {
    case TypeKind::TzDate:
      return TypeKind::Date;
    case TypeKind::TzDatetime:
      return TypeKind::Datetime;
    case TypeKind::TzTimestamp:
      return TypeKind::Timestamp;
    case TypeKind::TzDate32:
      return TypeKind::Date32;
    case TypeKind::TzDatetime64:
      return TypeKind::Datetime64;
    case TypeKind::TzTimestamp64:
      return TypeKind::Timestamp64;
    default:
      return kind;
  }
}

}  // namespace xwalk::yt
