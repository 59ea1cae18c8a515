#pragma once

#include <nanobind/nanobind.h>

#include "xwalk/arrow/room.h"
#include "xwalk/crosswalk/plan.h"
#include "xwalk/io/open.h"

namespace xwalk::python {

/// A schema of any system, as Python holds it.
struct Schema {
  crosswalk::System system = arrow::kRoom;
  crosswalk::AnySchema value;
  /// As the hub sees it, with what its rows say beside it.
  hub::Schema hub;
  /// Of several files that it was read from.
  io::FileNotes file_notes;
};

Schema make_schema(crosswalk::AnySchema value);

void bind_schema(nanobind::module_& module);

}  // namespace xwalk::python
