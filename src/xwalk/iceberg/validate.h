#pragma once

#include "xwalk/hub/finding.h"
#include "xwalk/iceberg/type.h"

namespace xwalk::iceberg {

/// Checks every rule of the specification and returns all it finds, in schema order: ids, names,
/// identifier fields, defaults. What later versions of the table format brought is a note
/// (`spec.version`).
hub::Findings validate(const Schema& schema);

}  // namespace xwalk::iceberg
