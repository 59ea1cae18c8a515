#pragma once

#include "xwalk/hub/any_schema.h"

namespace xwalk::parquet {

/// The row of Parquet; the model of its schemas is Schema (type.h).
extern const hub::Module kModule;

}  // namespace xwalk::parquet
