#pragma once

#include "xwalk/crosswalk/schema.h"
#include "xwalk/hub/type.h"

namespace xwalk::crosswalk {

/// Returns true if a schema has annotations of a system, at any depth.
bool has_annotations_of(System system, const hub::Schema& schema);

/// Returns a schema without the annotations of a system.
hub::Schema without_annotations_of(System system, hub::Schema schema);

/// Returns the target's schema with the metadata of the source's fields, at every depth where they
/// pair, and with annotations of the Arrow types that the target system stores as other types.
hub::Schema with_metadata_of(System to, const hub::Schema& source, hub::Schema target,
                             bool annotations);

}  // namespace xwalk::crosswalk
