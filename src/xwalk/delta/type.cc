#include "xwalk/delta/type.h"

#include <algorithm>

namespace xwalk::delta {

bool operator==(const Type& a, const Type& b) {
  return a.kind == b.kind && a.precision == b.precision && a.scale == b.scale &&
         a.children == b.children;
}

const std::string* metadata_of(const Field& field, std::string_view key) {
  const auto found =
      std::ranges::find(field.metadata, key, &std::pair<std::string, std::string>::first);
  return found == field.metadata.end() ? nullptr : &found->second;
}

}  // namespace xwalk::delta
