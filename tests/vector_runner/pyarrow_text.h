#pragma once

#include <span>
#include <string>
#include <string_view>

#include "xwalk/hub/type.h"

namespace xwalk::vectors {

/// Returns true for extension types that pyarrow registers. It shows others as their storage.
bool is_registered(std::string_view extension);
/// Prints a type as pyarrow's str() does.
std::string pyarrow_text(const hub::Type& type);
/// The same for a field's type; extension types that pyarrow registers print by name.
std::string pyarrow_type_text(const hub::Field& field);

/// Prints fields as pyarrow prints a schema: children and metadata below each, entries of metadata
/// in the order of their keys, empty metadata of extensions left out. `by_name`: extension types
/// that pyarrow registers are shown by name, as `pyarrow_type_text` does.
std::string pyarrow_schema_text(std::span<const hub::Field> fields, bool by_name);

/// Adds to a text like this the metadata entries that it would have here, in the same order.
std::string with_sorted_metadata(const std::string& text);

}  // namespace xwalk::vectors
