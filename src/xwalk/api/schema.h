#pragma once

#include "xwalk/crosswalk/schema.h"
#include "xwalk/io/formats/options.h"
#include "xwalk/io/places/schema_input.h"
#include "xwalk/xwalk.hpp"

namespace xwalk {

/// A schema of any system, with its Arrow form and the notes of the files that it was read from.
struct Schema::State {
  crosswalk::System system;
  crosswalk::AnySchema value;
  hub::Schema hub;
  io::FileNotes notes;
};

namespace api {

Schema make_schema(crosswalk::AnySchema value);
/// The same for a schema whose Arrow form is known already.
Schema make_schema(crosswalk::AnySchema value, hub::Schema hub, io::FileNotes notes = {});

}  // namespace api
}  // namespace xwalk
