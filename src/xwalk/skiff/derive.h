#pragma once

#include "xwalk/base/path.h"
#include "xwalk/skiff/schema.h"
#include "xwalk/skiff/type.h"
#include "xwalk/yt/schema.h"

namespace xwalk::skiff {

/// Returns the skiff schema of a table: one dense column each, and `$other_columns` for a table
/// that is not strict. Throws Error (Unsupported) with the path for a type without a form.
Type derive(const yt::TableSchema& schema, const DeriveOptions& options = {});
/// Returns the skiff schema of one type.
Type derive(const yt::Type& type, const DeriveOptions& options = {}, const Path& path = {});

/// Returns the wire type of a type with a time zone whose zones are numbers.
Type numbered_zone(const yt::Type& type);

/// Returns the wire type of a decimal of this precision.
WireType decimal_wire(int precision);

}  // namespace xwalk::skiff
