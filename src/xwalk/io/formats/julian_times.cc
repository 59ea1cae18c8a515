#include "xwalk/io/formats/julian_times.h"

#include <algorithm>
#include <charconv>
#include <cstdint>
#include <cstring>
#include <limits>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "xwalk/base/text.h"
#include "xwalk/crosswalk/column_keys.h"
#include "xwalk/hub/domain.h"
#include "xwalk/io/rows/row_stream.h"
#include "xwalk/parquet/stored.h"
#include "xwalk/parquet/values.h"

namespace xwalk::io {
namespace {

using hub::Field;
using hub::Kind;

constexpr std::string_view kVersion = "org.apache.spark.version";
constexpr std::string_view kTimeZone = "org.apache.spark.timeZone";

/// Days from 1970-01-01 to 1582-10-15, the first day of the Gregorian calendar.
constexpr int64_t kFirstGregorian = -141427;
constexpr int64_t kSecondsPerDay = 86400;
/// Seconds from 1970-01-01 to 1900-01-01 in UTC. All zones of Spark are alike in both calendars
/// since then.
constexpr int64_t kAlikeSince = -2208988800;

int64_t floor_divide(int64_t a, int64_t b) { return a / b - (a % b < 0 ? 1 : 0); }

/// Returns the days from 1970-01-01 of a date of the proleptic Gregorian calendar.
int64_t gregorian_days(int64_t year, int64_t month, int64_t day) {
  const int64_t y = month <= 2 ? year - 1 : year;
  const int64_t era = floor_divide(y, 400);
  const int64_t of_era = y - era * 400;
  const int64_t of_year = (153 * (month + (month > 2 ? -3 : 9)) + 2) / 5 + day - 1;
  return era * 146097 + of_era * 365 + of_era / 4 - of_era / 100 + of_year - 719468;
}

/// Returns the day that has the same date in the Gregorian calendar as another one in the Julian. A
/// 29th of February that only the Julian one has becomes the 1st of March.
int64_t same_date(int64_t days) {
  if (days >= kFirstGregorian) return days;
  // Days since March 1 of the year 0 of the Julian calendar, in cycles of four years.
  const int64_t since = days + 719470;
  const int64_t cycle = floor_divide(since, 1461);
  const int64_t of_cycle = since - cycle * 1461;
  const int64_t year = std::min<int64_t>(of_cycle / 365, 3);
  const int64_t of_year = of_cycle - year * 365;
  const int64_t march_month = (5 * of_year + 2) / 153;
  const int64_t day = of_year - (153 * march_month + 2) / 5;
  const int64_t month = march_month + (march_month < 10 ? 3 : -9);
  return gregorian_days(cycle * 4 + year + (month <= 2 ? 1 : 0), month, 1) + day;
}

int64_t per_second(hub::TimeUnit unit) {
  switch (unit) {
    case hub::TimeUnit::Second:
      return 1;
    case hub::TimeUnit::Milli:
      return 1'000;
    case hub::TimeUnit::Micro:
      return 1'000'000;
    case hub::TimeUnit::Nano:
      return 1'000'000'000;
  }
  return 1;
}

int64_t same_time(int64_t value, int64_t per_day) {
  const int64_t days = floor_divide(value, per_day);
  // The slot of a null may hold anything.
  return static_cast<int64_t>(static_cast<uint64_t>(value) +
                              static_cast<uint64_t>((same_date(days) - days) * per_day));
}

/// A time as Parquet stores it in 12 bytes: the nanoseconds of a day, and the day.
struct Int96 {
  uint32_t low;
  int32_t high;
  int32_t day;

  /// Returns the days from 1970-01-01.
  int64_t days() const {
    constexpr int64_t kNanosPerDay = kSecondsPerDay * 1'000'000'000;
    const auto nanos = static_cast<int64_t>(static_cast<uint64_t>(high) << 32 | low);
    return day - parquet::kJulianEpoch + floor_divide(nanos, kNanosPerDay);
  }
  friend bool operator==(const Int96&, const Int96&) = default;
};
static_assert(sizeof(Int96) == 12);

Int96 same_time(Int96 value) {
  const int64_t days = value.days();
  value.day += static_cast<int32_t>(same_date(days) - days);
  return value;
}

/// Times of INT96 that are the same in both calendars and all zones of Spark.
constexpr hub::ContentRule kAlikeInt96 = {
    "an INT96 time since 1900",
    [](std::string_view bytes) {
      Int96 value;
      std::memcpy(&value, bytes.data(), sizeof(value));
      return value.days() >= floor_divide(kAlikeSince, kSecondsPerDay);
    },
    [](std::string_view bytes) {
      return fmt::format("{} in the Julian calendar", parquet::text_of_int96(bytes.data()));
    }};

/// What of a file is in the Julian calendar.
struct Calendar {
  bool dates = false;  ///< and instants
  bool int96 = false;
  std::string zone;

  bool is_any() const { return dates || int96; }
  /// Returns true for a time that Spark moves to the other calendar, decoded or as INT96. It has
  /// written none without a zone in the Julian one, except INT96.
  bool has_times_of(const Field& field) const {
    if (parquet::is_int96(field)) return int96;
    return dates && field.type.kind() == Kind::Timestamp && !field.type.zone().empty();
  }

