#pragma once

#include <cstddef>

#include "xwalk/hub/type.h"

namespace xwalk::hub {

// Hashes of what equality compares, for containers that find schemas' equal parts again.

size_t hash_of(const Type& type);
/// The order of entries does not matter, as it does not to equality.
size_t hash_of(const Metadata& metadata);
/// The hash of all but the name.
size_t hash_of_unnamed(const Field& field);

/// Returns true for fields that are equal except for their names.
bool equal_unnamed(const Field& a, const Field& b);

}  // namespace xwalk::hub
