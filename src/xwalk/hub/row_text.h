#pragma once

#include <functional>
#include <string>
#include <string_view>

#include "xwalk/hub/array.h"
#include "xwalk/hub/type.h"

namespace xwalk::hub {

/// Returns true for bytes that are shown as the YSON which they hold.
using HoldsYson = bool (*)(const Field& field);

/// Takes the text of a row written so far, and clears it.
using Spill = std::function<void(std::string* text)>;

/// Appends one value as JSON. Times are ISO 8601 text, decimals text, durations a number with
/// their unit ("15us"), maps lists of [key, value], unions {"alternative": value}, VARIANT its
/// value; text and bytes that are not UTF-8 become {"base64": …}, and nan and inf text. `index`
/// counts within the array. A null `holds_yson` is for schemas without such bytes. Has `spill` take
/// long text of lists and structs before it is whole.
void append_json(const Field& field, const Array& array, int64_t index, std::string* out,
                 HoldsYson holds_yson = nullptr, const Spill& spill = {});

/// Appends a whole row of a struct array as one JSON object, or null. Has `spill` take long text
/// before it is whole, so that no row is in memory twice. Values of any type are the JSON that
/// YTsaurus writes for them; those with strings that are not UTF-8 are a string of YSON.
void append_json_row(const Schema& schema, const Array& array, int64_t row, std::string* out,
                     const Spill& spill = {}, HoldsYson holds_yson = nullptr);

/// Returns one value for a cell of a table: as JSON, but text without quotes, and control
/// characters as escapes. May be cut anywhere after `most` bytes.
std::string cell_text(const Field& field, const Array& array, int64_t row,
                      size_t most = std::string::npos, HoldsYson holds_yson = nullptr);

/// Returns the bytes of one value, text or binary: text as it is, with its control characters.
std::string cell_text(const Field& field, std::string_view bytes, HoldsYson holds_yson = nullptr);

}  // namespace xwalk::hub
