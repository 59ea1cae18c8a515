#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "xwalk/base/path.h"
#include "xwalk/crosswalk/schema.h"
#include "xwalk/hub/type.h"

namespace xwalk::crosswalk {

/// Returns the type with its children's types and metadata blotted out: one layer. Members keep
/// their names.
hub::Type own_layer(const hub::Type& type);

/// Returns the same without the members of structs and unions: what is left when they are compared
/// one by one.
hub::Type bare_layer(const hub::Type& type);

/// Returns the type of a field with `…` in the place of what its children say: `List<…>`. `text` is
/// its whole type_text.
std::string layer_text(System system, const hub::Field& field, std::string_view text);

/// A field that lies below another, and its path.
struct Child {
  Path path;
  const hub::Field* field = nullptr;
};

/// Returns what lies below a type whose path is given: members, alternatives, items, the key and
/// the value of a map. Dictionaries, run-ends and the entries of maps are no places of their own.
/// The fields live as long as the type.
std::vector<Child> children_of(const hub::Type& type, const Path& path);

/// Returns true if the children of a type have names: those of structs and unions.
bool has_names(const hub::Type& type);

/// Returns the type of the values behind dictionaries and run-ends.
const hub::Type& without_encoding(const hub::Type& type);

/// Returns the type without what only a layout says: large offsets, views.
hub::Type without_layout(const hub::Type& type);

}  // namespace xwalk::crosswalk
