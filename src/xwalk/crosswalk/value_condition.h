#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "xwalk/base/int128.h"
#include "xwalk/hub/array.h"
#include "xwalk/hub/type.h"

namespace xwalk::crosswalk {

/// Which values of a column a remark is about.
struct ValueCondition {
  enum class Kind : uint8_t {
    Any,            ///< all of them
    Null,           ///< nulls
    DayOutside,     ///< dates outside [low, high], in nanoseconds since 1970
    TimeOutside,    ///< instants outside [low, high], in nanoseconds since 1970
    FinerThan,      ///< times, instants and durations that are not a multiple of `low` nanoseconds
    NumberOutside,  ///< integers outside [low, high]
    ManyDigits,     ///< decimals with more than `low` digits that are not zeros at the end
    NotAnObject,    ///< JSON values other than objects
    HalfSurrogate,  ///< JSON with an escape for one half of a surrogate pair
    NotUtf8,        ///< bytes that are not UTF-8
    EndsInZero,     ///< bytes of which the last is zero
    WithMonths,     ///< calendar intervals with months
    FarInterval,    ///< calendar intervals of 2^31 or more months or days
  };
  Kind kind = Kind::Any;
  Int128 low = 0;
  Int128 high = 0;

  /// Returns true for a condition that some values do not meet.
  bool is_given() const { return kind != Kind::Any; }
  /// Returns the values in words, for a sentence that goes on with a verb in the plural: `times
  /// outside the years 1677 to 2262`.
  std::string text() const;

  friend bool operator==(const ValueCondition&, const ValueCondition&) = default;
};

/// Decimals that a double does not hold.
inline constexpr ValueCondition kDigitsOfDouble{ValueCondition::Kind::ManyDigits, 15};

/// How many values of a column meet a condition.
struct ValueCount {
  uint64_t affected = 0;
  /// All values; nulls count only for a condition on nulls.
  uint64_t values = 0;
};

/// Returns true if the values of a type show whether they meet a condition. Those of a unit that is
/// too coarse for it do not.
bool can_judge(const ValueCondition& condition, const hub::Type& type);

/// Returns true if a value meets a condition that `can_judge` accepts for its type, which has no
/// encoding. The value is not null. INT96 and INTERVAL of Parquet may be their 12 bytes.
bool meets(const ValueCondition& condition, const hub::Array& array, const hub::Type& type,
           int64_t index);

}  // namespace xwalk::crosswalk
