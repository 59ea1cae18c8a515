#pragma once

#include <string_view>
#include <vector>

#include "xwalk/hub/evolution.h"
#include "xwalk/iceberg/type.h"

namespace xwalk::iceberg {

/// The names of changes, as on the command line.
inline constexpr std::string_view kChangeNames[] = {"add",  "drop",     "rename",   "reorder",
                                                    "cast", "nullable", "not-null", "primary-key"};

using Change = hub::SchemaChange;

/// Applies changes in order, as a table would; primary-key changes the identifier fields. Only the
/// schema is written. New fields get the ids after the highest that the table ever assigned,
/// according to the schema or the metadata that it was read from. Throws Error (Usage) for a change
/// that cannot be parsed and a missing path; Error (Unsupported) with the path for changes that
/// Iceberg refuses: a type that is not a promotion, a field that becomes required or is added as
/// required, a change within the key of a map, a schema that breaks a rule.
Schema evolve(Schema schema, const std::vector<Change>& changes);

/// Adds columns after those of a table, with new ids.
Schema add_columns(Schema schema, std::vector<Field> columns);

}  // namespace xwalk::iceberg
