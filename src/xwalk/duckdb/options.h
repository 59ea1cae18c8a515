#pragma once

#include <string>
#include <vector>

#include <nlohmann/json_fwd.hpp>

#include "xwalk/convert/convert_options.h"
#include "xwalk/duckdb/api.h"

namespace xwalk::duckdb {

/// Registers the settings of a database: `xwalk_require_schema`, the default of the option
/// `require_schema`. Throws Error (Internal).
void register_settings(duckdb_connection connection);

/// Gives a table function every option of a conversion as a named parameter, of any type. Invalid
/// values are reported with the library's message.
void add_named_options(duckdb_table_function function);

/// Reads the named parameters of a call, and the settings of its client. Throws Error (Usage).
io::ConvertOptions read_options(duckdb_bind_info info);

/// Reads a parameter that is a text, or a list of texts. Throws Error (Usage).
std::string read_text(duckdb_value value);
std::vector<std::string> read_texts(duckdb_value value);

/// Turns a value into JSON: numbers, booleans, texts, lists, structs, maps. Throws Error (Usage)
/// for one of another type.
nlohmann::json json_of(duckdb_value value);

}  // namespace xwalk::duckdb
