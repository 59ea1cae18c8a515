#include "xwalk/hub/member_paths.h"

#include <algorithm>
#include <utility>

#include "xwalk/base/repeats.h"
#include "xwalk/base/text.h"

namespace xwalk::hub {
namespace {

std::vector<size_t> repeats_of(std::span<const Field> members) {
  std::vector<std::string_view> names;
  names.reserve(members.size());
  for (const Field& member : members) names.push_back(member.name);
  return repeats_before(names);
}

}  // namespace

bool is_plain_word(std::string_view name) {
  // Longer names meet limits of systems.
  constexpr size_t kLongestWord = 64;
  return !name.empty() && name.size() <= kLongestWord && name.front() != '_' &&
         std::ranges::all_of(name, [](char c) { return is_ascii_alnum(c) || c == '_'; });
}

bool are_distinct(std::span<const Field> members) { return repeats_of(members).empty(); }

MemberPaths::MemberPaths(std::span<const Field> columns)
    : members_(columns), index_(repeats_of(columns)) {}

MemberPaths::MemberPaths(const Type& type, Path path)
    : members_(type.children()), path_(std::move(path)), index_(repeats_of(members_)) {
  if (type.kind() != Kind::Struct) step_ = Path::Step::Kind::Alternative;
}

Path MemberPaths::operator[](size_t member) const {
  return path_.below({step_, members_[member].name, index_.empty() ? 0 : index_[member]});
}

Path MovedPlace::of(const Path& path) const {
  return path.size() <= reported.size() ? meant : of(path.parent()).below(path.last());
}

}  // namespace xwalk::hub
