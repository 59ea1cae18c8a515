#pragma once

#include "xwalk/c/xwalk.h"
#include "xwalk/crosswalk/schema.h"

/// A schema of any system, with its Arrow form; what the handle of the interface points to.
struct xwalk_schema {
  explicit xwalk_schema(xwalk::crosswalk::AnySchema schema);

  xwalk::crosswalk::System system;
  xwalk::hub::Schema hub;
  xwalk::crosswalk::AnySchema value;
};
