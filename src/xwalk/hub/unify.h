#pragma once

#include <string_view>

#include "xwalk/base/path.h"
#include "xwalk/hub/type.h"

namespace xwalk::hub {

/// Returns the schema that holds the rows of both: columns and members by name, those of `first` in
/// their order, then those that only `second` has. A column that is missing or nullable in either
/// is nullable. If types differ, the result is the wider one, or the smallest that holds every
/// value of both: int8 and uint8 give int16, int32 and float give double, decimals keep all digits
/// on both sides of the point, an integer and a decimal give a decimal, fixed-size lists of two
/// sizes give a list, two units of time give the finer one, whose range may be narrower, unions get
/// the alternatives of both. Throws
/// Error (Input) with the path if no type holds both, or if they have different meanings (`judge`).
Schema unify(const Schema& first, const Schema& second);

/// Throws Error (Input): no type holds the values of both sides at a path, and why.
[[noreturn]] void refuse_to_unify(const Path& path, std::string_view why);

}  // namespace xwalk::hub
