#pragma once

#include <cstdint>
#include <string_view>

#include "xwalk/base/path.h"
#include "xwalk/hub/names.h"
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

/// Which of two types is a box around the values of the other.
enum class Boxed : uint8_t { Neither, From, To };

/// Returns which of two types without encodings is a box around the values of the other. A struct
/// that has the only member of the other is a struct like it. `path` is the place of `from`,
/// `renames` are names of its members in `to`. The columns of a table, at the empty path, are no
/// box: one called `value` is a column.
Boxed boxed(const Type& from, const Type& to, const Path& path, const Renames& renames);

}  // namespace xwalk::hub
