#pragma once

#include <array>
#include <cstddef>
#include <string_view>

#include "xwalk/variant/fault.h"

namespace xwalk::hub {

/// The kinds of values that a column of any type may hold, in YSON or in VARIANT.
inline constexpr std::array<std::string_view, 17> kValueKinds = {
    "map",     "list", "string", "int64",     "uint64", "double", "boolean", "null", "attributes",
    "decimal", "date", "time",   "timestamp", "float",  "binary", "uuid",    "other"};

/// Returns the index in `kValueKinds` of a value in YSON, by its first bytes; "attributes" for a
/// value that has some.
size_t kind_of_yson(std::string_view value);

/// The same for a VARIANT.
size_t kind_of_variant(const variant::Encoded& value);

}  // namespace xwalk::hub
