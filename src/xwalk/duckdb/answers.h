#pragma once

#include <memory>

#include "xwalk/duckdb/api.h"
#include "xwalk/duckdb/notes.h"
#include "xwalk/duckdb/rejects.h"

namespace xwalk::duckdb {

/// Registers functions about files and types: `xwalk_check`, `xwalk_schema`, `xwalk_types`,
/// `xwalk_rejects` and `xwalk_notes`.
void register_answers(duckdb_connection connection, const std::shared_ptr<Rejects>& rejects,
                      const std::shared_ptr<Notes>& notes);

}  // namespace xwalk::duckdb
