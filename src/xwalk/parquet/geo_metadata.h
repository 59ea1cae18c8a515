#pragma once

#include <cstdint>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include <nlohmann/json_fwd.hpp>

#include "xwalk/hub/batch.h"
#include "xwalk/hub/facts.h"
#include "xwalk/hub/geospatial.h"
#include "xwalk/hub/type.h"

namespace xwalk::parquet {

/// Returns a file's schema with what its key-value metadata defines of geospatial columns. Columns
/// of bytes in the key `geo` (GeoParquet) are `geoarrow.wkb`, and stay bytes in Parquet. A
/// coordinate reference system `projjson:KEY` is the PROJJSON of that key. Malformed metadata is
/// ignored.
hub::Schema with_geo_metadata(hub::Schema schema);

/// Adds the bounding boxes and the types of geometries that the key `geo` of a file's metadata has
/// to the facts about its columns. Malformed entries are ignored.
void add_geo_facts(const hub::Metadata& metadata, std::vector<hub::ColumnFacts>* columns);

/// The key of a file's metadata that describes columns of GeoParquet.
inline constexpr std::string_view kGeoKey = "geo";

/// Returns a column of geometry as GeoParquet stores it: bytes in Parquet. Other columns stay.
hub::Field as_geoparquet(hub::Field column);

/// Says what GeoParquet 1.1 cannot describe of a type: a CRS that is not PROJJSON, edges that are
/// neither planar nor spherical. "" if it describes all.
std::string beyond_geoparquet(const hub::Geospatial& type);

/// Makes the text of the key `geo` while the rows of a file are written.
class GeoParquetWriter {
 public:
  /// Takes the schema of the rows. Columns below others are not described. If the rows come from
  /// GeoParquet, `copied` is the key that describes them: it stays, except for the types and boxes,
  /// which other rows may have. If it `describes_all`, columns of geometry that the key lacks are
  /// added.
  explicit GeoParquetWriter(const hub::Schema& schema, std::string copied = "",
                            bool describes_all = true);

  /// Adds the types and the bounding boxes of the geometries in a batch. Its columns are those of
  /// the schema, in any order, and `fields` are their fields; values are well-formed WKB.
  void add(const hub::Batch& batch, const std::vector<hub::Field>& fields);

  /// Returns the JSON; nothing if no column is described. Types with M, which GeoParquet does not
  /// have, leave the types of their column unknown. Columns with spherical edges have no bounding
  /// box: an edge may leave the box of its ends.
  std::optional<std::string> text() const;

 private:
  struct Column {
    std::string name;
    hub::Geospatial type;
    /// The codes of the types, as in WKB.
    std::set<uint32_t> codes;
    hub::GeospatialFacts facts;
  };

  /// Adds the columns that are not described yet.
  void add_columns(nlohmann::ordered_json* columns) const;

  std::vector<Column> columns_;
  std::string copied_;
  bool describes_all_;
};

}  // namespace xwalk::parquet
