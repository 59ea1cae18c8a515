#pragma once

#include "xwalk/hub/any_schema.h"

namespace xwalk::yt {

/// The row of YTsaurus; the model of its schemas is TableSchema (schema.h).
extern const hub::Module kModule;

}  // namespace xwalk::yt
