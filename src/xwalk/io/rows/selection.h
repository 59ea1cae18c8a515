#pragma once

#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "xwalk/base/path.h"
#include "xwalk/crosswalk/plan.h"
#include "xwalk/hub/type.h"
#include "xwalk/io/rows/piece_reader.h"

namespace xwalk::io {

/// Parses a path as xwalk prints it: `a`, `a.b`, `"odd name"`, `orders.items[].price`,
/// `m{value}.x`. Nothing can be selected below alternatives and single items, whose paths are
/// refused. Throws Error (Usage) with the place.
Path parse_selection(std::string_view text);

/// Returns the name of a column: the text itself, or the name in a quoted path if it begins with a
/// quote. Throws Error (Usage) with the place.
std::string parse_column(const std::string& text);

/// Returns the paths that texts name in a schema, in their order, each once. `*` and `?` in a name
/// without quotes are wildcards if no column or member has exactly that name: `price_*`,
/// `address.*`. Throws Error (Usage) as above, and for a pattern without matches. The schema is
/// requested only if there may be a pattern.
std::vector<Path> find_selected(const std::vector<std::string>& texts,
                                const std::function<hub::Schema()>& schema);

/// Returns true if a text of `find_selected` may be a pattern, which needs a schema.
bool may_be_pattern(std::string_view text);

/// Returns true if the first name of a text of `find_selected` means a column.
bool names_column(const std::string& text, const hub::Schema& schema);

/// Parses `old=new`: a path, and the new name of its last step, quoted or not. Throws Error (Usage)
/// with the place.
crosswalk::RenameOption parse_rename(std::string_view text);

/// Parses `path=type`: a path or a pattern as above, and the new type, in the notation of any
/// system, which `crosswalk::plan` parses. Throws Error (Usage) with the place.
crosswalk::CastOption parse_cast(std::string_view text);
/// The same from its two halves.
crosswalk::CastOption cast_to(std::string_view path, std::string_view type);

/// Returns the schema with only the wanted paths: columns in the order they are first named, and
/// members of structs in the order of the schema. A path that ends at a struct selects all of it. A
/// map is kept whole. Throws Error (Usage) for a missing path, with the closest name.
hub::Schema select(const hub::Schema& schema, const std::vector<Path>& paths);

/// Returns the schema without some columns, and members of structs at any depth. Paths that it does
/// not have must exist in `whole`. Throws Error (Usage) for a path that does not, and if nothing is
/// left.
hub::Schema without(const hub::Schema& schema, const std::vector<Path>& excluded,
                    const hub::Schema& whole);

/// Returns the part of a schema that is selected and not excluded.
hub::Schema chosen(const hub::Schema& schema, const std::vector<Path>& selected,
                   const std::vector<Path>& excluded);

}  // namespace xwalk::io
