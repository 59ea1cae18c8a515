#pragma once

#include <string_view>

#include "xwalk/hub/lower.h"
#include "xwalk/hub/type.h"
#include "xwalk/parquet/resolve.h"
#include "xwalk/parquet/type.h"

namespace xwalk::parquet {

/// Returns the Arrow schema of a Parquet schema, annotated if the Arrow type alone does not
/// determine the node. Throws as `resolve`.
hub::Schema to_arrow(const Schema& schema, const ToArrowOptions& options = {});

/// Returns a schema in which columns in storage form (`ToArrowOptions::storage`) have the types of
/// the usual form instead of bytes. Unchanged without such columns.
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
/// both forms of annotations, regardless of the keys in an xwalk annotation. Rows must be cast to
/// its `to_arrow`. A valid xwalk annotation restores the node it names. A stale one is ignored with
/// a finding. `refused` gets types outside the capabilities and structs without fields; throws the
/// first if it is null.
FromArrow from_arrow(const hub::Schema& schema, hub::Refused* refused = nullptr);

}  // namespace xwalk::parquet
