#pragma once

#include <memory>

#include "xwalk/duckdb/api.h"
#include "xwalk/duckdb/notes.h"
#include "xwalk/duckdb/rejects.h"

namespace xwalk::duckdb {

/// Registers `COPY … TO 'rows.yson' (FORMAT yson)` and `COPY … FROM`, for YSON, Skiff, Vortex and
/// Lance. Rows that a copy leaves out go to `rejects`, and messages about its input to `notes`.
void register_copies(duckdb_connection connection, const std::shared_ptr<Rejects>& rejects,
                     const std::shared_ptr<Notes>& notes);

}  // namespace xwalk::duckdb
