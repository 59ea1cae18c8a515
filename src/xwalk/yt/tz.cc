#include "xwalk/yt/tz.h"

#include <fmt/format.h>

#include "xwalk/base/error.h"
#include "xwalk/base/text.h"

namespace xwalk::yt {
namespace {

std::string range_message(TypeKind kind, int64_t instant) {
  IntegerRange range = integer_range(kind);
  // The unsigned types keep the bits of the stored value.
  std::string shown = tz_is_signed(kind) ? fmt::format("{}", instant)
                                         : fmt::format("{}", static_cast<uint64_t>(instant));
  return fmt::format("value {} is out of allowed range [{}, {}] of {}", shown, range.min, range.max,
                     kind_name(kind));
}

}  // namespace

std::string tz_message(TzStatus status, TypeKind kind, std::string_view bytes) {
  size_t size = tz_integer_size(kind);
  switch (status) {
    case TzStatus::Ok:
      return "";
    case TzStatus::TooShort:
      return fmt::format("expected {} of {} bytes and a time zone name, found {} bytes",
                         kind_name(kind), size, bytes.size());
    case TzStatus::OutOfRange:
      return range_message(kind, load_tz_integer(kind, bytes.data()));
    case TzStatus::UnknownZone:
      if (bytes.size() == size + sizeof(uint16_t)) {
        return fmt::format("expected the name or the number of a time zone, found the number {}",
                           load_big_endian<uint16_t>(bytes.data() + size));
      }
      return fmt::format("expected the name of an IANA time zone, found {}",
                         clipped(bytes.substr(size)));
  }
  return "";
}

TzValue tz_from_bytes(TypeKind kind, std::string_view bytes) {
  ZoneNames zones;
  int64_t instant = 0;
  std::string_view zone;
  TzStatus status = read_tz(kind, bytes, &zones, &instant, &zone);
  if (status != TzStatus::Ok) throw Error(ErrorCode::Input, tz_message(status, kind, bytes));
  return {instant, std::string(zone)};
}

std::string tz_to_bytes(TypeKind kind, const TzValue& value) {
  ZoneNames zones;
  TzStatus status = check_tz(kind, value.instant, value.zone, &zones);
  if (status == TzStatus::OutOfRange) {
    throw Error(ErrorCode::Input, range_message(kind, value.instant));
  }
  std::string bytes(tz_integer_size(kind) + value.zone.size(), '\0');
  write_tz(kind, value.instant, value.zone, bytes.data());
  if (status != TzStatus::Ok) throw Error(ErrorCode::Input, tz_message(status, kind, bytes));
  return bytes;
}

}  // namespace xwalk::yt
