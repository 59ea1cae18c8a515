#include "xwalk/hub/cast/kernel.h"

namespace xwalk::hub::cast {

Compiled compile_nulls(Compiler& compiler, const Field& from, const Field& to, const Path& path) {
  if (from.type.kind() != Kind::Null) return std::nullopt;
  if (to.type.kind() == Kind::Null) return KernelPtr();
  compiler.note("type.as-storage", path, from, to, Values::Kept, "a column of nulls");
  const Type type = to.type;
  if (to.nullable && has_validity(type.kind())) {
    return make_kernel(
        [type](const Array& in, const Scope&) { return null_array(type, in.length); });
  }
  compiler.note("null.refused", path, from, to, Values::Checked, "the target does not allow null")
      .witness = "null";
  return make_kernel([type, path](const Array& in, const Scope& scope) {
    for (int64_t i = 0; i < in.length; ++i) {
      scope.refuse(i, path, "expected a value, found null");
    }
    return null_array(type, in.length);
  });
}

}  // namespace xwalk::hub::cast
