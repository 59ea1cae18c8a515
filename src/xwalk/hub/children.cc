#include "xwalk/hub/children.h"

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
  for (const Field& child : type.children()) {
    if (type.kind() == Kind::Struct) {
      out.push_back({path.field(child.name), &child});
    } else if (has_names(type)) {
      out.push_back({path.alternative(child.name), &child});
    } else {
      out.push_back({path.item(), &child});
    }
  }
  return out;
}

const Type& without_encoding(const Type& type) {
  if (type.kind() == Kind::Dictionary) return without_encoding(type.child().type);
  if (type.kind() == Kind::RunEndEncoded) return without_encoding(type.child(1).type);
  return type;
}

}  // namespace xwalk::hub
