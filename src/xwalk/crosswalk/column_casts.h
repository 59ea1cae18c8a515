#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "xwalk/arrow/module.h"
#include "xwalk/base/path.h"
#include "xwalk/crosswalk/schema.h"
#include "xwalk/hub/finding.h"
#include "xwalk/hub/option.h"
#include "xwalk/hub/type.h"

namespace xwalk::crosswalk {

/// A column, or a field below one, that gets another type in the target.
struct CastOption {
  Path path;
  /// Whether `*` and `?` in its names are wildcards if no column has exactly that name.
  bool pattern = false;
  /// In the notation of the target, the source, Arrow or any other system: the first that can parse
  /// it.
  std::string type;
};

/// The rule of a path whose type was changed by the user.
inline constexpr std::string_view kCastRule = "type.cast";

/// A type in a system's notation.
struct RequestedType {
  System system = arrow::kModule;
  hub::Field field;
};

/// Parses the type of a request in the notation of the first of the target, the source, Arrow and
/// the other systems that knows it. Throws Error (Usage), at the option, for a text that is not a
/// type.
RequestedType read_type(const CastOption& request, hub::Option option, System source,
                        System target);

/// The result of `with_casts`.
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

/// Returns a source's hub schema with the requested types for a target, and adds each to `casts`. A
/// type without explicit nullability is nullable if the field was. A cast to the type that a field
/// already has is ignored. Throws Error (Usage) for a missing or repeated path, with names of
/// `columns` or else of the schema, and for a text that is not a type.
hub::Schema with_casts(System source, System target, hub::Schema schema,
                       const std::vector<CastOption>& requested, Casts* casts,
                       const std::vector<hub::Field>* columns = nullptr);

/// Returns the paths of columns, for hints.
std::vector<std::string> names_of_columns(const std::vector<hub::Field>& columns);

/// Returns the metadata of a field without the parts that describe its type: extensions and
/// annotations.
hub::Metadata without_type(const hub::Metadata& metadata);

}  // namespace xwalk::crosswalk
