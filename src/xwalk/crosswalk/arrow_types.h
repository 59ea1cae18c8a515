#pragma once

#include "xwalk/crosswalk/rooms.h"
#include "xwalk/hub/batch.h"

namespace xwalk::crosswalk {

/// Notes on a target's field which Arrow type the source's had, in the annotation `xwalk:arrow`,
/// where the target system stores it as another one and the way back exists: durations and calendar
/// intervals in Vortex, views, dictionaries, layouts of lists, zones and seconds in Parquet. Own
/// layer only: children are noted for themselves.
void note_arrow_type(System target, const hub::Field& source, hub::Field* field);

/// Returns a stored schema with the Arrow types that `xwalk:arrow` annotations name, at every
/// depth, and without those annotations. One that the system would not store as what is found is
/// stale, and stays without effect.
hub::Schema with_arrow_types(System system, const hub::Schema& stored);

/// Wraps a reader of a system's rows: batches come with the types of `with_arrow_types`.
std::unique_ptr<hub::BatchReader> with_arrow_types(System system,
                                                   std::unique_ptr<hub::BatchReader> reader);

}  // namespace xwalk::crosswalk
