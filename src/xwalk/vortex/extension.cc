#include "xwalk/vortex/extension.h"

#include <fmt/format.h>

#include "xwalk/base/error.h"
#include "xwalk/base/text.h"
#include "xwalk/base/time_zone.h"
#include "xwalk/vortex/text.h"

namespace xwalk::vortex {
namespace {

constexpr std::string_view kUnitNames[] = {"ns", "µs", "ms", "s", "days"};

[[noreturn]] void bad_extension(const std::string& message) {
  throw Error(ErrorCode::Input, message);
}

void expect_primitive(std::string_view id, const DType& storage, PType ptype) {
  if (storage.kind() != Kind::Primitive || storage.ptype() != ptype) {
    bad_extension(fmt::format("expected {} storage of {}, found {}", ptype_name(ptype), id,
                              print_text(storage)));
  }
}

bool is_temporal(std::string_view id) {
  return id == kDateId || id == kTimeId || id == kTimestampId;
}

}  // namespace

std::string temporal_metadata(std::string_view id, TimeUnit unit, std::string_view zone) {
  std::string metadata(1, static_cast<char>(unit));
  if (id == kTimestampId) {
    metadata += static_cast<char>(zone.size() & 0xFF);
    metadata += static_cast<char>(zone.size() >> 8);
    metadata += zone;
  }
  return metadata;
}

TemporalMetadata read_temporal_metadata(std::string_view id, std::string_view metadata) {
  if (metadata.empty()) bad_extension(fmt::format("expected metadata of {}, found none", id));
  auto unit = static_cast<uint8_t>(metadata[0]);
  if (unit > static_cast<uint8_t>(TimeUnit::Days)) {
    bad_extension(
        fmt::format("expected a time unit from 0 to 4 in the metadata of {}, found {}", id, unit));
  }
  TemporalMetadata out{static_cast<TimeUnit>(unit), {}};
  bool allowed = id == kDateId ? unit == 4 || unit == 2 : id == kTimeId ? unit <= 3 : unit <= 3;
  if (!allowed) bad_extension(fmt::format("{} does not have the unit {}", id, kUnitNames[unit]));
  if (id == kTimestampId) {
    if (metadata.size() < 3) {
      bad_extension(fmt::format("expected at least 3 bytes of metadata of {}, found {}", id,
                                metadata.size()));
    }
    size_t length = static_cast<uint8_t>(metadata[1]) + 256u * static_cast<uint8_t>(metadata[2]);
    if (metadata.size() < 3 + length) {
      bad_extension(fmt::format("expected a zone of {} bytes in the metadata of {}, found {}",
                                length, id, metadata.size() - 3));
    }
    out.zone = metadata.substr(3, length);
    if (!is_valid_utf8(out.zone)) bad_extension(fmt::format("the zone of {} is not UTF-8", id));
    if (!out.zone.empty() && !is_time_zone(out.zone)) {
      bad_extension(fmt::format("expected a time zone of the IANA database or an offset, found {}",
                                clipped(out.zone)));
    }
  }
  return out;
}

std::optional<uint8_t> read_uuid_version(std::string_view metadata) {
  if (metadata.empty()) return std::nullopt;
  auto version = static_cast<uint8_t>(metadata[0]);
  if (metadata.size() > 1) {
    bad_extension(fmt::format("expected at most one byte of metadata of {}, found {}", kUuidId,
                              metadata.size()));
  }
  if (version > 8 && version != 0x0F && version != 0xFF) {
    bad_extension(fmt::format("expected a UUID version of 0 to 8, 15 or 255, found {}", version));
  }
  return version;
}

std::optional<std::string> read_wkb_crs(std::string_view metadata) {
  if (metadata.empty()) return "";
  constexpr char kCrsField = 0x0A;  // number 1, a length and bytes
  if (metadata.front() != kCrsField) return std::nullopt;
  metadata.remove_prefix(1);
  uint64_t size = 0;
  for (int shift = 0; shift < 32; shift += 7) {
    if (metadata.empty()) return std::nullopt;
    const auto byte = static_cast<uint8_t>(metadata.front());
    metadata.remove_prefix(1);
    size |= static_cast<uint64_t>(byte & 0x7F) << shift;
    if (byte < 0x80) {
      if (size != metadata.size() || !is_valid_utf8(metadata)) return std::nullopt;
      return std::string(metadata);
    }
  }
  return std::nullopt;
}

bool is_known_extension(std::string_view id) {
  return is_temporal(id) || id == kUuidId || id == kJsonId;
}

void check_extension(std::string_view id, const DType& storage, std::string_view metadata) {
  if (id.empty()) bad_extension("expected the id of an extension, found none");
  if (is_temporal(id)) {
    TimeUnit unit = read_temporal_metadata(id, metadata).unit;
    bool narrow = id == kDateId   ? unit == TimeUnit::Days
                  : id == kTimeId ? unit == TimeUnit::Seconds || unit == TimeUnit::Milliseconds
                                  : false;
    expect_primitive(id, storage, narrow ? PType::I32 : PType::I64);
  } else if (id == kUuidId) {
    read_uuid_version(metadata);
    bool ok = storage.kind() == Kind::FixedSizeList && storage.size() == 16 &&
              storage.element() == DType::primitive(PType::U8, false);
    if (!ok) {
      bad_extension(fmt::format("expected fixed_size_list(u8)[16] storage of {}, found {}", id,
                                print_text(storage)));
    }
  } else if (id == kJsonId) {
    if (storage.kind() != Kind::Utf8) {
      bad_extension(fmt::format("expected utf8 storage of {}, found {}", id, print_text(storage)));
    }
    if (!metadata.empty()) {
      bad_extension(fmt::format("expected no metadata of {}, found {} bytes", id, metadata.size()));
    }
  }
}

std::string extension_parameters(std::string_view id, std::string_view metadata) {
  if (is_temporal(id)) {
    TemporalMetadata temporal = read_temporal_metadata(id, metadata);
    std::string text(kUnitNames[static_cast<int>(temporal.unit)]);
    if (!temporal.zone.empty()) text += ", tz=" + temporal.zone;
    return text;
  }
  if (id == kUuidId) {
    auto version = read_uuid_version(metadata);
    return version ? fmt::format("v{}", *version) : "";
  }
  return "";
}

std::optional<std::string> parse_extension_parameters(std::string_view id,
                                                      std::string_view parameters) {
  if (is_temporal(id)) {
    std::string_view zone;
    constexpr std::string_view kZone = ", tz=";
    if (size_t at = parameters.find(kZone); at != std::string_view::npos) {
      zone = parameters.substr(at + kZone.size());
      parameters = parameters.substr(0, at);
    }
    if (parameters == "us") parameters = "µs";
    for (size_t unit = 0; unit < std::size(kUnitNames); ++unit) {
      if (kUnitNames[unit] == parameters && (zone.empty() || id == kTimestampId)) {
        return temporal_metadata(id, static_cast<TimeUnit>(unit), zone);
      }
    }
    return std::nullopt;
  }
  if (id == kUuidId && parameters.size() >= 2 && parameters[0] == 'v' && parameters.size() <= 4) {
    int version = 0;
    for (char c : parameters.substr(1)) {
      if (!is_ascii_digit(c)) return std::nullopt;
      version = version * 10 + (c - '0');
    }
    if (version > 255) return std::nullopt;
    return std::string(1, static_cast<char>(version));
  }
  return std::nullopt;
}

}  // namespace xwalk::vortex
