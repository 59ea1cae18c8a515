#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "xwalk/base/error.h"
#include "xwalk/hub/finding.h"
#include "xwalk/yt/schema.h"
#include "xwalk/yt/type.h"

namespace xwalk::yt {

/// One rule of the system that a type, column or table breaks.
struct Problem {
  /// The column, "" for the table as a whole.
  std::string column;
  /// The path in YTsaurus notation: `col.<optional-element>.field`; "" for the table.
  std::string path;
  std::string message;
  std::string hint;
};

using Problems = std::vector<Problem>;

/// Returns every rule a type breaks as the type of the column `name`: depth, names of members,
/// tags, yson outside of optional, dict keys, precision and scale.
Problems validate(const Type& type, std::string_view name = "value");
/// Returns every rule that a column breaks on its own: by its type, its name, its attributes.
Problems validate(const ColumnSchema& column);
/// Returns every rule a table schema breaks: those of its columns, names used twice, key columns
/// first, limits of the whole.
Problems validate(const TableSchema& schema);

/// Throws Error (Input) for the first problem, if there is one. Its message has the path.
void check(const Type& type);
void check(const ColumnSchema& column);
void check(const TableSchema& schema);
/// Makes the exception of a problem.
Error to_error(const Problem& problem);

/// Returns findings on types that an older system does not know (`spec.version`) and on what goes
/// beyond the written specification (`spec.beyond-text`), and where YQL's row spec says otherwise
/// (`row-spec.differs`): they are information, and values and types are kept.
hub::Findings notes(const TableSchema& schema);

/// Returns each rule that a table schema breaks (`spec.broken`, at its column), and the notes.
hub::Findings findings_on(const TableSchema& schema);

}  // namespace xwalk::yt
