#pragma once

#include <cstddef>
#include <map>
#include <set>
#include <string>
#include <string_view>

#include "xwalk/base/error.h"
#include "xwalk/crosswalk/meanings.h"
#include "xwalk/crosswalk/plan.h"
#include "xwalk/crosswalk/plan_result.h"
#include "xwalk/hub/finding.h"
#include "xwalk/hub/mapping.h"
#include "xwalk/hub/names.h"
#include "xwalk/hub/type.h"

namespace xwalk::crosswalk {

/// A column of a source that cannot be converted.
struct UnsupportedColumn {
  /// The reason. Its path may be below the column.
  hub::Finding why;
  /// The type of its counterpart in the target's syntax; "" if it has none.
  std::string target;
};

/// The columns that a plan is made without.
struct UnsupportedColumns {
  /// By their places in the source.
  std::map<size_t, UnsupportedColumn> of_source;
  /// Columns that only the target has and that nulls cannot fill, at their paths in the target.
  hub::Findings of_target;

  bool empty() const { return of_source.empty() && of_target.empty(); }
  std::set<size_t> places() const;
  /// Adds others, whose places count only the columns of the source that are not here.
  void add(UnsupportedColumns others);
};

/// Returns the finding that says why a column, at `path`, cannot be converted.
hub::Finding unsupported(std::string_view rule, Path path, const Error& why);

/// Returns the columns of a schema that a system cannot hold (`type.unsupported`), by their places.
/// Throws the reason why it cannot hold the columns together, if it has one.
std::map<size_t, UnsupportedColumn> unsupported(const hub::Schema& schema, hub::Refused refused);

/// Returns the columns whose values have another meaning in those of the target that they go to,
/// by their places. The type that the target uses for one that it lacks is no other meaning,
/// whether the target has the annotation that restores it or gets it: `written` is the target's
/// schema with the annotations that its columns will have.
std::map<size_t, Error> columns_of_other_meaning(const JudgedColumns& source,
                                                 const JudgedColumns& target,
                                                 const hub::Schema& written,
                                                 const hub::Renames& renames,
                                                 const PlanOptions& options);

/// Returns a schema without the columns at these places.
hub::Schema without_columns(hub::Schema schema, const std::set<size_t>& places);

/// Erases the findings about the columns of a schema at these places.
void erase_findings(const hub::Schema& schema, const std::set<size_t>& places,
                    hub::Findings* findings);

/// Adds to a plan all columns of `source` that it was made without, with the verdict `unsupported`,
/// in schema order. The report of the table has the columns that only the target has.
void add_unsupported(const hub::Schema& source, UnsupportedColumns columns, Plan* plan);

/// Returns a hint of a finding, which is part of a sentence, as a sentence of its own.
std::string as_sentence(std::string hint);

/// Adds to a finished plan that its output has no place for a column or a part of one, for the
/// reason of a finding with a path in the target and a hint as in reports. The plan cannot be
/// carried out.
void refuse_in_output(hub::Finding why, Plan* plan);

}  // namespace xwalk::crosswalk
