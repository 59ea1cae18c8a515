#pragma once

#include "xwalk/c/xwalk.h"
#include "xwalk/io/places/schema_input.h"

/// What the handle of a schema points to.
struct xwalk_schema {
  xwalk::io::SchemaInput schema;
};
