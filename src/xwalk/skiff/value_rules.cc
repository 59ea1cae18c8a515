#include "xwalk/skiff/value_rules.h"

#include <cstring>
#include <optional>

#include "xwalk/base/endian.h"
#include "xwalk/yt/tz.h"

namespace xwalk::skiff {

using yt::TypeKind;

std::string stored_zone(TypeKind kind, const char* bytes) {
  const size_t size = yt::tz_integer_size(kind);
  uint64_t word = 0;
  std::memcpy(&word, bytes, size);
  // Storing takes the low bytes: the sign need not be extended.
  const auto number = load_little_endian<uint16_t>(bytes + size);
  std::string zone(yt::zone_of_number(number));
  if (zone.empty()) {
    zone.resize(sizeof(number));
    store_big_endian(number, zone.data());
  }
  std::string stored(size + zone.size(), '\0');
  yt::write_tz(kind, static_cast<int64_t>(word), zone, stored.data());
  return stored;
}

std::string wire_zone(TypeKind kind, std::string_view stored) {
  const size_t size = yt::tz_integer_size(kind);
  int64_t instant = 0;
  std::string_view zone;
  yt::ZoneNames zones;
  if (yt::read_tz(kind, stored, &zones, &instant, &zone) != yt::TzStatus::Ok) return "";
  const std::optional<uint16_t> number = yt::number_of_zone(zone);
  if (!number) return "";
  std::string bytes(size + sizeof(*number), '\0');
  std::memcpy(bytes.data(), &instant, size);
  store_little_endian(*number, bytes.data() + size);
  return bytes;
}

bool fits_wire(WireType wire, int64_t value) {
  size_t width = fixed_width(wire).value_or(sizeof(value));
  if (width >= sizeof(value)) return true;
  int64_t most = (int64_t{1} << (8 * width - 1)) - 1;
  return value >= -most - 1 && value <= most;
}

bool fits_wire(WireType wire, uint64_t value) {
  size_t width = fixed_width(wire).value_or(sizeof(value));
  return width >= sizeof(value) || value >> (8 * width) == 0;
}

}  // namespace xwalk::skiff
