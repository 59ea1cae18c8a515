#pragma once

#include <string_view>

#include "xwalk/hub/type.h"

namespace xwalk::hub {

/// Name of the only member of a box.
inline constexpr std::string_view kBoxMember = "value";

/// Returns true for DenseUnion and SparseUnion, whose arrays have no nulls.
bool is_union(Kind kind);

/// Makes a box, `struct<value: T>`: one more level of null than Arrow has. Used if T is nullable
/// itself, or is a union, which has no nulls.
Type box(Field value);

/// Returns true for the type of a box. A user's struct may look the same: only the
/// system's type says which it is.
bool is_box(const Type& type);

/// Returns true if the struct is a box around the union, or around the struct that the union was
/// lowered to, and not that struct itself. A union whose only alternative is called `value` lowers
/// to a struct that looks like a box.
bool is_box_of_union(const Type& of_union, const Type& of_struct);

}  // namespace xwalk::hub
