#pragma once

#include "xwalk/hub/any_schema.h"

namespace xwalk::lance {

/// The row of Lance; the model of its schemas is Schema (schema.h).
extern const hub::Module kModule;

}  // namespace xwalk::lance
