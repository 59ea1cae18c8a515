#include "xwalk/crosswalk/target_rules.h"

#include <algorithm>
#include <cstddef>
#include <iterator>
#include <utility>
#include <vector>

#include "xwalk/crosswalk/layer.h"
#include "xwalk/hub/names.h"
#include "xwalk/hub/room.h"
#include "xwalk/skiff/schema.h"
#include "xwalk/yt/cluster_version.h"
#include "xwalk/yt/hub.h"
#include "xwalk/yt/room.h"

namespace xwalk::crosswalk {
namespace {

const yt::TableSchema* table_of(const AnySchema& schema) {
  if (const auto* table = schema.get_if<yt::TableSchema>()) return table;
  const auto* stream = schema.get_if<skiff::Schema>();
  return stream == nullptr ? nullptr : stream->table_schema(0);
}

void find_zones(const hub::Field& field, const Path& path, hub::Findings* out) {
  if (yt::refine(field).zone_names) {
    hub::Finding finding;
    finding.rule = "zone.unknown";
    finding.path = path;
    finding.effect = hub::Effect::Refused;
    finding.lost = "cannot store time zones that have no number yet";
    finding.witness = "America/Coyhaique";
    out->push_back(std::move(finding));
    return;
  }
  for (const Child& child : children_of(field.type, path)) {
    find_zones(*child.field, child.path, out);
  }
}

/// Returns a path of the target as one of the source, whose columns may have other names.
Path in_source(const Plan& plan, const Path& path) {
  const std::vector<const Path::Step*> steps = path.steps();
  if (steps.empty()) return path;
  const hub::Type root = hub::struct_(plan.source_hub.fields);
  const std::vector<hub::Rename> names = hub::names_of(root, Path(), plan.renames);
  const auto found = std::ranges::find(names, steps.front()->name, &hub::Rename::name);
  if (found == names.end()) return path;
  Path out = hub::paths_of_members(root, Path())[static_cast<size_t>(found - names.begin())];
  for (size_t i = 1; i < steps.size(); ++i) out = out.below(*steps[i]);
  return out;
}

}  // namespace

hub::Findings target_rules(const Plan& plan, const PlanOptions& options) {
  hub::Findings found;
  if (plan.target_system->types() != yt::kRoom) return found;
  if (options.numbered_zones) {
    for (const hub::Field& field : plan.target_hub.fields) {
      find_zones(field, Path::column(field.name), &found);
    }
  }
  const yt::TableSchema* table = options.cluster ? table_of(plan.target) : nullptr;
  if (table != nullptr) {
    std::ranges::move(yt::lacking(*table, *options.cluster), std::back_inserter(found));
  }
  for (hub::Finding& finding : found) finding.path = in_source(plan, finding.path);
  return found;
}

}  // namespace xwalk::crosswalk
