#pragma once

#include "xwalk/crosswalk/rooms.h"
#include "xwalk/hub/finding.h"
#include "xwalk/hub/type.h"

namespace xwalk::crosswalk {

/// Returns true if names of a system's columns may be any bytes; elsewhere they are UTF-8.
bool takes_any_names(System system);

/// Returns the schema with column names that are UTF-8: each byte that is not becomes `\xFF`. A
/// name that is changed is a finding (`name.changed`) at the column's own path. A name that would
/// then stand twice gets `_2` behind it. Names below columns are UTF-8 in every system.
hub::Schema with_utf8_names(const hub::Schema& schema, hub::Findings* findings);

}  // namespace xwalk::crosswalk
