#pragma once

#include <memory>

#include "xwalk/crosswalk/column_casts.h"
#include "xwalk/crosswalk/schema.h"
#include "xwalk/hub/cast.h"
#include "xwalk/hub/domain.h"
#include "xwalk/hub/names.h"

namespace xwalk::crosswalk {

/// Returns what is known about the values of a source: what its system says and, if annotations are
/// believed, what the annotations of other systems add.
hub::Refine source_refinement(System from, bool annotations);

/// Returns true for bytes that hold values of any type as YSON, by the annotation of a system.
bool holds_yson(const hub::Field& field);

/// Returns how casts change values before the target stores them; null for no casts.
std::shared_ptr<const hub::Meanings> meanings_of(Casts casts);

/// Returns how values of a source change when they are added to the rows of a target. `meaning` is
/// the schema that the reader of the existing rows gives, `renames` are new names for the source's
/// columns.
std::shared_ptr<const hub::Meanings> meanings_of_rows(const hub::Schema& source,
                                                      const AnySchema& target,
                                                      const hub::Schema& meaning,
                                                      const hub::Renames& renames);

}  // namespace xwalk::crosswalk
