#pragma once

#include <string>
#include <string_view>

#include "xwalk/lance/flat.h"
#include "xwalk/lance/type.h"

namespace xwalk::lance {

/// Parses the text form of the specification's examples: `Field { … }` blocks, flat with
/// `parent_id` or nested with `children: [ … ]`, and `metadata { key: "k" value: "v" }`. Ids may be
/// left out of all fields: then they are given depth-first. A field that does not say `nullable`
/// is. Throws Error (Input) with line, column and a caret.
Schema parse_text(std::string_view text);
/// Prints the flat text form: type PARENT, REPEATED or LEAF, and the logical type beside it.
std::string print_text(const Schema& schema);

/// Reads a schema without checking its links. Throws Error (Input) for what does not parse.
FlatSchema parse_flat_text(std::string_view text);

}  // namespace xwalk::lance
