#pragma once

#include <cstddef>

#include "xwalk/hub/finding.h"
#include "xwalk/skiff/binding.h"
#include "xwalk/skiff/schema.h"
#include "xwalk/yt/schema.h"

namespace xwalk::skiff {

/// Checks that a skiff schema carries a table, and lists what it leaves out or narrows: columns
/// without a place (`field.left-out`), members left out, integers that may not fit, nulls without a
/// place. Throws as `bind_table`.
hub::Findings fit(const Type& root, const yt::TableSchema& schema, Flow flow);

/// Lists what the wire types of an output's table leave out of its table schema, as `fit` does,
/// except what those of the input's table leave out as well if its rows are Skiff: these values
/// never come.
hub::Findings unfit(const Schema& output, size_t table, const Schema* input, size_t input_table);

/// Returns true for an integer whose type has values that its wire type does not hold.
bool is_narrowed(const Binding& binding);

}  // namespace xwalk::skiff
