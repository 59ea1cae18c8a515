#include "xwalk/hub/path_pattern.h"

#include <algorithm>
#include <span>
#include <utility>

namespace xwalk::hub {
namespace {

using Step = Path::Step;

/// Adds the paths below `path` that steps stand for.
void find_below(std::span<const Field> fields, std::span<const Step* const> steps, const Path& path,
                bool patterns, std::vector<Path>* out) {
  const Step& step = *steps.front();
  const bool literal = !patterns || !is_pattern(step.name) ||
                       std::ranges::find(fields, step.name, &Field::name) != fields.end();
  for (const Field& field : fields) {
    if (literal ? field.name != step.name : !is_like(field.name, step.name)) continue;
    std::span<const Step* const> left = steps.subspan(1);
    Path found = path.field(field.name);
    const Type* type = &field.type;
    // A member of items may be named with `[]` before it and without.
    while (!left.empty() && is_list(type->kind())) {
      if (left.front()->kind == Step::Kind::Item) left = left.subspan(1);
      found = found.item();
      type = &type->child().type;
    }
    const bool goes_on =
        !left.empty() && left.front()->kind == Step::Kind::Field && type->kind() == Kind::Struct;
    if (goes_on) {
      find_below(type->children(), left, found, patterns, out);
    } else {
      for (const Step* rest : left) found = found.below(*rest);
      if (std::ranges::find(*out, found) == out->end()) out->push_back(std::move(found));
    }
  }
}

}  // namespace

bool is_pattern(std::string_view name) { return name.find_first_of("*?") != name.npos; }

bool is_like(std::string_view name, std::string_view pattern) {
  size_t at = 0;
  size_t in = 0;
  size_t star = pattern.npos;  // the last one, and what it stands for ends here
  size_t after = 0;
  while (in < name.size()) {
    if (at < pattern.size() && pattern[at] == '*') {
      star = at++;
      after = in;
    } else if (at < pattern.size() && (pattern[at] == '?' || pattern[at] == name[in])) {
      ++at;
      ++in;
    } else if (star != pattern.npos) {
      at = star + 1;
      in = ++after;
    } else {
      return false;
    }
  }
  return pattern.find_first_not_of('*', at) == pattern.npos;
}

std::vector<Path> paths_like(const Schema& schema, const Path& path, bool patterns) {
  std::vector<Path> out;
  find_below(schema.fields, path.steps(), Path(), patterns, &out);
  return out;
}

}  // namespace xwalk::hub
