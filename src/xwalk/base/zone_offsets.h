#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace xwalk {

/// The day of a year on which a rule changes the offset, and the second of that day.
struct YearlyChange {
  enum class Day : uint8_t {
    Julian,   ///< `day` is 1 to 365, and 29 February is not counted
    OfYear,   ///< `day` is 0 to 365
    OfMonth,  ///< weekday `day` (0 is Sunday) of `week` (5 is the last) of `month`
  };
  Day kind = Day::OfMonth;
  int month = 1;
  int week = 1;
  int day = 0;
  int32_t second = 2 * 3600;

  /// Returns the seconds since 1970 of the change in a year, on the local clock before it.
  int64_t in_year(int64_t year) const;
};

/// The offsets from UTC of a time zone, from a file of the IANA database (TZif, RFC 9636).
class ZoneOffsets {
 public:
  /// Reads the bytes of a file. Throws Error (Input) if they are not TZif of version 2 or later.
  explicit ZoneOffsets(std::string_view bytes);

  /// Reads the file of a zone in the folder that TZDIR names, or in the folders of the system. The
  /// name must be that of a zone. Throws Error (Io) if no folder has it, Error (Input) if it is
  /// malformed.
  static ZoneOffsets of_system(std::string_view zone);

  /// Returns the seconds that the local clock is ahead of UTC at an instant, in seconds since 1970.
  int32_t seconds_at(int64_t instant) const;

 private:
  void read_rule(std::string_view text);

  std::vector<int64_t> changes_;
  /// One more than changes: the first is valid before all of them.
  std::vector<int32_t> offsets_;
  /// After the last change.
  bool has_rule_ = false;
  bool has_summer_ = false;
  int32_t standard_ = 0;
  int32_t summer_ = 0;
  YearlyChange to_summer_;
  YearlyChange to_standard_;
};

}  // namespace xwalk
