#pragma once

#include "xwalk/hub/finding.h"
#include "xwalk/vortex/type.h"

namespace xwalk::vortex {

/// Returns findings about a DType, in its order. Never throws. The factories of DType enforce the
/// rules of the format, except names that are not UTF-8. The rest are remarks: two fields with the
/// same name, with which no file can be written; extensions that not every reader has; kinds beyond
/// the written specification.
hub::Findings validate(const DType& type);

}  // namespace xwalk::vortex
