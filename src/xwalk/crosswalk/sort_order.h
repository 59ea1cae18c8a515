#pragma once

#include <map>
#include <string>
#include <vector>

#include "xwalk/hub/finding.h"
#include "xwalk/hub/type.h"

namespace xwalk::crosswalk {

/// Returns whether a column says that rows are sorted by it.
bool is_sorted_by(const hub::Field& column);

/// Drops what columns say of the order of rows, and that keys are unique, from the first on of
/// which it holds no more. The rows of `was` are sorted by its columns that say so: by each of them
/// among equal values of those before. So it holds in `is` for as long as these are there, in the
/// same order, with types whose values compare alike. Returns the columns of `was` of which `is` no
/// longer says it.
std::vector<std::string> cut_order(const hub::Schema& was, hub::Schema* is);

/// Returns a finding if the rows of `is` must have an order, or unique keys, that the schema of the
/// rows they are made from does not promise. `renamed` are new names of columns of `was`.
hub::Findings order_required(const hub::Schema& was, const hub::Schema& is,
                             const std::map<std::string, std::string>& renamed);

/// Drops all that is said of the order; returns the columns that said so.
std::vector<std::string> drop_order(hub::Schema* schema);

/// Tells which columns no longer say that rows are sorted by them; nothing for none.
hub::Findings order_lost(const std::vector<std::string>& columns);

}  // namespace xwalk::crosswalk
