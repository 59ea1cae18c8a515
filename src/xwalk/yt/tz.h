#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "xwalk/base/endian.h"
#include "xwalk/base/zone_names.h"
#include "xwalk/yt/type.h"
#include "xwalk/yt/zone_numbers.h"

namespace xwalk::yt {

/// Bytes of the integer of a `tz_*` type ("Time zones": underlying integer type).
constexpr size_t tz_integer_size(TypeKind kind) { return kind_row(kind).integer_bytes; }

constexpr bool tz_is_signed(TypeKind kind) { return integer_range(kind).min < 0; }

/// The error in the bytes of a `tz_*` value.
enum class TzStatus : uint8_t {
  Ok,
  TooShort,     ///< fewer bytes than the integer has, or no zone
  OutOfRange,   ///< the instant is outside of the type's range
  UnknownZone,  ///< not an IANA name, nor two bytes that are the number of one
};

/// Remembers the last zone name that was found valid, and the last one's number: columns repeat
/// them.
class ZoneNames {
 public:
  bool contains(std::string_view name) {
    if (last_.holds(name)) return true;
    if (!is_zone_name(name)) return false;
    last_.set(name);
    return true;
  }

  std::optional<uint16_t> number(std::string_view name) {
    if (numbered_.holds(name)) return number_;
    number_ = number_of_zone(name);
    numbered_.set(name);
    return number_;
  }

 private:
  /// A name, without a destructor: each thread has one, and registering a destructor waits for ever
  /// if a plugin's loading failed and kept the loader's lock.
  class Name {
   public:
    bool holds(std::string_view name) const {
      return size_ > 0 && std::string_view(text_.data(), size_) == name;
    }
    /// Forgets a name that is longer than those of all zones.
    void set(std::string_view name) {
      size_ = name.size() <= text_.size() ? name.copy(text_.data(), text_.size()) : 0;
    }

   private:
    std::array<char, 64> text_{};
    size_t size_ = 0;
  };

  Name last_;
  Name numbered_;
  std::optional<uint16_t> number_;
};

/// Reads the presorted integer, without its range.
inline int64_t load_tz_integer(TypeKind kind, const char* bytes) {
  size_t size = tz_integer_size(kind);
  uint64_t word = size == 2   ? load_big_endian<uint16_t>(bytes)
                  : size == 4 ? load_big_endian<uint32_t>(bytes)
                              : load_big_endian<uint64_t>(bytes);
  if (!tz_is_signed(kind)) return static_cast<int64_t>(word);
  // Inverting the top bit and extending the sign are one subtraction.
  return static_cast<int64_t>(word - (uint64_t{1} << (size * 8 - 1)));
}

/// Writes the presorted integer and returns the end.
inline char* store_tz_integer(TypeKind kind, int64_t instant, char* out) {
  size_t size = tz_integer_size(kind);
  auto word = static_cast<uint64_t>(instant);
  if (tz_is_signed(kind)) word += uint64_t{1} << (size * 8 - 1);
  if (size == 2) {
    store_big_endian(static_cast<uint16_t>(word), out);
  } else if (size == 4) {
    store_big_endian(static_cast<uint32_t>(word), out);
  } else {
    store_big_endian(word, out);
  }
  return out + size;
}

/// Reads a value in the form of the specification, the presorted integer, then the zone's name, or
/// in the newer one, where the zone's number of two bytes is in the name's place.
inline TzStatus read_tz(TypeKind kind, std::string_view bytes, ZoneNames* zones, int64_t* instant,
                        std::string_view* zone) {
  size_t size = tz_integer_size(kind);
  if (bytes.size() <= size) return TzStatus::TooShort;
  *instant = load_tz_integer(kind, bytes.data());
  *zone = bytes.substr(size);
  // An unsigned 64-bit integer with the top bit set reads as negative, which no such type holds.
  if (!integer_range(kind).contains(*instant)) return TzStatus::OutOfRange;
  if (zone->size() == sizeof(uint16_t)) {
    // The bytes of the names that are as short, "GB" and "NZ", are no number.
    const std::string_view name = zone_of_number(load_big_endian<uint16_t>(zone->data()));
    if (!name.empty()) {
      *zone = name;
      return TzStatus::Ok;
    }
  }
  return zones->contains(*zone) ? TzStatus::Ok : TzStatus::UnknownZone;
}

/// Checks what `write_tz` would be given.
inline TzStatus check_tz(TypeKind kind, int64_t instant, std::string_view zone, ZoneNames* zones) {
  if (!integer_range(kind).contains(instant)) return TzStatus::OutOfRange;
  return zones->contains(zone) ? TzStatus::Ok : TzStatus::UnknownZone;
}

/// Writes a checked value, `tz_integer_size(kind) + zone.size()` bytes, and returns the end.
inline char* write_tz(TypeKind kind, int64_t instant, std::string_view zone, char* out) {
  out = store_tz_integer(kind, instant, out);
  return out + zone.copy(out, zone.size());
}

/// Writes the newer form, `tz_integer_size(kind) + 2` bytes.
inline char* write_tz(TypeKind kind, int64_t instant, uint16_t zone, char* out) {
  out = store_tz_integer(kind, instant, out);
  store_big_endian(zone, out);
  return out + sizeof(zone);
}

/// Returns the message of a rejected value; `bytes` are the value's.
std::string tz_message(TzStatus status, TypeKind kind, std::string_view bytes);

struct TzValue {
  int64_t instant = 0;
  std::string zone;

  friend bool operator==(const TzValue&, const TzValue&) = default;
};

/// Convert to and from strings. Written strings have the zone's name. Throw Error (Input).
TzValue tz_from_bytes(TypeKind kind, std::string_view bytes);
std::string tz_to_bytes(TypeKind kind, const TzValue& value);

}  // namespace xwalk::yt
