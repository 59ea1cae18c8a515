#pragma once

#include <string>
#include <string_view>

namespace xwalk::parquet {

/// Returns the PROJJSON of `EPSG:4326` and `EPSG:3857`, or of the same as `srid:N`. Returns "" for
/// other coordinate reference systems.
std::string known_projjson(std::string_view crs);

}  // namespace xwalk::parquet
