#pragma once

#include <string_view>

#include "xwalk/delta/type.h"
#include "xwalk/hub/lower.h"
#include "xwalk/hub/type.h"

namespace xwalk::delta {

/// Name of this system in the key of a table's annotation.
inline constexpr std::string_view kSystem = "delta";
/// Field metadata: what a field's metadata has besides its comment, as a JSON object. The id of
/// column mapping uses Parquet's key in addition.
inline constexpr std::string_view kFieldMetadata = "delta:metadata";

/// Returns the Arrow schema of a Delta schema, in plain layouts.
hub::Schema to_arrow(const Schema& schema);

/// What the exact mapping takes: no unions, half floats, times of day, durations, intervals; times
/// of microseconds; binary of any length only; names that differ.
inline constexpr hub::Capabilities kCapabilities = {
    .system = kSystem,
    .unions = false,
    .nullable_keys = false,
    .sorted_keys = false,
    .fixed_lists = false,
    .list_views = false,
    .run_ends = false,
    .bool8 = false,
    .half_floats = false,
    .date64 = false,
    .time_of_day = false,
    .timestamps = hub::one_unit(hub::TimeUnit::Micro),
    .durations = 0,
    .fixed_binary = hub::FixedBinary::None,
    .intervals = false,
    .narrow_decimals = false,
    .least_scale = 0,
    .scale_beyond_precision = false,
    .distinct_columns = true,
    .distinct_members = true,
    .distinct_folded = true,
    .empty_structs = false,
    .folds_case = true,
    .has_zone = hub::is_utc_or_local,
};

using FromArrow = hub::FromArrow<Schema>;

/// Returns the Delta schema of an Arrow schema. Integers take the narrowest type that holds them,
/// uint64 a decimal; decimals have 38 digits at most, so that values with more are rejected.
/// `refused` gets what is not among the capabilities; throws the first if it is null.
FromArrow from_arrow(const hub::Schema& schema, hub::Refused* refused = nullptr);

}  // namespace xwalk::delta
