#include "xwalk/hub/box.h"

namespace xwalk::hub {

bool is_union(Kind kind) { return kind == Kind::DenseUnion || kind == Kind::SparseUnion; }

Type box(Field value) {
  value.name = kBoxMember;
  return struct_({std::move(value)});
}

bool is_box(const Type& type) {
  return type.kind() == Kind::Struct && type.children().size() == 1 &&
         type.child().name == kBoxMember;
}

bool is_box_of_union(const Type& of_union, const Type& of_struct) {
  if (!is_box(of_struct)) return false;
  const bool one_value = of_union.children().size() == 1 && of_union.child().name == kBoxMember;
  return !one_value || is_union(of_struct.child().type.kind());
}

}  // namespace xwalk::hub
