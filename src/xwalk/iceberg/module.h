#pragma once

#include "xwalk/hub/any_schema.h"

namespace xwalk::iceberg {

/// The row of Iceberg; the model of its schemas is Schema (schema.h).
extern const hub::Module kModule;

}  // namespace xwalk::iceberg
