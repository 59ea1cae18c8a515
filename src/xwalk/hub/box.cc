#include "xwalk/hub/box.h"

#include <algorithm>

#include "xwalk/hub/children.h"

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

Boxed boxed(const Type& from, const Type& to, const Path& path, const Renames& renames) {
  if (path.empty()) return Boxed::Neither;
  if (is_union(to.kind())) return is_box_of_union(to, from) ? Boxed::From : Boxed::Neither;
  if (is_union(from.kind())) return is_box_of_union(from, to) ? Boxed::To : Boxed::Neither;
  if (is_box(from) == is_box(to)) return Boxed::Neither;
  const Boxed one = is_box(from) ? Boxed::From : Boxed::To;
  if (!has_names(from) || !has_names(to)) return one;
  const auto pairs = pair_members(from, to, path, renames);
  const bool alike = std::ranges::any_of(pairs, [](const auto& pair) { return pair.has_value(); });
  return alike ? Boxed::Neither : one;
}

}  // namespace xwalk::hub
