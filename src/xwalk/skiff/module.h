#pragma once

#include "xwalk/hub/any_schema.h"

namespace xwalk::skiff {

/// The row of Skiff; the model of its schemas is Schema (schema.h).
extern const hub::Module kModule;

}  // namespace xwalk::skiff
