#pragma once

#include <memory>

#include "xwalk/duckdb/api.h"
#include "xwalk/duckdb/rejects.h"

namespace xwalk::duckdb {

/// Registers what is said about files and types: `xwalk_check`, `xwalk_schema`, `xwalk_types` and
/// `xwalk_rejects`.
void register_answers(duckdb_connection connection, const std::shared_ptr<Rejects>& rejects);

}  // namespace xwalk::duckdb
