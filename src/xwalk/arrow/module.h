#pragma once

#include "xwalk/hub/any_schema.h"

namespace xwalk::arrow {

/// The row of Arrow; the model of its schemas is hub::Schema.
extern const hub::Module kModule;

}  // namespace xwalk::arrow
