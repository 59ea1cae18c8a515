#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "xwalk/base/byte_stream.h"
#include "xwalk/crosswalk/column_casts.h"
#include "xwalk/hub/batch.h"
#include "xwalk/hub/storing.h"
#include "xwalk/io/engines/plugin_engine.h"
#include "xwalk/parquet/type.h"

namespace xwalk::io {

struct ParquetOutputOptions {
  /// The exact schema to write; if not set, the result of `parquet::from_arrow`.
  std::optional<parquet::Schema> schema;
  /// Keeps the Arrow schema of the batches as ARROW:schema for readers.
  bool store_schema = true;
  /// Writes maps that repeat a key, instead of rejecting them.
  bool keep_repeated_keys = false;
  /// Describes columns of geometry in the key `geo`; see GeoParquetWriter.
  bool geoparquet = false;
  /// VARIANT columns that are shredded by the types of the first rows, as paths or patterns; one
  /// without a path means all. Those that the schema shreds stay as they are.
  std::vector<crosswalk::CastOption> sampled;
  std::string compression;
  std::optional<int> compression_level;
  int64_t row_group_rows = 0;
  /// How the input stores its rows, for properties that the above do not set.
  hub::Storing like;
  int threads = 1;
};

/// Opens a Parquet file for batches of one schema, which are cast to what the file takes. The
/// engine encodes the pages. xwalk makes the nesting, the annotations in both forms and the schema
/// of the footer. Throws Error (Unsupported) with the path for a column that cannot be converted.
std::unique_ptr<hub::BatchWriter> open_parquet_writer(std::unique_ptr<ByteSink> sink,
                                                      const hub::Schema& schema,
                                                      const ParquetOutputOptions& options = {});

}  // namespace xwalk::io
