#pragma once

#include "xwalk/hub/type.h"

namespace xwalk::parquet {

/// Returns a file's schema with what its key-value metadata defines of geospatial columns. Columns
/// of bytes in the key `geo` (GeoParquet) are `geoarrow.wkb`, and stay bytes in Parquet. A
/// coordinate reference system `projjson:KEY` is the PROJJSON of that key. Malformed metadata is
/// ignored.
hub::Schema with_geo_metadata(hub::Schema schema);

}  // namespace xwalk::parquet
