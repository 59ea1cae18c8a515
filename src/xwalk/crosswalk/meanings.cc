#include "xwalk/crosswalk/meanings.h"

#include <algorithm>
#include <optional>
#include <utility>
#include <vector>

#include "xwalk/crosswalk/modules.h"
#include "xwalk/hub/annotation.h"
#include "xwalk/hub/module.h"
#include "xwalk/hub/names.h"

namespace xwalk::crosswalk {
namespace {

using hub::Field;
using hub::Schema;
using hub::Type;

/// What two promises about the same values say together, the second in a note on a column of
/// another system, which has no nan of a decimal.
hub::Refinement both(hub::Refinement a, const hub::Refinement& b) {
  if (!a.range) {
    a.range = b.range;
  } else if (b.range) {
    a.range =
        hub::Range{std::max(a.range->low, b.range->low), std::min(a.range->high, b.range->high)};
  }
  a.zone_names = a.zone_names || b.zone_names;
  a.unique_keys = a.unique_keys || b.unique_keys;
  a.null_keys = a.null_keys || b.null_keys;
  a.unsigned_millis = a.unsigned_millis || b.unsigned_millis;
  a.yson = a.yson || b.yson;
  if (a.content == nullptr) a.content = b.content;
  if (a.rest_fault == nullptr) a.rest_fault = b.rest_fault;
  return a;
}

/// Returns true for a field with annotations at any depth.
bool has_annotations(const Field& field) {
  return std::ranges::any_of(
             field.metadata,
             [](const auto& entry) { return hub::is_annotation_key(entry.first); }) ||
         std::ranges::any_of(field.type.children(), has_annotations);
}

}  // namespace

hub::Refine source_refinement(System from, bool annotations) {
  if (!annotations) return from->refine;
  return [from](const Field& field) {
    hub::Refinement refinement = from->refine == nullptr ? hub::Refinement{} : from->refine(field);
    for (const System other : systems()) {
      const bool speaks = other->notes_refine && other != from->types();
      if (!speaks || !hub::annotation(field, other->name)) continue;
      refinement = both(refinement, other->refine(field));
    }
    return refinement;
  };
}

bool holds_yson(const Field& field) {
  return std::ranges::any_of(systems(), [&](System system) {
    return system->notes_refine && hub::annotation(field, system->name) &&
           system->refine(field).yson;
  });
}

std::shared_ptr<const hub::Meanings> meanings_of(Casts casts) {
  if (casts.made.empty()) return nullptr;
  auto meanings = std::make_shared<hub::Meanings>();
  for (Casts::Cast& cast : casts.made) {
    meanings->at.emplace(
        std::move(cast.path),
        hub::Meanings::Meaning{std::move(cast.field), source_refinement(cast.system, true)});
  }
  return meanings;
}

std::shared_ptr<const hub::Meanings> meanings_of_rows(const Schema& source, const AnySchema& target,
                                                      const Schema& meaning,
                                                      const hub::Renames& renames) {
  auto meanings = std::make_shared<hub::Meanings>();
  meanings->requested = false;
  const Type stored = hub::struct_(to_arrow(target).fields);
  const Type meant = hub::struct_(meaning.fields);
  const std::vector<std::optional<size_t>> columns = hub::pair_members(meant, stored, Path(), {});
  const auto pairs = hub::pair_members(hub::struct_(source.fields), meant, Path(), renames);
  const hub::Refine refine = source_refinement(target.system(), true);
  for (size_t i = 0; i < pairs.size(); ++i) {
    if (!pairs[i] || !columns[*pairs[i]]) continue;
    const Field& field = meaning.fields[*pairs[i]];
    const bool same = field.type == stored.child(*columns[*pairs[i]]).type;
    if (same && !has_annotations(field)) continue;
    meanings->at.emplace(Path::column(source.fields[i].name),
                         hub::Meanings::Meaning{field, refine});
  }
  return meanings;
}

}  // namespace xwalk::crosswalk
