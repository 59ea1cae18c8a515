#pragma once

#include "xwalk/base/path.h"
#include "xwalk/hub/array.h"
#include "xwalk/hub/type.h"

// DuckDB writes Arrow in two ways. Lossless Arrow stores some types as bytes that only DuckDB
// interprets. Plain Arrow has text for a uuid and loses the offset of a TIMETZ. xwalk takes the
// first, and makes plain types of those that have one.

namespace xwalk::duckdb {

/// Returns a field of DuckDB's lossless Arrow with the types that other software knows: a 128-bit
/// integer is a decimal of 38 digits, bool8 is bool, other types of DuckDB's own are their bytes.
hub::Field plain_field(const hub::Field& field);

/// Throws Error (Unsupported) with the path for a type in a field of DuckDB's lossless Arrow that
/// DuckDB alone interprets.
void refuse_own_types(const hub::Field& field, const Path& path);

/// Throws Error (Input) with row and path for a date or a time that is infinite, which DuckDB alone
/// has: others read its bytes as the last day or moment that they can hold.
void refuse_infinity(const hub::Array& array, const hub::Type& type, const Path& path);

/// Returns true if there is an interval of months, days and nanoseconds in a type, at any depth.
bool has_interval(const hub::Type& type);

/// Throws Error (Input) with the path for an interval that DuckDB would cut to microseconds.
void refuse_fine_intervals(const hub::Array& array, const hub::Type& type, const Path& path);

/// Returns the values of a field of DuckDB's lossless Arrow as those of `plain_field`. An unsigned
/// integer from 2^127 on becomes the largest signed one, which has more than 38 digits as well.
hub::Array plain_array(hub::Array array, const hub::Field& field);

}  // namespace xwalk::duckdb
