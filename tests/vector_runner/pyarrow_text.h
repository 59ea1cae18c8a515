#pragma once

#include <string>

#include "xwalk/hub/type.h"

namespace xwalk::vectors {

/// Prints a type as pyarrow's str() does.
std::string pyarrow_text(const hub::Type& type);
/// The same for a field's type; extension types that pyarrow registers print by name.
std::string pyarrow_type_text(const hub::Field& field);

}  // namespace xwalk::vectors
