#pragma once

#include <string_view>
#include <vector>

#include "xwalk/lance/evolution.h"

namespace xwalk::lance {

/// The names of operations, as on the command line.
inline constexpr std::string_view kOperationNames[] = {
    "add",  "add-values", "drop",     "rename",      "reorder",
    "cast", "nullable",   "not-null", "primary-key", "clustering-key"};

/// Parses an operation from its name and argument: add, add-values, cast `PATH=TYPE`; rename
/// `PATH=NAME`; drop, nullable, not-null `PATH`; reorder, primary-key, clustering-key
/// `PATH,PATH,…`. A type is a logical type, or for nested ones a `Field { … }` of the text form
/// (its name may be left out). Throws Error (Usage) for an invalid argument.
Operation parse_operation(std::string_view word, std::string_view text);

/// Applies changes in order to a dataset. Throws as `parse_operation` and `evolve` do.
hub::Evolved evolve(EvolutionState state, const std::vector<hub::SchemaChange>& changes);

}  // namespace xwalk::lance
