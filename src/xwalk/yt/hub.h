#pragma once

#include <string_view>

#include "xwalk/hub/domain.h"
#include "xwalk/hub/mapping.h"
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

/// Returns the Arrow schema of a table ("YTsaurus in Arrow" in the design). Fields are annotated
/// where their Arrow type alone would not give the YTsaurus type back. Throws Error (Unsupported)
/// with the path for a type Arrow cannot hold at all.
hub::Schema to_arrow(const TableSchema& schema);
/// Returns the Arrow field of one column or item.
hub::Field to_arrow(std::string_view name, const Type& type);

using FromArrow = hub::FromArrow<TableSchema>;

/// Returns the table schema of an Arrow schema. `to_arrow` of it is the Arrow schema that rows have
/// to be cast to. A valid annotation gives back the type it names; a stale one is ignored with a
/// finding. Throws Error (Unsupported) with the path for what has no mapping, and, without
/// lowering, for what YTsaurus has only a storage for.
FromArrow from_arrow(const hub::Schema& schema, const hub::FromArrowOptions& options = {});

/// Returns what YTsaurus says of the values of a field of `to_arrow` beyond its Arrow type: ranges
/// of dates, times and intervals, nan and inf of decimals, names of zones.
hub::Refinement refine(const hub::Field& field);

}  // namespace xwalk::yt
