#include "xwalk/yt/value_path.h"

#include <string>

#include "xwalk/yt/layer.h"

namespace xwalk::yt {

Path optional_value_path(const Type& optional, const Path& path) {
  return is_boxed(optional) ? path.field(kBoxMember) : path;
}

Path entry_path(const Type& dict, bool key, size_t index, const Path& path) {
  if (!is_nullable(dict.key())) return key ? path.map_key() : path.map_value();
  return path.item(index).field(key ? "key" : "value");
}

Path alternative_path(const Type& variant, size_t index, const Path& path) {
  const Member& member = variant.members()[index];
  const std::string name = variant.is_named() ? member.name : std::to_string(index);
  if (is_union_variant(variant)) return path.alternative(name);
  const Path field = path.field(name);
  // A null alternative must not read as one that is not set.
  return is_nullable(member.type) ? field.field(kBoxMember) : field;
}

}  // namespace xwalk::yt
