#pragma once

#include "xwalk/crosswalk/plan_result.h"
#include "xwalk/hub/finding.h"
#include "xwalk/hub/mapping.h"
#include "xwalk/hub/type.h"

namespace xwalk::crosswalk {

/// Returns what a schema has that the cluster or the version of files which the options name does
/// not (`spec.version`), and how the chosen readers interpret it (`reader.refuses`,
/// `reader.misreads`). Throws Error (Usage) for a reader of other files.
hub::Findings lacking(const AnySchema& schema, const PlanOptions& options);

/// Returns the schema as files of that version keep it: without nulls that they would lose.
AnySchema as_kept(AnySchema schema, const PlanOptions& options);

/// Returns the schema of Iceberg's data files in Parquet for a table: decimals in int32 up to 9
/// digits, in int64 up to 18, and no fields of the type unknown. `refused` gets columns with items
/// or values of that type, or with structs without other fields, which such files cannot leave out.
hub::Schema as_iceberg_stores(hub::Schema schema, hub::Refused* refused);

/// Returns the options with types that the chosen readers read, by a plan made without them.
PlanOptions for_readers(const Plan& natural, const PlanOptions& options);

/// Returns findings of the options about a plan's target besides its types, at paths of the source:
/// what was `lacking`, and zones without a number.
hub::Findings target_rules(const Plan& plan, const PlanOptions& options, hub::Findings lacking);

}  // namespace xwalk::crosswalk
