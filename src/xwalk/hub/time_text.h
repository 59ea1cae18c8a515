#pragma once

#include <cstdint>
#include <string_view>

#include "xwalk/base/time_text.h"
#include "xwalk/hub/type.h"

namespace xwalk::hub {

using xwalk::civil_from_days;
using xwalk::CivilDate;
using xwalk::days_from_civil;
using xwalk::days_in_month;
using xwalk::kTimeTextSize;
using xwalk::write_date;

/// Write the text of `time_mode=text` and return the end: `2022-01-02T03:04:05Z`,
/// `2022-01-02T03:04:05.123456Z`.
char* write_datetime(int64_t seconds, char* out);
char* write_timestamp(int64_t micros, char* out);

/// Parse the text that the writers produce. A timestamp may have zero to six digits after the
/// seconds. Returns false for anything else, including a day or an hour that does not exist.
bool read_date(std::string_view text, int64_t* days);
bool read_datetime(std::string_view text, int64_t* seconds);
bool read_timestamp(std::string_view text, int64_t* micros);

/// Write ticks of any unit without the zeros at the end of a fraction, and return the end: a time
/// of day as `03:04:05.5`, an instant as `2022-01-02T03:04:05.5`, without a zone.
char* write_time(int64_t ticks, TimeUnit unit, char* out);
char* write_instant(int64_t ticks, TimeUnit unit, char* out);

/// The result of parsing text as a time.
enum class TimeText : uint8_t {
  Ok,
  Malformed,
  Finer,   ///< digits that the unit has no place for
  TooFar,  ///< beyond 64 bits of the unit
};

/// Reads what `write_time` writes, of a day: `03:04:05`, with a fraction of up to nine digits.
TimeText read_time(std::string_view text, TimeUnit unit, int64_t* ticks);
/// Reads the text that `write_instant` writes. Accepts a space instead of the `T`. If `zoned`, a
/// zone (`Z` or `+02:00`) must follow and is subtracted. Otherwise a zone is rejected.
TimeText read_instant(std::string_view text, TimeUnit unit, bool zoned, int64_t* ticks);

}  // namespace xwalk::hub
