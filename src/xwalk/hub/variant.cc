#include "xwalk/hub/variant.h"

#include "xwalk/hub/value_at.h"

namespace xwalk::hub {

Type variant_type() {
  return struct_({Field("metadata", Kind::Binary, false), Field("value", Kind::Binary, false)});
}

bool is_variant(const Field& field) {
  if (field.extension_name() != kVariantExtension || field.type.kind() != Kind::Struct)
    return false;
  const auto& children = field.type.children();
  if (children.size() != 2) return false;
  const size_t metadata = children[0].name == "metadata" ? 0 : 1;
  return children[metadata].name == "metadata" && children[1 - metadata].name == "value" &&
         is_binary(children[0].type.kind()) && is_binary(children[1].type.kind());
}

variant::Encoded variant_at(const Array& array, const Type& type, int64_t index) {
  variant::Encoded out;
  for (size_t i = 0; i < type.children().size(); ++i) {
    const Array& bytes = array.children[i];
    const int64_t slot = array.slot(index);
    if (bytes.is_null(slot)) continue;
    const bool metadata = type.child(i).name == "metadata";
    (metadata ? out.metadata : out.value) = bytes_at(bytes, type.child(i).type, slot);
  }
  return out;
}

}  // namespace xwalk::hub
