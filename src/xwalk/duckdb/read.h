#pragma once

#include <memory>

#include "xwalk/duckdb/api.h"
#include "xwalk/duckdb/notes.h"
#include "xwalk/duckdb/rejects.h"
#include "xwalk/io/formats/row_format.h"

namespace xwalk::duckdb {

/// Registers the table functions that read files: `read_xwalk` and one for each format of rows,
/// `read_yson`. Rows that a scan leaves out go to `rejects`, and what it shows besides its rows to
/// `notes`.
void register_readers(duckdb_connection connection, const std::shared_ptr<Rejects>& rejects,
                      const std::shared_ptr<Notes>& notes);

/// Returns the function by which `COPY t FROM 'rows.yson' (FORMAT yson)` reads a format. The table
/// gives the columns, and values are cast to their types as a conversion casts them.
TableFunction copy_reader(io::Format format, const std::shared_ptr<Rejects>& rejects,
                          const std::shared_ptr<Notes>& notes);

/// Makes `FROM 'rows.yson'` a call of `read_xwalk`, for names with an extension of an xwalk format,
/// those that end with a slash, and tables on a cluster.
void register_replacement(duckdb_database database);

}  // namespace xwalk::duckdb
