#pragma once

#include <string_view>

#include "xwalk/hub/lower.h"
#include "xwalk/hub/type.h"
#include "xwalk/vortex/type.h"

namespace xwalk::vortex {

/// Name of this system in annotation keys. A field's annotation names the layers that its Arrow
/// type does not give back, outermost first, joined by " of ": `acme.point[0x01]`,
/// `vortex.uuid[v4]`, `union[5,255]`.
inline constexpr std::string_view kSystem = "vortex";

/// Name of the one column that a file has whose root is not a struct.
inline constexpr std::string_view kRootColumn = "value";

/// Returns the Arrow schema of a file's dtype. Text and bytes are plain. (Vortex prefers views, but
/// a layout is not part of the type.) Throws Error (Unsupported) with the path for a type Arrow
/// cannot hold: a fixed-size list of more than 2^31-1 items.
hub::Schema to_arrow(const DType& root);
/// Returns the Arrow field of one DType.
hub::Field to_arrow(std::string_view name, const DType& type);

using FromArrow = hub::FromArrow<DType>;

/// Returns true for a union whose annotation gives the ids of its alternatives.
bool holds(const hub::Field& field);
/// Returns true for no zone, a name of the IANA database or an offset.
bool has_zone(std::string_view zone);
/// Returns false for fixed-size lists with VARIANT at any depth, which vortex-data cannot write.
bool fixed_list_of(const hub::Type& list);

/// What the exact mapping takes: no durations, intervals, unions (the format has them, its readers
/// have no way for them), null keys or fixed-size binary but arrow.uuid; names that differ.
inline constexpr hub::Capabilities kCapabilities = {
    .system = kSystem,
    .unions = false,
    .nullable_keys = false,
    .durations = 0,
    .fixed_binary = hub::FixedBinary::UuidOnly,
    .bytes_as_list = true,
    .intervals = false,
    .least_scale = -128,
    .scale_beyond_precision = false,
    .distinct_columns = true,
    .distinct_members = true,
    .folds_case = true,
    .has_zone = has_zone,
    .holds = holds,
    .fixed_list_of = fixed_list_of,
};

/// Returns the dtype of an Arrow schema: a struct that is not nullable. Layouts (large, view,
/// dictionary, run-end) fall away. `refused` gets what is not among the capabilities and more than
/// 32 nested types; throws the first if it is null.
FromArrow from_arrow(const hub::Schema& schema, hub::Refused* refused = nullptr);

}  // namespace xwalk::vortex
