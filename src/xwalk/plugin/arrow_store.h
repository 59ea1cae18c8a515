#pragma once

#include "xwalk/plugin/store.h"

namespace xwalk::plugin {

/// Returns the stores that Arrow C++ has file systems for: `s3://`, `gs://`, `abfss://`, `az://`.
Store& arrow_store();

}  // namespace xwalk::plugin
