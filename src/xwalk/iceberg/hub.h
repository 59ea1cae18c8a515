#pragma once

#include <string_view>

#include "xwalk/hub/lower.h"
#include "xwalk/hub/type.h"
#include "xwalk/iceberg/type.h"

namespace xwalk::iceberg {

/// Name of this system in the key of a table's annotation.
inline constexpr std::string_view kSystem = "iceberg";
/// Field metadata of Iceberg's own libraries. The id uses Parquet's key.
inline constexpr std::string_view kDoc = "doc";
/// Field and schema metadata that have no key elsewhere.
inline constexpr std::string_view kInitialDefault = "iceberg:initial-default";
inline constexpr std::string_view kWriteDefault = "iceberg:write-default";
inline constexpr std::string_view kSchemaId = "iceberg:schema-id";
inline constexpr std::string_view kIdentifierIds = "iceberg:identifier-field-ids";

/// Returns the Arrow schema of an Iceberg schema, as in Iceberg's own libraries, in plain layouts.
hub::Schema to_arrow(const Schema& schema);

/// What the exact mapping takes: no unions, half floats, seconds and milliseconds, durations,
/// intervals, lists of a fixed size; ids that differ; names that differ.
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
    .timestamps = hub::one_unit(hub::TimeUnit::Micro) | hub::one_unit(hub::TimeUnit::Nano),
    .durations = 0,
    .fixed_binary = hub::FixedBinary::NotEmpty,
    .intervals = false,
    .narrow_decimals = false,
    .least_scale = 0,
    .scale_beyond_precision = false,
    .distinct_metadata = "PARQUET:field_id",
    .distinct_columns = true,
    .distinct_members = true,
    .empty_structs = false,
    .folds_case = true,
    .has_zone = hub::is_utc_or_local,
};

using FromArrow = hub::FromArrow<Schema>;

/// Returns the Iceberg schema of an Arrow schema. Fields keep the ids they have, the others get ids
/// as those of a new table do. Integers take the narrowest type that holds them, uint64 a decimal;
/// decimals have 38 digits at most, so that values with more are rejected. `refused` gets what is
/// not among the capabilities; throws the first if it is null.
FromArrow from_arrow(const hub::Schema& schema, hub::Refused* refused = nullptr);

}  // namespace xwalk::iceberg
