#pragma once

#include <string>
#include <string_view>

#include "xwalk/iceberg/type.h"

namespace xwalk::iceberg {

/// Parses the name of a type without children, as in the JSON form: `int`, `decimal(9, 2)`,
/// `fixed[16]`, `geometry(srid:3857)`, `geography(srid:4269, vincenty)`. A reference system may be
/// in quotes, which some writers add. Throws Error (Input) for an invalid text; Error (Unsupported)
/// for a name that a later version of the format may add.
Type parse_primitive(std::string_view text);

/// Parses one type: a name as above, `list<string>`, `list<required string>`, `map<string, long>`,
/// `struct<a: required int, 7: "b c": string>`. Fields that are not `required` are optional. An id
/// may precede a name. Throws Error (Input) with the column.
Type parse_type_text(std::string_view text);

/// Prints a type in one line, as `parse_words` reads it, without ids.
std::string print_type_text(const Type& type);

/// Prints a schema for people, as Iceberg's own libraries do, a column a line: `1: a: required int
/// (the doc)`.
std::string print_table(const Schema& schema);

}  // namespace xwalk::iceberg
