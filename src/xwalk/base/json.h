#pragma once

#include <cstddef>
#include <string_view>

#include "xwalk/base/error.h"
#include "xwalk/base/limits.h"

namespace xwalk {

/// Returns true if the bytes are one JSON text in UTF-8 by the grammar of RFC 8259, which limits
/// neither how large a number is, nor what `\u` escapes name, nor how deep values nest. Readers do:
/// a text that is JSON may still be refused by one of them.
bool is_valid_json(std::string_view bytes);

/// Nesting of lists and objects in JSON that holds a schema, options or a manifest: no form has
/// more than three of them for one level of a schema.
inline constexpr size_t kJsonDepth = size_t{4} * limits::kSchemaDepth;

/// Refuses text whose lists and objects nest deeper than `kJsonDepth`, before it becomes a
/// document, which is walked and printed by recursion. Also refuses a zero byte, which the document
/// parser treats as the end. Throws Error with the code and the place. Other invalid JSON is left
/// for the parser to refuse.
void check_json_document(std::string_view text, ErrorCode code);

/// Returns the position of the first error in bytes that are not valid JSON; their size if they end
/// too early.
size_t json_fault(std::string_view bytes);

}  // namespace xwalk
