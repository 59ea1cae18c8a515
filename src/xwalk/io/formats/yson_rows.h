#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "xwalk/base/byte_stream.h"
#include "xwalk/io/bytes/source.h"
#include "xwalk/io/rows/file_range.h"
#include "xwalk/io/rows/piece_reader.h"
#include "xwalk/io/rows/piece_writer.h"
#include "xwalk/yt/values.h"

namespace xwalk::io {

/// Reads YSON rows in pieces of whole rows, which any thread decodes; a part of them, if one is
/// given, with the row numbers and places they have in the whole. Rows after control entities
/// (`<table_index=0>#`) are decoded when they are taken, because they depend on the entities
/// before. Throws as `yt::read_rows` does.
std::unique_ptr<SplitReader> read_yson(std::unique_ptr<Source> source,
                                       const yt::TableSchema& schema,
                                       const yt::ReadOptions& options,
                                       const std::optional<Part>& part = {});

/// Returns the indices of the tables that rows are of, ascending; 0 for rows that no entity gives a
/// table. Reads all of them.
std::vector<uint32_t> yson_tables(std::unique_ptr<Source> source);

/// Writes YSON rows in several threads. The parameter has the control attributes of the row before
/// the first.
std::unique_ptr<SplitWriter> write_yson(std::unique_ptr<ByteSink> sink,
                                        const yt::TableSchema& schema,
                                        const yt::ValueOptions& options,
                                        const hub::RowControl& after_row = {});

}  // namespace xwalk::io
