#pragma once

#include <vector>

#include "xwalk/base/path.h"
#include "xwalk/hub/type.h"

namespace xwalk::hub {

/// A field that lies below another, and its path.
struct Child {
  Path path;
  const Field* field = nullptr;
};

/// Returns what lies below a type whose path is given: members, alternatives, items, the key and
/// the value of a map. Dictionaries, run-ends and the entries of maps are no places of their own.
/// The fields live as long as the type.
std::vector<Child> children_of(const Type& type, const Path& path);

/// Returns true if the children of a type have names: those of structs and unions.
bool has_names(const Type& type);

/// Returns the type of the values behind dictionaries and run-ends.
const Type& without_encoding(const Type& type);

/// Returns true for dictionaries and run-ends.
inline bool is_encoded(const Type& type) {
  return type.kind() == Kind::Dictionary || type.kind() == Kind::RunEndEncoded;
}

}  // namespace xwalk::hub
