#pragma once

#include <string_view>

#include "xwalk/hub/finding.h"
#include "xwalk/yt/schema.h"
#include "xwalk/yt/type.h"

namespace xwalk::yt {

/// Returns the narrowest type that holds both, by the system's rules: the wider of two simple
/// types, optional if either is, members by position and name, with additional members made
/// optional. Tags must be equal if both have one. Stable names and removed members are dropped.
/// Throws Error (Input) with the path, which `name` begins.
Type merge_types(const Type& first, const Type& second, std::string_view name = "value");

/// A schema that holds rows of both, and what each side says that it does not.
struct MergedSchema {
  TableSchema schema;
  hub::Findings lost;
};

/// Merges two schemas. A column that one side lacks becomes optional; that side must be strict.
/// Keeps name, stable name, type and sort order of columns, as the system does. Throws Error
/// (Input).
MergedSchema merge_table_schemas(const TableSchema& first, const TableSchema& second);

}  // namespace xwalk::yt
