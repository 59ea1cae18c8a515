#pragma once

#include <string>
#include <string_view>

#include "xwalk/parquet/type.h"

namespace xwalk::parquet {

/// The size of a message text and its nesting are bounded by xwalk::limits.

/// Parses a schema in message-type text: `message NAME { required binary a (STRING) = 1; … }`.
/// Accepts what parquet-java and arrow-rs accept and, beyond both, names in double quotes, `//`
/// comments before a field and a `;` after a group, as in the specification's examples. A
/// LogicalType's name (`STRING`, `INTEGER(8,true)`) means both forms of annotation; a name that
/// only a ConvertedType has (`UTF8`, `INT_8`, `TIMESTAMP_MICROS`) for that form alone. Throws Error
/// (Input) with line, column and caret, also for an annotation that is invalid for its physical
/// type.
Schema parse_message(std::string_view text);

/// Parses the same without checking rules that `validate` checks: an annotation on another physical
/// type, parameters out of range, DECIMAL without any. Throws Error (Input) for a text that is not
/// a message type.
Schema parse_unjudged_message(std::string_view text);

/// Parses one field of message text: `optional group a (LIST) { … }`. Throws as above.
Node parse_field(std::string_view text);

/// Prints a schema in canonical message text as parquet-java does: two blanks an indent, lower-case
/// words, annotations by LogicalType name. Names that the text cannot hold otherwise are quoted.
std::string print_message(const Schema& schema);

/// Prints one field as in a message, with a final newline, `indent` levels in.
std::string print_field(const Node& node, int indent = 0);

/// Prints one field in one line, without a newline.
std::string print_field_in_line(const Node& node);

/// Parses an annotation without its outer parentheses: `DECIMAL(9,2)`. Throws Error (Input).
Annotation parse_annotation(std::string_view text);

}  // namespace xwalk::parquet
