#pragma once

#include "xwalk/hub/finding.h"
#include "xwalk/skiff/schema.h"
#include "xwalk/skiff/table.h"
#include "xwalk/skiff/type.h"

namespace xwalk::skiff {

/// Lists types beyond the written specification, as findings of the rule `spec.beyond-text`:
/// `nothing` outside of variants, integers other than int64 and uint64.
hub::Findings beyond_text(const Type& type);

/// Lists what the living system allows in a table's schema beyond the written specification
/// (`spec.beyond-text`): compound and wide dense and sparse nodes, three-way indices.
hub::Findings table_beyond_text(const TableLayout& layout);

/// Returns both for every table of a schema, and the broken rules of its table schemas. Errors of a
/// skiff schema itself are found when it is parsed.
hub::Findings validate(const Schema& schema);

}  // namespace xwalk::skiff
