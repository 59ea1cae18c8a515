#pragma once

#include "xwalk/duckdb/api.h"

namespace xwalk::duckdb {

/// Registers `COPY … TO 'rows.yson' (FORMAT yson)`, for YSON, Skiff, Vortex and Lance.
void register_copies(duckdb_connection connection);

}  // namespace xwalk::duckdb
