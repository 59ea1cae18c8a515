#pragma once

#include "xwalk/crosswalk/plan_result.h"
#include "xwalk/crosswalk/schema.h"
#include "xwalk/hub/lower.h"
#include "xwalk/hub/names.h"
#include "xwalk/hub/type.h"

namespace xwalk::crosswalk {

/// Returns the requested names, by path. Throws Error (Usage) for a path that does not exist, with
/// names of `columns` or else of the schema, and for a name that another field next to it has.
hub::Renames requested_names(const hub::Schema& schema, const std::vector<RenameOption>& requested,
                             const std::vector<hub::Field>* columns = nullptr);

/// Lowers a schema to what a system has, with the requested names. `annotations`: notes what the
/// rewritten types were.
hub::Lowered lowered(System target, const hub::Schema& schema, bool annotations,
                     const hub::Renames& requested);

/// Returns the new names that a plan to a system would give: those requested, and those for names
/// that the system cannot hold. Throws Error (Usage) as `requested_names` does.
hub::Renames renames_on_the_way(System target, const hub::Schema& source_hub,
                                const PlanOptions& options);

}  // namespace xwalk::crosswalk
