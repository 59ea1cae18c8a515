#pragma once

#include <memory>

#include "xwalk/base/byte_stream.h"
#include "xwalk/hub/batch.h"
#include "xwalk/yt/read_options.h"
#include "xwalk/yt/schema.h"
#include "xwalk/yt/value_options.h"

namespace xwalk::yt {

/// Reads YSON rows, text or binary or both: a list fragment of maps. Memory is bounded by the size
/// of a batch and of the longest row. Errors of rows carry row number, column path, table and place
/// (byte; also line and column if the input is text). Throws Error (Unsupported) for a type without
/// an Arrow form, Error (Usage) for an unknown column.
std::unique_ptr<hub::BatchReader> read_rows(std::unique_ptr<ByteSource> source,
                                            const TableSchema& schema, const ReadOptions& options);

/// Writes batches of the schema `to_arrow(schema)` as YSON rows in the format of the options. A
/// null in a row of a required column, or another value the type does not hold, is an error.
std::unique_ptr<hub::BatchWriter> write_rows(std::unique_ptr<ByteSink> sink,
                                             const TableSchema& schema,
                                             const ValueOptions& options);

}  // namespace xwalk::yt
