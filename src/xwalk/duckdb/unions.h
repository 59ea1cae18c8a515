#pragma once

#include <cstdint>

#include "xwalk/base/path.h"
#include "xwalk/duckdb/api.h"
#include "xwalk/hub/array.h"
#include "xwalk/hub/type.h"

// Unions between Arrow and DuckDB. A UNION of DuckDB has a tag and a payload that may be null, and
// may be null as a whole; a union of Arrow has a tag and a payload, and no null. DuckDB itself
// takes a null payload for a null union, and writes a null union with the first tag.

namespace xwalk::duckdb {

/// Returns true if there is a union in a type, at any depth.
bool has_union(const hub::Type& type);

/// Gives the unions in a vector that DuckDB has made of the first `length` elements of an array
/// their tags, also those with a null payload.
void set_tags(duckdb_vector vector, const hub::Type& type, const hub::Array& array, int64_t length);

/// Returns true if values of a type may be such that Arrow has none for them.
bool has_own_values(const hub::Type& type);

/// Checks the first `length` values of a flat vector of DuckDB. Throws Error (Input) with the row
/// and the path below `path` for a null UNION in parents that are not null, and for an INTERVAL of
/// more time than nanoseconds count in 64 bits, which DuckDB would give another sign.
void refuse_own_values(duckdb_vector vector, const hub::Type& type, int64_t length,
                       const Path& path);

}  // namespace xwalk::duckdb
