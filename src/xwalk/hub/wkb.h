#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "xwalk/hub/domain.h"
#include "xwalk/hub/facts.h"

namespace xwalk::hub {

/// Where bytes stop being WKB, and why.
struct WkbFault {
  size_t offset = 0;
  std::string reason;
};

/// Returns what is wrong with bytes that are not exactly one geometry in ISO WKB: byte order, type
/// codes, counts, members of a multi-geometry, bytes after the end. Nothing for well-formed bytes.
/// Coordinates are not checked; EWKB is a fault.
std::optional<WkbFault> find_wkb_fault(std::string_view bytes);

/// Returns true for well-formed bytes. Allocates nothing.
bool is_wkb(std::string_view bytes);

/// Bytes that are one geometry in ISO WKB.
extern const ContentRule kWkbContent;

/// Returns the type code of well-formed bytes: 1 to 7, plus 1000 with Z, 2000 with M, 3000 with
/// both.
uint32_t wkb_type(std::string_view bytes);

/// Adds the coordinates of well-formed bytes to a bounding box. NaN, which empty points have, is
/// left out.
void add_to_box(std::string_view bytes, GeospatialFacts* facts);

/// Returns the name of a type code as GeoParquet writes it, with the dimensions after a space:
/// `Point`, `LineString Z`, `Polygon ZM`; "" for an unknown code.
std::string wkb_type_name(uint32_t code);

}  // namespace xwalk::hub
