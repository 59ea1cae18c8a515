#pragma once

#include <string>
#include <string_view>

#include "xwalk/hub/type.h"

namespace xwalk::arrow {

/// Prints a schema as text, one field per line, so that `parse_schema` restores it completely:
///
///     id: int64 not null
///     tags: list<item: string not null>
///     key: fixed_size_binary[16] [arrow.uuid] {"xwalk:yt": "\"uuid\""}
///     metadata {"origin": "nightly"}
///
/// Names outside [A-Za-z0-9_$] are quoted with C escapes, an extension is in brackets with its
/// metadata after its name, and other metadata is in braces. A map whose entries have the usual
/// names is `map<string, int64>`; with others it shows its entries field.
std::string print_schema(const hub::Schema& schema);
std::string print_field(const hub::Field& field);
std::string print_type(const hub::Type& type);

/// Parses what `print_schema` prints, and what pyarrow and people write: `utf8`, `float64`,
/// `date32[day]`, `decimal(10, 2)`, fields on one line with commas between them. Throws Error
/// (Input) with line and column.
hub::Schema parse_schema(std::string_view text);
/// Parses a type alone, such as `list<item: int64 not null>`.
hub::Type parse_type(std::string_view text);

/// Reads the value of the key ARROW:schema in a Parquet footer: a schema in IPC form, in base64.
/// Throws Error (Input).
hub::Schema parse_base64_schema(std::string_view text);
/// Makes the value of the key ARROW:schema.
std::string print_base64_schema(const hub::Schema& schema);

}  // namespace xwalk::arrow