  bool is_utc() const {
    return zone == "UTC" || zone == "Z" || zone == "Etc/UTC" || zone == "GMT" || zone == "+00:00";
  }
};

/// Returns true for a release of Spark before another one: `2.4.8` before `3.0`.
bool is_before(std::string_view version, int major, int minor) {
  int found[2] = {0, 0};
  const char* at = version.data();
  const char* const end = at + version.size();
  for (int& number : found) {
    const auto [next, failed] = std::from_chars(at, end, number);
    if (failed != std::errc()) return false;
    at = next != end && *next == '.' ? next + 1 : next;
  }
  return std::pair(found[0], found[1]) < std::pair(major, minor);
}

/// `file` is a footer or the metadata in it.
Calendar calendar_of(const auto& file) {
  const std::optional<std::string_view> version = file.find(kVersion);
  const auto is_legacy = [&](std::string_view key, int major, int minor) {
    return file.find(key) || (version && is_before(*version, major, minor));
  };
  Calendar out;
  out.dates = is_legacy(crosswalk::kJulianTimes, 3, 0);
  out.int96 = is_legacy(crosswalk::kJulianInt96, 3, 1);
  out.zone = file.find(kTimeZone).value_or("");
  return out;
}

/// Replaces the values of an array that `change` changes.
template <typename T, typename Change>
void change_values(hub::Array* array, const Change& change) {
  const int64_t count = array->offset + array->length;
  const T* const old = array->raw<T>(1);
  const auto differs = [&](T value) { return change(value) != value; };
  if (old == nullptr || std::none_of(old + array->offset, old + count, differs)) return;
  hub::Buffer buffer(count * static_cast<int64_t>(sizeof(T)));
  std::transform(old, old + count, buffer.as<T>(), change);
  array->buffers[1] = buffer.as<T>();
  array->owners.push_back(buffer.owner());
}

/// Changes the calendar of an array and of those below it.
void change_calendar(const Field& field, const Calendar& calendar, hub::Array* array) {
  const hub::Type& type = field.type;
  if (type.kind() == Kind::Date32 && calendar.dates) {
    change_values<int32_t>(array,
                           [](int32_t days) { return static_cast<int32_t>(same_date(days)); });
  } else if (calendar.has_times_of(field) && calendar.is_utc() &&
             type.kind() == Kind::FixedSizeBinary) {
    change_values<Int96>(array, [](Int96 value) { return same_time(value); });
  } else if (calendar.has_times_of(field) && calendar.is_utc()) {
    const int64_t per_day = kSecondsPerDay * per_second(type.unit());
    change_values<int64_t>(array, [&](int64_t value) { return same_time(value, per_day); });
  }
  for (size_t i = 0; i < array->children.size(); ++i) {
    change_calendar(type.children()[i], calendar, &array->children[i]);
  }
}

bool has_times(const Field& field, const Calendar& calendar) {
  const auto below = [&](const Field& child) { return has_times(child, calendar); };
  return calendar.has_times_of(field) || std::ranges::any_of(field.type.children(), below);
}

std::string zone_of(const Calendar& calendar) {
  return calendar.zone.empty() ? "of its session" : calendar.zone;
}

}  // namespace

void drop_calendar_keys(hub::Metadata* metadata) {
  const Calendar calendar = calendar_of(*metadata);
  metadata->erase(crosswalk::kJulianTimes);
  metadata->erase(crosswalk::kJulianInt96);
  const std::optional<std::string_view> version = metadata->find(kVersion);
  if (version && is_before(*version, 3, 1)) metadata->erase(kVersion);
  if (calendar.is_utc()) return;
  const std::string zone = zone_of(calendar);
  if (calendar.dates) metadata->set(crosswalk::kJulianTimes, zone);
  if (calendar.int96) metadata->set(crosswalk::kJulianInt96, zone);
}

std::unique_ptr<SplitReader> with_gregorian_times(std::unique_ptr<SplitReader> reader,
                                                  const parquet::Footer& footer,
                                                  std::string_view name) {
  const Calendar calendar = calendar_of(footer);
  if (!calendar.is_any()) return reader;
  const hub::Schema schema = reader->schema();
  const auto change = [fields = schema.fields, calendar](hub::Batch batch) {
    for (size_t i = 0; i < fields.size(); ++i) {
      change_calendar(fields[i], calendar, &batch.array.children[i]);
    }
    return batch;
  };
  reader = change_pieces(std::move(reader), schema, ChangeBatch(change));
  const auto is_rejected = [&](const Field& field) { return has_times(field, calendar); };
  if (calendar.is_utc() || std::ranges::none_of(schema.fields, is_rejected)) return reader;
  const hub::Refine since = [calendar](const Field& field) {
    hub::Refinement out;
    if (!calendar.has_times_of(field)) return out;
    if (field.type.kind() == Kind::FixedSizeBinary) {
      out.content = &kAlikeInt96;
      return out;
    }
    // 292 years of nanoseconds reach to 1900, too.
    out.range = {kAlikeSince * per_second(field.type.unit()), std::numeric_limits<int64_t>::max()};
    return out;
  };
  reader = check_promises(std::move(reader), since, std::string(name));
  hub::Finding note{.rule = "range.narrowed"};
  note.lost = fmt::format(
      "times before 1900 are rejected: Spark wrote them in the Julian calendar, in the zone {}",
      zone_of(calendar));
  return add_notes(std::move(reader), {std::move(note)});
}

}  // namespace xwalk::io
