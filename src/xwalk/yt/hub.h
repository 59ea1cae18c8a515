#pragma once

#include <string_view>

#include "xwalk/hub/domain.h"
#include "xwalk/hub/lower.h"
#include "xwalk/hub/type.h"
#include "xwalk/yt/schema.h"

namespace xwalk::yt {

/// Name of this system in annotation keys. A field's annotation is the canonical `type_v3` text of
/// one layer: the type with every item's type replaced by "null". A schema's annotation is a table
/// schema without columns: `<"strict"=%true;"unique_keys"=%false;>[]`.
inline constexpr std::string_view kSystem = "yt";
/// Field metadata key of a column's attributes: a YSON map of the keys of a column schema besides
/// name and type (`{sort_order=ascending}`).
inline constexpr std::string_view kColumnAnnotation = "xwalk:yt.column";
/// Name of the last hub column of a table that is not strict: binary YSON maps of the columns its
/// schema does not describe.
inline constexpr std::string_view kOtherColumns = "$other_columns";

/// Returns the Arrow schema of a table ("YTsaurus in Arrow" in the design). Fields are annotated if
/// their Arrow type alone does not determine the YTsaurus type. Throws Error (Unsupported) with the
/// path for a type Arrow cannot hold at all.
hub::Schema to_arrow(const TableSchema& schema);
/// Returns the Arrow field of one column or item.
hub::Field to_arrow(std::string_view name, const Type& type);

/// Returns true for UTC by any of its names.
bool is_utc(std::string_view zone);
/// Returns the nearest name that a column or a member may have.
hub::LegalName legal_name(const hub::Field& field, hub::NameOf of);
/// Replaces json and yson in a key, which the system does not allow, by utf8 and string. Returns
/// what was lost, or "".
std::string legal_key(hub::Field& key);

/// Types with an exact mapping. Others only have a storage type in YTsaurus.
inline constexpr hub::Capabilities kCapabilities = {
    .system = kSystem,
    .any_values = true,
    .fixed_lists = false,
    .bool8 = false,
    .half_floats = false,
    .date64 = false,
    .time_of_day = false,
    .timestamps = hub::one_unit(hub::TimeUnit::Second) | hub::one_unit(hub::TimeUnit::Micro),
    .durations = hub::one_unit(hub::TimeUnit::Micro),
    .fixed_binary = hub::FixedBinary::UuidOnly,
    .intervals = false,
    .least_scale = 0,
    .scale_beyond_precision = false,
    .names_of_bytes = true,
    .zero_bytes = true,
    .distinct_columns = true,
    .distinct_members = true,
    .longest_name = kMaxNameLength,
    .legal_name = legal_name,
    .has_zone = is_utc,
    .legal_key = legal_key,
};

using FromArrow = hub::FromArrow<TableSchema>;

/// Returns the table schema of an Arrow schema. `to_arrow` of it is the Arrow schema that rows have
/// to be cast to. A valid annotation gives back the type it names; a stale one is ignored with a
/// finding. `refused` gets what is not among the capabilities; throws the first if it is null.
FromArrow from_arrow(const hub::Schema& schema, hub::Refused* refused = nullptr);

/// Returns what YTsaurus requires of the values of a field of `to_arrow` beyond its Arrow type:
/// ranges of dates, times and intervals, nan and inf of decimals, names of zones.
hub::Refinement refine(const hub::Field& field);

}  // namespace xwalk::yt
