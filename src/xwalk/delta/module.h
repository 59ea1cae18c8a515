#pragma once

#include "xwalk/hub/any_schema.h"

namespace xwalk::delta {

/// The row of Delta; the model of its schemas is Schema (type.h).
extern const hub::Module kModule;

}  // namespace xwalk::delta
