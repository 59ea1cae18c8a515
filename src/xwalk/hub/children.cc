#include "xwalk/hub/children.h"

#include <utility>

#include "xwalk/hub/names.h"

namespace xwalk::hub {

bool has_names(const Type& type) {
  return type.kind() == Kind::Struct || type.kind() == Kind::DenseUnion ||
         type.kind() == Kind::SparseUnion;
}

std::vector<Child> children_of(const Type& encoded, const Path& path) {
  const Type& type = without_encoding(encoded);
  if (type.kind() == Kind::Map) {
    return {{path.map_key(), &type.key()}, {path.map_value(), &type.value()}};
  }
  std::vector<Child> out;
  out.reserve(type.children().size());
  std::vector<Path> named;
  if (has_names(type)) named = paths_of_members(type, path);
  for (size_t i = 0; i < type.children().size(); ++i) {
    out.push_back({named.empty() ? path.item() : std::move(named[i]), &type.child(i)});
  }
  return out;
}

const Type& without_encoding(const Type& type) {
  if (type.kind() == Kind::Dictionary) return without_encoding(type.child().type);
  if (type.kind() == Kind::RunEndEncoded) return without_encoding(type.child(1).type);
  return type;
}

}  // namespace xwalk::hub
