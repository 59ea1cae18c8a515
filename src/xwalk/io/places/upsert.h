#pragma once

#include <memory>

#include "xwalk/crosswalk/plan.h"
#include "xwalk/crosswalk/schema.h"
#include "xwalk/hub/batch.h"
#include "xwalk/hub/type.h"
#include "xwalk/io/formats/format.h"
#include "xwalk/io/formats/options.h"

// Rows that replace those of a table that have the same key.

namespace xwalk::io {

/// Refuses a key without `mode=upsert`, that mode without a key, and formats whose rows are not
/// replaced by key. Throws Error (Usage, Unsupported).
void check_upsert(Format format, const OutputOptions& options);

/// Refuses rows that lack a column of a table: it would become null in the rows that they replace.
/// Refuses a key that the table does not have. `plan` has new names for columns of the rows. Throws
/// Error (Usage, Unsupported).
void check_upserted_columns(const hub::Schema& rows, const crosswalk::AnySchema& there,
                            const crosswalk::PlanOptions& plan, const OutputOptions& options);

/// Has the keys of the rows that a writer writes checked; see KeyWriter. `rows` is their schema in
/// the output. Throws Error (Unsupported) for existing rows that promise an order, which an upsert
/// does not keep.
std::unique_ptr<hub::BatchWriter> with_keys(const OutputPlace& place, const hub::Schema& rows,
                                            const OutputOptions& options,
                                            std::unique_ptr<hub::BatchWriter> writer);

}  // namespace xwalk::io
