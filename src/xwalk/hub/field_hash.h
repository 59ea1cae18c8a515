#pragma once

#include <cstddef>
#include <unordered_map>

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

/// Makes a map from a place to what is known of the fields there, for wide tables, whose columns
/// have a few types. Places are one key if all their fields are equal except for the names. Each
/// `field_of(place)` returns a field.
template <typename Value, typename... FieldOf>
auto map_of_equal_fields(FieldOf... field_of) {
  auto hash = [=](size_t place) {
    size_t out = 0;
    ((out = 31 * out + hash_of_unnamed(field_of(place))), ...);
    return out;
  };
  auto equal = [=](size_t a, size_t b) { return (equal_unnamed(field_of(a), field_of(b)) && ...); };
  return std::unordered_map<size_t, Value, decltype(hash), decltype(equal)>(8, hash, equal);
}

}  // namespace xwalk::hub
