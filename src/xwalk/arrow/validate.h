#pragma once

#include "xwalk/hub/finding.h"
#include "xwalk/hub/type.h"

namespace xwalk::arrow {

/// Checks every rule of the columnar format about a schema and returns what it finds, in schema
/// order, never throwing: units of time, precision of decimals, entries of maps, codes of unions,
/// run ends, storage of canonical extension types, names. Those that break no rule
/// (`hub::is_violation`) are notes: two fields of one name, keys that may be null.
hub::Findings validate(const hub::Schema& schema);

/// Returns false for a canonical extension type that is stored, or described, as its specification
/// does not allow. The field is then no such type.
bool fits_extension(const hub::Field& field);

}  // namespace xwalk::arrow
