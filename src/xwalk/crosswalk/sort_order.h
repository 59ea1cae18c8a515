#pragma once

#include <map>
#include <string>
#include <vector>

#include "xwalk/hub/finding.h"
#include "xwalk/hub/type.h"

namespace xwalk::crosswalk {

/// Returns whether a column says that rows are sorted by it.
bool is_sorted_by(const hub::Field& column);

/// Returns whether a table says that no two rows have the same key.
bool has_unique_keys(const hub::Schema& schema);

/// Drops the sort order, and unique keys, from columns for which they no longer hold. The rows of
/// `was` are sorted by its marked columns: by each among equal values of those before. So the order
/// holds in `is` as long as these exist, in the same order, with types whose values compare the
/// same way. Returns the columns of `was` that lost their mark.
std::vector<std::string> cut_order(const hub::Schema& was, hub::Schema* is);

/// Returns a finding if the rows of `is` must have an order, or unique keys, that the schema of the
/// rows they are made from does not promise. `renamed` are new names of columns of `was`.
hub::Findings order_required(const hub::Schema& was, const hub::Schema& is,
                             const std::map<std::string, std::string>& renamed);

/// Drops all marks of the sort order. Returns the columns that had one.
std::vector<std::string> drop_order(hub::Schema* schema);

/// Returns findings for the columns by which rows are no longer marked as sorted; empty if
/// `columns` is.
hub::Findings order_lost(const std::vector<std::string>& columns);

}  // namespace xwalk::crosswalk
