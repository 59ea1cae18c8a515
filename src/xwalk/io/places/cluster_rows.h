#pragma once

#include <optional>
#include <string>

#include "xwalk/io/bytes/sink.h"
#include "xwalk/io/formats/format.h"
#include "xwalk/io/formats/options.h"
#include "xwalk/yt/schema.h"

// Tables on a cluster of YTsaurus, by the program xwalk-engine-yt, which moves the bytes of rows
// and knows nothing of them: they are Skiff, or YSON, and are read and written as everywhere.

namespace xwalk::io {

/// Returns the transfer format of a table's rows for the requested one, by default Skiff. Throws
/// Error (Usage) for a format that table rows do not have.
Format cluster_format(std::optional<Format> requested);

/// Returns whether a format is that of rows of tables.
bool is_table_format(Format format);

/// Returns how the rows of an existing table are treated, from the options and the attribute
/// `append` of its path. Throws Error (Usage) if the two differ.
OutputMode cluster_mode(const Location& path, const OutputOptions& options);

/// Reads the schema of a table, with one request; only the columns that the path names. Throws
/// Error (Io).
yt::TableSchema read_cluster_schema(const Location& path, const InputOptions& options);

/// Starts the engine for a table that rows are appended to. `place` keeps it for the writer, which
/// is opened once. Returns the schema of the table; empty if there is no table.
std::optional<yt::TableSchema> begin_append(OutputPlace* place);

/// Adds an attribute given as NAME=VALUE, or separately. Throws Error (Usage) for a value that is
/// not YSON, and for attributes that other options set.
void add_table_attribute(std::string_view text, TableAttributes* out);
void add_table_attribute(const std::string& name, const std::string& value, TableAttributes* out);

}  // namespace xwalk::io
