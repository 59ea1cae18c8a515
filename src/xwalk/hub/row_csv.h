#pragma once

#include <string>
#include <string_view>

#include "xwalk/hub/array.h"
#include "xwalk/hub/type.h"

namespace xwalk::hub {

/// Appends text as a field of CSV by RFC 4180: between double quotes where it is empty, or has a
/// comma, a quote or an end of line in it.
void append_csv_text(std::string_view text, std::string* out);

/// Appends the names of columns as a line.
void append_csv_header(const Schema& schema, std::string* out);

/// Appends a row of a struct array as a line: text as it is, null as nothing, which empty text is
/// not; other values as JSON has them, without quotes, lists, structs and maps as JSON.
void append_csv_row(const Schema& schema, const Array& array, int64_t row, std::string* out);

}  // namespace xwalk::hub
