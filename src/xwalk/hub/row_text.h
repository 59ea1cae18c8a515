#pragma once

#include <string>
#include <string_view>

#include "xwalk/hub/array.h"
#include "xwalk/hub/type.h"

namespace xwalk::hub {

/// Appends one value as JSON. Times are ISO 8601 text, decimals text, durations a number with
/// their unit ("15us"), maps lists of [key, value], unions {"alternative": value}; text and bytes
/// that are not UTF-8 become {"base64": …}, and nan and inf text. `index` counts within the array.
void append_json(const Field& field, const Array& array, int64_t index, std::string* out);

/// Appends a whole row of a struct array as one JSON object, or null.
void append_json_row(const Schema& schema, const Array& array, int64_t row, std::string* out);

/// Returns one value for a cell of a table: as JSON, but text without quotes, and control
/// characters as escapes.
std::string cell_text(const Field& field, const Array& array, int64_t row);

/// Returns the bytes of one value, of text or not, as such a cell.
std::string cell_text(const Field& field, std::string_view bytes);

}  // namespace xwalk::hub
