#pragma once

#include "xwalk/hub/finding.h"
#include "xwalk/vortex/type.h"

namespace xwalk::vortex {

/// Returns what is worth knowing of a DType, in its order, never throwing. The factories of DType
/// keep the rules of the format; what is left are names that are not UTF-8, which break one, and
/// notes: two fields of one name, with which no file is written; extensions that not every reader
/// has; kinds beyond the written specification.
hub::Findings validate(const DType& type);

}  // namespace xwalk::vortex
