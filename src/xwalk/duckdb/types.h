#pragma once

#include "xwalk/duckdb/api.h"
#include "xwalk/hub/type.h"

namespace xwalk::duckdb {

/// Returns the schema nearest to one of the hub that DuckDB takes with all its values: what it has
/// no type for becomes another (half floats become floats, decimals beyond 38 digits text, dense
/// unions sparse ones). `hub::compile_cast` knows the way there; values of finer units than DuckDB
/// has are rejected by it, unless they may be rounded.
hub::Schema duckdb_schema(const hub::Schema& schema);

/// Returns true if a type, or a type in it, is of a kind.
bool has_type(duckdb_logical_type type, duckdb_type kind);

/// Returns true if two types of DuckDB without enums are equal in all levels.
bool same_type(duckdb_logical_type one, duckdb_logical_type other);

}  // namespace xwalk::duckdb
