#pragma once

#include <nanobind/nanobind.h>

#include "xwalk/arrow/room.h"
#include "xwalk/crosswalk/plan.h"

namespace xwalk::python {

/// A schema of any system, as Python holds it.
struct Schema {
  crosswalk::System system = arrow::kRoom;
  crosswalk::AnySchema value;
  /// As the hub sees it, with what its rows say beside it.
  hub::Schema hub;
};

Schema make_schema(crosswalk::AnySchema value);

void bind_schema(nanobind::module_& module);

}  // namespace xwalk::python
