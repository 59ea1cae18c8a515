#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "xwalk/vortex/type.h"

namespace xwalk::vortex {

inline constexpr std::string_view kDateId = "vortex.date";
inline constexpr std::string_view kTimeId = "vortex.time";
inline constexpr std::string_view kTimestampId = "vortex.timestamp";
inline constexpr std::string_view kUuidId = "vortex.uuid";
inline constexpr std::string_view kJsonId = "vortex.json";
/// Values in WKB. vortex-data reads no file with it, so none is written.
inline constexpr std::string_view kWkbId = "vortex.geo.wkb";

/// The unit byte of the temporal extensions' metadata.
enum class TimeUnit : uint8_t { Nanoseconds, Microseconds, Milliseconds, Seconds, Days };

/// The metadata of a temporal extension. `zone` is empty if it has no zone.
struct TemporalMetadata {
  TimeUnit unit;
  std::string zone;
};

/// Makes the canonical metadata bytes: one unit byte for dates and times; unit, length (u16,
/// little-endian) and zone for timestamps.
std::string temporal_metadata(std::string_view id, TimeUnit unit, std::string_view zone = {});

/// Reads the metadata of vortex.date, vortex.time or vortex.timestamp. Bytes after a date's or
/// time's unit are allowed and ignored. Throws Error (Input).
TemporalMetadata read_temporal_metadata(std::string_view id, std::string_view metadata);

/// Reads the version of vortex.uuid's metadata: nothing, or 0…8, 15 or 255.
std::optional<uint8_t> read_uuid_version(std::string_view metadata);

/// Reads the coordinate reference system in the metadata of vortex.geo.wkb, a Protobuf message; ""
/// if it has none. Returns nothing for other bytes.
std::optional<std::string> read_wkb_crs(std::string_view metadata);

/// Returns true for the extensions above that every reader has.
bool is_known_extension(std::string_view id);

/// Throws Error (Input) if a known extension's storage or metadata breaks its rules. Other ids
/// pass.
void check_extension(std::string_view id, const DType& storage, std::string_view metadata);

/// Returns the parameters in brackets after the id in the text form ("days", "µs, tz=UTC", "v4"),
/// or "".
std::string extension_parameters(std::string_view id, std::string_view metadata);

/// Reads such parameters back into metadata bytes, or nothing if they are not of that extension.
std::optional<std::string> parse_extension_parameters(std::string_view id,
                                                      std::string_view parameters);

}  // namespace xwalk::vortex
