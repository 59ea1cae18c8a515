#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "xwalk/iceberg/type.h"

namespace xwalk::iceberg {

/// The words of changes, as the command line has them.
inline constexpr std::string_view kChangeWords[] = {"add",  "drop",     "rename",   "reorder",
                                                    "cast", "nullable", "not-null", "primary-key"};

/// One change: its word, and what it is to do: add, cast `PATH=TYPE`; rename `PATH=NAME`; drop,
/// nullable, not-null `PATH`; reorder, primary-key (the identifier fields) `PATH,PATH,…`.
struct Change {
  std::string word;
  std::string text;
};

/// Applies changes one after the other, as a table would: nothing but the schema is written. New
/// fields get the ids that follow the highest the table ever gave, as the schema or the metadata
/// that it was read from says. Throws Error (Usage) for what does not read and a path that is not
/// there; Error (Unsupported) with the path for what Iceberg refuses: a type that is no promotion,
/// a field that becomes required or is added so, a change within the key of a map, a schema that
/// breaks a rule.
Schema evolve(Schema schema, const std::vector<Change>& changes);

}  // namespace xwalk::iceberg
