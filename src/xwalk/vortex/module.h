#pragma once

#include "xwalk/hub/any_schema.h"

namespace xwalk::vortex {

/// The row of Vortex; the model of its schemas is DType (type.h).
extern const hub::Module kModule;

}  // namespace xwalk::vortex
