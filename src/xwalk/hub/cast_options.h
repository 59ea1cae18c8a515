#pragma once

#include <cstdint>
#include <memory>
#include <unordered_map>

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

/// The types that columns and members have between the source and the target, by their paths in the
/// source. Values become values of that type first, and are then stored as the target stores it.
struct Meanings {
  struct Meaning {
    Field field;
    /// Returns what its system and its annotations say about its values.
    Refine refine;
  };
  std::unordered_map<Path, Meaning, Path::Hash> at;
  /// Whether the user requested these types: then numbers, times and booleans become text, text is
  /// read as them, and members have the names of the source. Otherwise rows of these types exist in
  /// the target, and members have the names of the target.
  bool requested = true;
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
