#include "xwalk/crosswalk/plan_names.h"

#include <map>
#include <set>
#include <string>
#include <vector>

#include <fmt/format.h>

#include "xwalk/base/error.h"
#include "xwalk/base/text.h"
#include "xwalk/crosswalk/arrow_types.h"
#include "xwalk/crosswalk/column_casts.h"
#include "xwalk/crosswalk/layer.h"
#include "xwalk/hub/module.h"

namespace xwalk::crosswalk {

using hub::Field;
using hub::Schema;
using hub::Type;

hub::Renames requested_names(const Schema& schema, const std::vector<RenameOption>& requested,
                             const std::vector<Field>* columns) {
  hub::Renames renames;
  for (const RenameOption& one : requested) {
    if (!renames.emplace(one.path.text(), std::vector{hub::Rename{one.name, "as requested", true}})
             .second) {
      throw Error(ErrorCode::Usage, fmt::format("{} is renamed twice", one.path.text()));
    }
  }
  if (renames.empty()) return renames;
  const Field root("", hub::struct_(schema.fields), false);
  std::set<std::string, std::less<>> met;
  const auto look = [&](const auto& self, const Field& field, const Path& path) -> void {
    const Type& type = without_encoding(field.type);
    if (has_names(type)) {
      std::map<std::string, int> taken;
      for (const hub::Rename& name : hub::names_of(type, path, renames)) taken[name.name] += 1;
      for (const Field& member : type.children()) {
        const std::string text = hub::path_of_member(type, path, member.name).text();
        const auto found = renames.find(text);
        if (found == renames.end()) continue;
        met.insert(text);
        if (taken[found->second.front().name] < 2) continue;
        throw Error(ErrorCode::Usage,
                    fmt::format("cannot rename {} to {}: the name already exists",
                                xwalk::quoted(text), xwalk::quoted(found->second.front().name)));
      }
    }
    for (const Child& child : children_of(type, path)) self(self, *child.field, child.path);
  };
  look(look, root, Path());
  for (const auto& [path, name] : renames) {
    if (met.contains(path)) continue;
    throw Error(ErrorCode::Usage, fmt::format("no column {} to rename", xwalk::quoted(path)), {},
                column_hint(path, names_of_columns(columns ? *columns : schema.fields)));
  }
  return renames;
}

hub::Lowered lowered(System target, const Schema& schema, bool annotations,
                     const hub::Renames& requested) {
  const hub::NoteText note = [](const Field& was) { return arrow_layer_text(was.type); };
  return hub::lower(schema, target->capabilities, annotations ? note : nullptr, requested);
}

hub::Renames renames_on_the_way(System target, const Schema& source_hub,
                                const PlanOptions& options) {
  return lowered(target, source_hub, options.annotations,
                 requested_names(source_hub, options.rename))
      .renames;
}

}  // namespace xwalk::crosswalk
