#include "xwalk/hub/names.h"

#include <algorithm>
#include <string_view>
#include <unordered_map>

#include "xwalk/hub/member_paths.h"

namespace xwalk::hub {
namespace {

/// The members of one name that have no partner yet, the first at the back.
using Free = std::unordered_map<std::string_view, std::vector<size_t>>;

Free members_by_name(const Type& type) {
  Free free;
  const auto members = type.children();
  for (size_t i = members.size(); i-- > 0;) free[members[i].name].push_back(i);
  return free;
}

std::optional<size_t> take(Free& free, std::string_view name) {
  const auto found = free.find(name);
  if (found == free.end() || found->second.empty()) return std::nullopt;
  const size_t member = found->second.back();
  found->second.pop_back();
  return member;
}

bool is_same(const std::vector<Rename>& names, const Type& to) {
  return std::ranges::equal(names, to.children(), {}, &Rename::name, &Field::name);
}

}  // namespace

Path path_of_member(const Type& type, const Path& path, std::string_view name) {
  return type.kind() == Kind::Struct ? path.field(name) : path.alternative(name);
}

std::vector<Path> paths_of_members(const Type& type, const Path& path) {
  const MemberPaths members(type, path);
  std::vector<Path> paths;
  paths.reserve(type.children().size());
  for (size_t i = 0; i < type.children().size(); ++i) paths.push_back(members[i]);
  return paths;
}

std::vector<Rename> names_of(const Type& type, const Path& path, const Renames& renames) {
  std::vector<Rename> names;
  names.reserve(type.children().size());
  std::unordered_map<std::string_view, size_t> met;
  for (const Field& member : type.children()) {
    names.push_back({member.name, "", false});
    if (renames.empty()) continue;
    const size_t before = met[member.name]++;
    const auto found = renames.find(path_of_member(type, path, member.name).text());
    if (found != renames.end() && before < found->second.size()) {
      names.back() = found->second[before];
    }
  }
  return names;
}

std::vector<std::optional<size_t>> pair_members(const Type& from, const Type& to, const Path& path,
                                                const Renames& renames) {
  std::vector<std::optional<size_t>> pairs(from.children().size());
  const bool same = renames.empty() && std::ranges::equal(from.children(), to.children(), {},
                                                          &Field::name, &Field::name);
  std::vector<Rename> names;
  if (!same) names = names_of(from, path, renames);
  if (same || is_same(names, to)) {
    for (size_t i = 0; i < pairs.size(); ++i) pairs[i] = i;
    return pairs;
  }
  Free free = members_by_name(to);
  for (size_t i = 0; i < pairs.size(); ++i) pairs[i] = take(free, names[i].name);
  // A name that a system asks for is no matter where the target holds the one that it was.
  for (size_t i = 0; i < pairs.size(); ++i) {
    if (!pairs[i] && !names[i].requested) pairs[i] = take(free, from.child(i).name);
  }
  return pairs;
}

}  // namespace xwalk::hub
