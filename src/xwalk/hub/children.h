#pragma once

#include <vector>

#include "xwalk/base/path.h"
#include "xwalk/hub/type.h"

namespace xwalk::hub {

/// A field below another, and its path.
struct Child {
  Path path;
  const Field* field = nullptr;
};

/// Returns the fields below a type whose path is given: members, alternatives, items, the key and
/// the value of a map. Dictionaries, run-ends and the entries of maps add no path step. The fields
/// live as long as the type.
std::vector<Child> children_of(const Type& type, const Path& path);

/// Returns true if the children of a type have names: those of structs and unions.
bool has_names(const Type& type);

/// Returns the type of the values, without dictionary and run-end encoding.
const Type& without_encoding(const Type& type);

/// Returns true for dictionaries and run-ends.
inline bool is_encoded(const Type& type) {
  return type.kind() == Kind::Dictionary || type.kind() == Kind::RunEndEncoded;
}

}  // namespace xwalk::hub
