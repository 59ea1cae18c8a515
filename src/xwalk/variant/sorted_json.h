#pragma once

#include <string_view>

#include "xwalk/yson/writer.h"

namespace xwalk::variant {

/// Appends a JSON text in a form in which equal values have equal texts: the fields of objects are
/// in the order of their names, those of one name in the order of the text, and there is no white
/// space. Returns false for text that is not JSON, nests deeper than `kMaxDepth` or names half a
/// character; then what is appended has no meaning.
bool write_sorted_json(std::string_view json, yson::Buffer* out);

/// Appends a number in the grammar of JSON in a form in which equal numbers have equal texts. -0
/// is not 0.
void append_plain_number(std::string_view number, yson::Buffer* out);

}  // namespace xwalk::variant
