#pragma once

#include "xwalk/hub/type.h"

namespace xwalk::crosswalk {

/// Throws Error (Input) if plans, comparisons and reports of a schema, or of two, would take more
/// memory than the limit of this thread (`SchemaMemoryScope`): a few bytes may describe many
/// columns that share a name, and a long name is a part of the paths of all fields below.
void check_schema_work(const hub::Schema& schema, const hub::Schema* other = nullptr);

}  // namespace xwalk::crosswalk
