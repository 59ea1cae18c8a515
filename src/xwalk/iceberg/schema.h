#pragma once

// Everything that users of Iceberg schemas need.

#include "xwalk/iceberg/hub.h"   // IWYU pragma: export
#include "xwalk/iceberg/json.h"  // IWYU pragma: export
#include "xwalk/iceberg/text.h"  // IWYU pragma: export
#include "xwalk/iceberg/type.h"  // IWYU pragma: export
