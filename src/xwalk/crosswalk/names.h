#pragma once

#include "xwalk/hub/finding.h"
#include "xwalk/hub/type.h"

namespace xwalk::crosswalk {

/// Returns the schema with column names that are UTF-8: each byte that is not becomes `\xFF`. A
/// name that is changed is a finding (`name.changed`) at the column's own path. A name that would
/// then stand twice gets `_2` behind it. Names below columns are UTF-8 in every system.
hub::Schema with_utf8_names(const hub::Schema& schema, hub::Findings* findings);

}  // namespace xwalk::crosswalk
