#pragma once

#include <cstdint>
#include <memory>
#include <unordered_map>
#include <vector>

#include "xwalk/base/path.h"
#include "xwalk/hub/domain.h"
#include "xwalk/hub/names.h"
#include "xwalk/hub/type.h"
#include "xwalk/variant/fault.h"

namespace xwalk::hub {

/// What happens to repeated keys of a map.
enum class DuplicateKeys : uint8_t {
  AsTarget,  ///< rejected if the target's system wants each key once, kept otherwise
  Error,     ///< rejected in every map
  Last,      ///< the last value of a key, in the place of the first
  Keep,      ///< kept in every map: the target's readers may take only one of them
};

/// What happens to values of any type (YSON) if the target has no type for them.
enum class AnyValues : uint8_t {
  AsTarget,  ///< VARIANT in Parquet, Arrow and Iceberg, binary YSON in other systems
  Yson,      ///< they stay binary YSON
  Json,      ///< JSON text; what JSON has no place for is rejected
  YtJson,    ///< JSON text by YTsaurus's own conventions: `$attributes`, `$value`, `$type`
  Variant,   ///< VARIANT if the target can store it, otherwise binary YSON; attributes are rejected
};

/// How values become those of a type between the source and the target.
enum class Between : uint8_t {
  Cast,       ///< requested: by value, numbers, times and booleans also from and to text
  Stored,     ///< requested: stored values are read as the type
  Annotated,  ///< the type that the source's annotation names
  Existing,   ///< the type of rows that the target already has; members have their names
};

/// The types that columns and members have between the source and the target, by their paths in the
/// source. Values become values of each type in turn, and are then stored as the target stores
/// them. Members have the names of the source until the first existing type, or the target.
struct Meanings {
  struct Step {
    Field field;
    /// Returns what its system and its annotations say about its values.
    Refine refine;
    Between between = Between::Cast;
    /// The types of members on the way to this one; null if they keep theirs.
    std::shared_ptr<const Meanings> below = nullptr;
  };
  std::unordered_map<Path, std::vector<Step>, Path::Hash> at;
};

/// Options of a cast. Those that alter values (`round`, `merge_nulls`, `drop_zone`,
/// `duplicate_keys` Last, and Keep if the target requires unique keys) are off unless the user
/// names them.
struct CastOptions {
  /// Coarser units, fewer decimal digits and narrower floats round, half to even, instead of
  /// rejecting; floats round to the nearest.
  bool round = false;
  /// Several levels of absence become one null, instead of rejecting the inner one.
  bool merge_nulls = false;
  /// The zone of each value is dropped if the target keeps none.
  bool drop_zone = false;
  DuplicateKeys duplicate_keys = DuplicateKeys::AsTarget;
  /// Applies if the target's field is JSON text.
  AnyValues any = AnyValues::AsTarget;
  /// What values of VARIANT that `any` and JSON lack become.
  variant::Foreign variant_values = variant::Foreign::Refuse;
  /// Nulls are rejected in fields that have none: the maker of the arrays may not have kept to the
  /// schema.
  bool check_required = false;
  /// Null if the target's schema alone says what the values mean there.
  std::shared_ptr<const Meanings> meanings;
  /// Numbers, times and booleans become text, and text is read as such.
  bool values_as_text = false;
  /// Names of members in the target, if they differ from the source.
  Renames renames;
  /// Beyond the Arrow types: what the source's system promises, and what the target's requires.
  /// Null functions add nothing.
  Refine source;
  Refine target;
};

}  // namespace xwalk::hub
