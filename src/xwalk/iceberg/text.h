#pragma once

#include <string>
#include <string_view>

#include "xwalk/iceberg/type.h"

namespace xwalk::iceberg {

/// Parses the word of a type without children, as the JSON form has it: `int`, `decimal(9, 2)`,
/// `fixed[16]`, `geometry(srid:3857)`, `geography(srid:4269, vincenty)`. A reference system may
/// stand between quotes, as some writers have it. Throws Error (Input) for what is none; Error
/// (Unsupported) for a word that a later version of the format may bring.
Type parse_primitive(std::string_view text);

/// Parses one type: a word as above, `list<string>`, `list<required string>`, `map<string, long>`,
/// `struct<a: required int, 7: "b c": string>`. What is not `required` is optional, an id may stand
/// before a name. Throws Error (Input) with the column.
Type parse_words(std::string_view text);

/// Prints a type in one line, as `parse_words` reads it, without ids.
std::string print_words(const Type& type);

/// Prints a schema for people, as Iceberg's own libraries do, a column a line: `1: a: required int
/// (the doc)`.
std::string print_table(const Schema& schema);

}  // namespace xwalk::iceberg
