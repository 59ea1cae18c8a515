#pragma once

#include "xwalk/crosswalk/plan_result.h"
#include "xwalk/crosswalk/schema.h"
#include "xwalk/hub/type.h"

namespace xwalk::crosswalk {

/// Plans the conversion of a schema. A column that cannot be converted has the verdict
/// `unsupported`, and the others are planned without it. Throws Error (Usage) for options that
/// contradict each other or the schema, Error (Unsupported) if the schema as a whole has no
/// mapping.
Plan plan(const AnySchema& source, System target, const PlanOptions& options = {});

/// The same for the hub schema that a reader of a system's rows gives.
Plan plan(System source, const hub::Schema& source_hub, System target,
          const PlanOptions& options = {});

/// Plans the conversion of a reader's hub schema to a given target schema. `meaning` is the schema
/// that the reader of rows in the target gives: values get its types first, and the target has the
/// same annotations. Null if the target has no rows.
Plan plan_to(System source, const hub::Schema& source_hub, const AnySchema& target,
             const PlanOptions& options = {}, const hub::Schema* meaning = nullptr);

}  // namespace xwalk::crosswalk
