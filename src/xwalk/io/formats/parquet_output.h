#pragma once

#include <memory>
#include <optional>
#include <string>

#include "xwalk/base/byte_stream.h"
#include "xwalk/hub/batch.h"
#include "xwalk/hub/storing.h"
#include "xwalk/io/engines/plugin_engine.h"
#include "xwalk/parquet/type.h"

namespace xwalk::io {

struct ParquetOutputOptions {
  /// What is written, to the letter; what `parquet::from_arrow` gives where it is not given.
  std::optional<parquet::Schema> schema;
  /// Keeps the Arrow schema of the batches as ARROW:schema, for readers to take up.
  bool store_schema = true;
  /// Writes maps that repeat a key, instead of refusing them.
  bool keep_repeated_keys = false;
  /// Describes columns of geometry in the key `geo`; see GeoParquetWriter.
  bool geoparquet = false;
  std::string compression;
  std::optional<int> compression_level;
  int64_t row_group_rows = 0;
  /// What the above leave open.
  hub::Storing like;
  int threads = 1;
};

/// Opens a Parquet file for batches of one schema, which are cast to what the file takes. The
/// engine encodes the pages; nesting, annotations in both forms and the schema of the footer are
/// ours. Throws Error (Unsupported) with the path where there is no way.
std::unique_ptr<hub::BatchWriter> open_parquet_writer(std::unique_ptr<ByteSink> sink,
                                                      const hub::Schema& schema,
                                                      const ParquetOutputOptions& options = {});

}  // namespace xwalk::io
