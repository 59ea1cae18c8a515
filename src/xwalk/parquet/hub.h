#pragma once

#include <string_view>

#include "xwalk/hub/lower.h"
#include "xwalk/hub/type.h"
#include "xwalk/parquet/resolve.h"
#include "xwalk/parquet/type.h"

namespace xwalk::parquet {

/// Returns the Arrow schema of a Parquet schema, annotated where the Arrow type alone would not
/// give the same node back. Throws as `resolve`.
hub::Schema to_arrow(const Schema& schema, const ToArrowOptions& options = {});

/// Returns a schema whose columns in storage form (`ToArrowOptions::storage`) have the types of the
/// usual form in place of their own bytes; the same one where there are none.
hub::Schema without_storage(hub::Schema schema);
/// Returns true for rows whose columns come in storage form.
bool in_storage(const hub::Schema& rows);

/// Returns true for a field whose annotation names a primitive of its Arrow type.
bool holds(const hub::Field& field);

/// What the exact mapping takes, as the living system (Arrow C++) does: no unions, run-ends, fixed
/// binary of no bytes; intervals as INTERVAL only; scales from 0 to the precision.
inline constexpr hub::Capabilities kCapabilities = {
    .system = kSystem,
    .unions = false,
    .sorted_keys = false,
    .run_ends = false,
    .fixed_binary = hub::FixedBinary::NotEmpty,
    .intervals = false,
    .interval_annotation = "required fixed_len_byte_array(12) _ (INTERVAL);",
    .least_scale = 0,
    .scale_beyond_precision = false,
    .zero_bytes = true,
    .folds_case = true,
    .holds = holds,
};

using FromArrow = hub::FromArrow<Schema>;

/// Returns the schema a writer should write for an Arrow schema: standard names, required map keys,
/// both annotations, whatever an annotation says of keys. `to_arrow` of it is the Arrow schema that
/// rows have to be cast to. A valid annotation gives back the node it names; a stale one is ignored
/// with a finding. Throws Error (Unsupported) with the path for what is not among the capabilities
/// and for structs without fields.
FromArrow from_arrow(const hub::Schema& schema);

}  // namespace xwalk::parquet
