#pragma once

#include <string_view>

#include "xwalk/hub/domain.h"
#include "xwalk/hub/type.h"
#include "xwalk/skiff/binding.h"
#include "xwalk/skiff/schema.h"
#include "xwalk/yt/hub.h"

namespace xwalk::skiff {

/// Name of this system in annotation keys. A field's annotation is the short form of its own
/// layer's wire type without children: `int8`, `variant16`.
inline constexpr std::string_view kSystem = "skiff";

/// Returns the Arrow schema of a table's rows. With a table schema, columns have the types
/// `yt::to_arrow` gives them; without one, types follow from the wire types: 128 and 256 bits are
/// fixed_size_binary with unchanged bytes, tuples structs, variants unions, `variant8<nothing;T>`
/// nullable T, repeated variants lists (of unions, if there are several alternatives). Columns are
/// in the order of the skiff schema, sparse ones after the dense, then those that `$other_columns`
/// holds and the table schema describes. `$other_columns` (binary, a YSON map) has the others and
/// comes last. A strict table schema has none. Wire types that `from_arrow` would not choose are
/// annotated.
hub::Schema to_arrow(const Schema& schema, size_t table = 0);
hub::Schema to_arrow(const BoundTable& table);

/// Returns true for the bytes of an integer of 128 or 256 bits without a table schema.
bool holds(const hub::Field& field);

/// What the exact mapping takes: what YTsaurus takes, and wide integers.
inline constexpr hub::Capabilities kCapabilities = [] {
  hub::Capabilities can = yt::kCapabilities;
  can.system = kSystem;
  can.holds = holds;
  return can;
}();

using FromArrow = hub::FromArrow<Schema>;

/// Returns the skiff schema of an Arrow schema, with its table schema beside it: the columns as
/// `yt::from_arrow` maps and refuses them, the wire types derived, or as the annotations say.
FromArrow from_arrow(const hub::Schema& schema, hub::Refused* refused = nullptr);

/// Returns what a Skiff column requires of its values beyond the Arrow type: YTsaurus's rules for
/// the column's type, restricted to what the wire type can hold (`int64` as `int8`).
hub::Refinement refine(const hub::Field& field);

}  // namespace xwalk::skiff
