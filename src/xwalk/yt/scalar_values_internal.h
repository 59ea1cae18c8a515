#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "xwalk/yt/row_program_internal.h"

// Scalars whose bytes differ between YSON and Arrow. Each reader returns false and says why;
// values are in the machine's byte order as Arrow has them.
namespace xwalk::yt {

/// Room that any of the writers below takes at most.
inline constexpr size_t kScalarTextRoom = 96;

/// Reads a stored or written decimal into `step.width` bytes. `special` is set for nan and the
/// infinities, and then nothing is written.
bool read_decimal(const Step& step, std::string_view bytes, char* out, bool* special,
                  std::string* message);
/// Writes the stored bytes or the text and returns the end; null if the value has too many digits.
char* write_decimal(const Step& step, const char* value, char* out);

bool read_uuid(const Step& step, std::string_view bytes, char* out, std::string* message);
char* write_uuid(const Step& step, const char* value, char* out);

/// Reads an instant and the name of its zone, which stays in `bytes`.
bool read_tz(const Step& step, std::string_view bytes, int64_t* value, std::string_view* zone,
             std::string* message);
/// Writes the bytes of the instant, in front of the name of the zone.
char* write_tz_instant(const Step& step, int64_t value, char* out);

/// Reads ISO 8601 text of date, datetime or timestamp, by the step's op.
bool read_time_text(const Step& step, std::string_view text, int64_t* value, std::string* message);
char* write_time_text(const Step& step, int64_t value, char* out);

}  // namespace xwalk::yt
