#include "xwalk/parquet/shredded_part.h"

#include <algorithm>

namespace xwalk::parquet {
ShreddedPart shredded_part_of(const Resolved& group) {
  ShreddedPart part;
  part.name = group.node.name();
  for (size_t i = 0; i < group.children.size(); ++i) {
    const Resolved& child = group.children[i];
    if (child.node.name() == "value") part.value = i;
    if (child.node.name() != "typed_value") continue;
    part.typed = i;
    if (!child.node.is_group()) {
      part.type = child.field.type;
      continue;
    }
    part.form = child.rule == Rule::Struct ? ShreddedPart::Form::Object : ShreddedPart::Form::List;
    for (const Resolved& inner : child.children) part.parts.push_back(shredded_part_of(inner));
  }
  for (size_t i = 0; i < part.parts.size(); ++i) part.by_name.push_back(i);
  std::ranges::sort(part.by_name, {},
                    [&](size_t i) { return std::string_view(part.parts[i].name); });
  return part;
}

size_t metadata_of(const Resolved& variant) {
  size_t at = 0;
  while (variant.children[at].node.name() != "metadata") ++at;
  return at;
}

}  // namespace xwalk::parquet
