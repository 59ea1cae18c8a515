#pragma once

#include <vector>

#include "xwalk/hub/compatibility.h"
#include "xwalk/iceberg/type.h"

namespace xwalk::iceberg {

/// Returns every reason why rows that were written with one schema of a table cannot be read with
/// another (specification, "Schema Evolution", "Column Projection"). Fields are paired by their
/// ids, so that names and their order do not matter, and a removed field is no longer read. Types
/// may be promoted. Promotions that only readers of table format 3 support are reported and must be
/// checked.
std::vector<hub::CompatibilityResult> incompatibilities(const Schema& written, const Schema& read);

}  // namespace xwalk::iceberg
