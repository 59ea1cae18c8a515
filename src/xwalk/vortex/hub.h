#pragma once

#include <string_view>

#include "xwalk/hub/mapping.h"
#include "xwalk/hub/type.h"
#include "xwalk/vortex/type.h"

namespace xwalk::vortex {

/// Name of this system in annotation keys. A field's annotation names the layers that its Arrow
/// type does not give back, outermost first, joined by " of ": `acme.point[0x01]`,
/// `vortex.uuid[v4]`, `union[5,255]`.
inline constexpr std::string_view kSystem = "vortex";

/// Name of the one column that a file has whose root is not a struct.
inline constexpr std::string_view kRootColumn = "value";

/// Returns the Arrow schema of a file's dtype. Text and bytes are plain (the living system prefers
/// views; a layout is no part of the type). Throws Error (Unsupported) with the path for a type
/// Arrow cannot hold: a fixed-size list of more than 2^31-1 items.
hub::Schema to_arrow(const DType& root);
/// Returns the Arrow field of one DType.
hub::Field to_arrow(std::string_view name, const DType& type);

using FromArrow = hub::FromArrow<DType>;

/// Returns the dtype of an Arrow schema: a struct that is not nullable. Layouts (large, view,
/// dictionary, run-end) fall away. Without lowering, throws Error (Unsupported) with the path for
/// what the living system refuses: fixed-size binary (but arrow.uuid), durations, intervals,
/// unions, nullable map keys, unknown zones, repeated names, more than 32 nested types.
/// With lowering these become their nearest storage, each with a finding.
FromArrow from_arrow(const hub::Schema& schema, const hub::FromArrowOptions& options = {});

}  // namespace xwalk::vortex
