#pragma once

#include <string_view>

#include "xwalk/hub/array.h"
#include "xwalk/hub/type.h"
#include "xwalk/variant/fault.h"

namespace xwalk::hub {

inline constexpr std::string_view kVariantExtension = "arrow.parquet.variant";

/// Returns the type in which VARIANT values are exchanged: a struct of the byte strings `metadata`
/// and `value`.
Type variant_type();

/// Returns true for a field of whole VARIANT values: the extension's name, and a struct of the two
/// byte strings in any order.
bool is_variant(const Field& field);

/// Returns true for a field of VARIANT, and for one that contains a field of VARIANT.
bool has_variant(const Field& field);

/// Returns the bytes of a VARIANT of that field. The value must not be null. A null value is
/// empty bytes, which are not a VARIANT.
variant::Encoded variant_at(const Array& array, const Type& type, int64_t index);

/// Rewrites the values of a field so that equal VARIANTs, at any depth, have equal bytes. Bytes
/// that are not a VARIANT stay as they are.
Array with_sorted_variants(const Field& field, const Array& array);

}  // namespace xwalk::hub
