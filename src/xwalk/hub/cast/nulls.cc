#include "xwalk/hub/cast/nulls.h"

#include "xwalk/hub/box.h"
#include "xwalk/hub/cast/lists.h"
#include "xwalk/hub/cast/structs.h"
#include "xwalk/hub/cast/unions.h"

namespace xwalk::hub::cast {

KernelPtr require_kernel(Path path) {
  return make_kernel([path = std::move(path)](const Array& in, const Scope& scope) {
    const bool nulls = count_nulls(in) > 0;
    for (int64_t i = 0; nulls && i < in.length; ++i) {
      // Most unexpected nulls are below another null and need no message.
      if (!is_valid(in, i) && scope.row_of(i)) {
        scope.refuse(i, path, "expected a value, found null");
      }
    }
    return in;
  });
}

KernelPtr required_kernel(const Field& field, const Path& path) {
  const Type& type = field.type;
  KernelPtr below;
  if (type.kind() == Kind::Struct) {
    std::vector<Member> members(type.children().size());
    for (size_t i = 0; i < members.size(); ++i) {
      members[i].source = i;
      members[i].kernel = required_kernel(type.child(i), path.field(type.child(i).name));
    }
    below = struct_kernel(std::move(members), type.children().size());
  } else if (type.kind() == Kind::Map) {
    std::vector<Member> members(2);
    for (size_t i = 0; i < 2; ++i) {
      members[i].source = i;
      members[i].kernel =
          required_kernel(type.child().type.child(i), i == 0 ? path.map_key() : path.map_value());
    }
    below = list_kernel(type, type, struct_kernel(std::move(members), 2), path);
  } else if (is_union(type.kind())) {
    below = alternatives_kernel(type, path, required_kernel);
  } else if (is_list(type.kind())) {
    below = list_kernel(type, type, required_kernel(type.child(), path.item()), path);
  }
  if (field.nullable || !has_validity(type.kind())) return below;
  return chain(require_kernel(path), std::move(below));
}

Compiled compile_nulls(Compiler& compiler, const Field& from, const Field& to, const Path& path) {
  if (from.type.kind() != Kind::Null) return std::nullopt;
  if (to.type.kind() == Kind::Null) return KernelPtr();
  if (to.type.kind() == Kind::RunEndEncoded) return std::nullopt;
  compiler.note("type.as-storage", path, Effect::None, "stored as a column that is always null");
  const Type type = to.type;
  if (to.nullable && has_validity(type.kind())) {
    return make_kernel(
        [type](const Array& in, const Scope&) { return null_array(type, in.length); });
  }
  compiler.refuse_null(path);
  return make_kernel([type, path](const Array& in, const Scope& scope) {
    for (int64_t i = 0; i < in.length; ++i) {
      scope.refuse(i, path, "expected a value, found null");
    }
    return null_array(type, in.length);
  });
}

}  // namespace xwalk::hub::cast
