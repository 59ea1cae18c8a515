#pragma once

#include <string>
#include <utility>

#include "xwalk/hub/type.h"

namespace xwalk::hub {

/// Returns the texts of the types of two fields for a message that says how they differ. If both
/// types have one text, a difference that it leaves out follows: whether the fields may be null, or
/// the first metadata in which they differ: `map<string, double> (tags{value}: x = "1")`.
std::pair<std::string, std::string> texts_apart(const Field& a, const Field& b);

}  // namespace xwalk::hub
