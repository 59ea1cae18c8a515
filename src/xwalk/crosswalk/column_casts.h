#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "xwalk/base/path.h"
#include "xwalk/crosswalk/schema.h"
#include "xwalk/hub/finding.h"

namespace xwalk::crosswalk {

/// A column, or what lies below one, that is to have another type in the target.
struct CastOption {
  Path path;
  /// Whether `*` and `?` in its names stand for other characters where no column has such a name.
  bool pattern = false;
  /// In the words of the target, the source, Arrow or any other system: the first that reads them.
  std::string type;
};

/// The rule of a path that has another type because somebody asked for it.
inline constexpr std::string_view kCastRule = "type.cast";

/// What `with_casts` has done.
struct Casts {
  /// A field with the requested type, and the system whose notation the request used.
  struct Cast {
    Path path;
    hub::Field field;
    System system;
  };
  std::vector<Cast> made;
  hub::Findings findings;
};

/// Returns a hub schema of a source with the requested types on the way to a target, and
/// adds each to `casts`. A type that does not say whether it may be null is nullable where the
/// field was; a cast to the type that a field has is none. Throws Error (Usage) for a path that is
/// not there or asked for twice, and for words that are no type.
hub::Schema with_casts(System source, System target, hub::Schema schema,
                       const std::vector<CastOption>& requested, Casts* casts);

/// Returns the metadata of a field but for what describes its type: extensions and annotations.
hub::Metadata without_type(const hub::Metadata& metadata);

}  // namespace xwalk::crosswalk
