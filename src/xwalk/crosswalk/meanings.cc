#include "xwalk/crosswalk/meanings.h"

#include <algorithm>
#include <optional>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "xwalk/arrow/module.h"
#include "xwalk/base/error.h"
#include "xwalk/base/if_valid.h"
#include "xwalk/base/text.h"
#include "xwalk/crosswalk/arrow_types.h"
#include "xwalk/crosswalk/column_casts.h"
#include "xwalk/crosswalk/column_keys.h"
#include "xwalk/crosswalk/modules.h"
#include "xwalk/hub/annotation.h"
#include "xwalk/hub/children.h"
#include "xwalk/hub/module.h"
#include "xwalk/hub/names.h"
#include "xwalk/hub/option.h"
#include "xwalk/hub/unify.h"
#include "xwalk/yt/module.h"

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
  if (a.tags.empty()) a.tags = b.tags;
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

/// Returns the field at a path below another, which is a column; null if no field has it.
const hub::Field* field_at(const hub::Field& field, const Path& column, const Path& path) {
  const hub::Field* found = &field;
  Path place = column;
  const std::vector<const Path::Step*> steps = path.steps();
  for (size_t i = 1; i < steps.size(); ++i) {
    const Path next = place.below(*steps[i]);
    const hub::Field* below = nullptr;
    for (const hub::Child& child : hub::children_of(found->type, place)) {
      if (child.path == next) below = child.field;
    }
    if (below == nullptr) return nullptr;
    found = below;
    place = next;
  }
  return found;
}

/// The same in a schema.
const hub::Field* field_at(const Schema& schema, const Path& path) {
  const Path column = Path().below(*path.steps().front());
  const std::vector<Path> columns = hub::paths_of_members(hub::struct_(schema.fields), Path());
  const auto found = std::ranges::find(columns, column);
  if (found == columns.end()) return nullptr;
  return field_at(schema.fields[static_cast<size_t>(found - columns.begin())], column, path);
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

hub::Refine judged_refinement(System system, bool annotations) {
  return [own = source_refinement(system, annotations)](const Field& field) {
    hub::Refinement refinement = own ? own(field) : hub::Refinement{};
    refinement.labels = label_names(field);
    refinement.epoch = coordinate_epoch(field);
    return refinement;
  };
}

bool holds_yson(const Field& field) {
  return std::ranges::any_of(systems(), [&](System system) {
    return system->notes_refine && hub::annotation(field, system->name) &&
           system->refine(field).yson;
  });
}

std::shared_ptr<const hub::Meanings> meanings_of(System source, const Schema& rows, Casts casts) {
  if (casts.made.empty()) return nullptr;
  auto meanings = std::make_shared<hub::Meanings>();
  const Schema annotated = meant({source, rows});
  for (Casts::Cast& cast : casts.made) {
    const bool stored = std::ranges::any_of(casts.findings, [&](const hub::Finding& finding) {
      return finding.rule == kMeaningRule && finding.path == cast.path;
    });
    std::vector<hub::Meanings::Step>& steps = meanings->at[cast.path];
    const Field* own = field_at(rows, cast.path);
    const Field* named = field_at(annotated, cast.path);
    if (!stored && own != nullptr && named != nullptr && !(own->type == named->type)) {
      steps.push_back({*named, source_refinement(source, true), hub::Between::Annotated});
    }
    steps.push_back({std::move(cast.field), source_refinement(cast.system, true),
                     stored ? hub::Between::Stored : hub::Between::Cast});
  }
  return meanings;
}

std::shared_ptr<const hub::Meanings> meanings_of_annotations(System system, const Schema& rows) {
  if (system->is_hub) return nullptr;
  const Schema meant = with_arrow_types(system, rows);
  std::shared_ptr<hub::Meanings> meanings;
  const std::vector<Path> columns = hub::paths_of_members(hub::struct_(rows.fields), Path());
  for (size_t i = 0; i < rows.fields.size(); ++i) {
    if (meant.fields[i].type == rows.fields[i].type) continue;
    if (!meanings) meanings = std::make_shared<hub::Meanings>();
    meanings->at[columns[i]] = {
        {meant.fields[i], source_refinement(system, true), hub::Between::Annotated}};
  }
  return meanings;
}

std::shared_ptr<const hub::Meanings> meanings_of_rows(
    const Schema& source, const Schema& cast, const std::shared_ptr<const hub::Meanings>& casts,
    const AnySchema& target, const Schema& meaning, const hub::Renames& renames) {
  auto meanings =
      casts ? std::make_shared<hub::Meanings>(*casts) : std::make_shared<hub::Meanings>();
  const Type stored = hub::struct_(to_arrow(target).fields);
  const Type meant = hub::struct_(meaning.fields);
  const std::vector<std::optional<size_t>> columns = hub::pair_members(meant, stored, Path(), {});
  const auto pairs = hub::pair_members(hub::struct_(source.fields), meant, Path(), renames);
  const hub::Refine refine = source_refinement(target.system(), true);
  const std::vector<Path> paths = hub::paths_of_members(hub::struct_(source.fields), Path());
  for (size_t i = 0; i < pairs.size(); ++i) {
    if (!pairs[i] || !columns[*pairs[i]]) continue;
    const Field& field = meaning.fields[*pairs[i]];
    const bool same = field.type == stored.child(*columns[*pairs[i]]).type;
    if (same && !has_annotations(field)) continue;
    std::vector<hub::Meanings::Step> steps;
    if (casts && !(cast.fields[i] == source.fields[i])) {
      steps.push_back({cast.fields[i], refine, hub::Between::Cast, casts});
    }
    steps.push_back({field, refine, hub::Between::Existing});
    meanings->at.insert_or_assign(paths[i], std::move(steps));
  }
  return meanings;
}

hub::Schema meant(const JudgedColumns& columns) {
  if (columns.system->is_hub || !columns.annotations) return with_described_values(columns.schema);
  return with_described_values(with_arrow_types(columns.system, columns.schema));
}

ColumnJudge::ColumnJudge(const JudgedColumns& from, const JudgedColumns& to,
                         const hub::Renames* renames)
    : from_(meant(from)),
      to_(meant(to)),
      options_{judged_refinement(from.system, from.annotations),
               judged_refinement(to.system, to.annotations), renames} {}

hub::Disagreements ColumnJudge::judge(size_t from, size_t to) const {
  const hub::Field& column = from_.fields[from];
  return hub::judge(column, to_.fields[to], Path::column(column.name), options_);
}

std::optional<hub::Disagreement> other_meaning(const JudgedColumns& from, const JudgedColumns& to) {
  const ColumnJudge columns(from, to);
  const auto pairs =
      hub::pair_members(hub::struct_(from.schema.fields), hub::struct_(to.schema.fields), Path());
  for (size_t i = 0; i < pairs.size(); ++i) {
    if (!pairs[i]) continue;
    const hub::Disagreements found = columns.judge(i, *pairs[i]);
    if (const auto* first = hub::first_beyond(hub::Fit::Same, found)) return *first;
    // What stores values of one type is no value of another: milliseconds are not seconds.
    const hub::Field& one = columns.from(i);
    const hub::Field& other = columns.to(*pairs[i]);
    const bool noted = !(one.type == from.schema.fields[i].type) ||
                       !(other.type == to.schema.fields[*pairs[i]].type);
    if (noted && !(hub::without_annotations(one).type == hub::without_annotations(other).type)) {
      return hub::Disagreement{
          hub::Fit::None, Path::column(one.name),
          fmt::format("{} is not {}", hub::to_string(one.type), hub::to_string(other.type))};
    }
  }
  return std::nullopt;
}

void check_one_meaning(const JudgedColumns& first, const JudgedColumns& rows,
                       const std::string& file) {
  const auto refuse = [&](const Path& path, const std::string& why, bool has_cast = true) {
    std::string hint = "Files of one table have one meaning in each column.";
    if (has_cast) hint += " Convert this one by itself first, with `cast`.";
    throw Error(
        ErrorCode::Input,
        fmt::format("expected the schema of the first input, found {}: {}", path.text(), why),
        {.file = file}, std::move(hint));
  };
  if (const auto other = other_meaning(rows, first)) {
    refuse(other->path, other->reason, other->fit != hub::Fit::Named);
  }
  try {
    (void)hub::unify(first.schema, rows.schema);
  } catch (const Error& error) {
    refuse(error.place().path, error.message());
  }
}

void check_mergeable(const JudgedColumns& first, const JudgedColumns& second) {
  const ColumnJudge columns(first, second);
  const hub::Refine of_first = source_refinement(first.system, first.annotations);
  const hub::Refine of_second = source_refinement(second.system, second.annotations);
  const auto is_any = [](const Field& field, const hub::Refine& refine) {
    return hub::meaning_of(field, refine ? refine(field) : hub::Refinement{}) ==
           hub::Meaning::AnyValue;
  };
  const auto pairs = hub::pair_members(hub::struct_(first.schema.fields),
                                       hub::struct_(second.schema.fields), Path());
  for (size_t i = 0; i < pairs.size(); ++i) {
    if (!pairs[i]) continue;
    if (is_any(columns.from(i), of_first) || is_any(columns.to(*pairs[i]), of_second)) continue;
    const hub::Disagreements found = columns.judge(i, *pairs[i]);
    const hub::Disagreement* worst = hub::first_beyond(hub::Fit::Within, found);
    if (worst == nullptr) continue;
    hub::refuse_to_unify(worst->path, worst->reason);
  }
}

std::optional<CastOption> cast_to(const hub::Disagreement& found, const hub::Field& wanted,
                                  System target) {
  const hub::Field* there = field_at(wanted, Path::column(wanted.name), found.path);
  if (there == nullptr || found.fit == hub::Fit::None) return std::nullopt;
  // No type has the names of labels, or an epoch.
  const bool is_named = !label_names(*there).empty() || !coordinate_epoch(*there).empty();
  if (found.fit == hub::Fit::Named && is_named) return std::nullopt;
  hub::Field type = *there;
  type.nullable = false;
  const System notation = target->types() == yt::kModule ? yt::kModule : arrow::kModule;
  std::string text = type_text(notation, type);
  constexpr std::string_view kRequired = " not null";
  if (text.ends_with(kRequired)) text.resize(text.size() - kRequired.size());
  const std::string_view parameters = type.extension_metadata();
  if (notation == arrow::kModule && !parameters.empty()) {
    text = fmt::format("{} [{} {}]", to_string(type.type), type.extension_name(),
                       xwalk::quoted(parameters));
  }
  CastOption request{.path = found.path, .type = std::move(text)};
  if (!if_valid([&] { return read_type(request, hub::Option::Cast, target, notation); })) {
    return std::nullopt;
  }
  if (found.fit == hub::Fit::Stored) request.type.insert(0, hub::kStoredWord);
  return request;
}

std::string cast_hint(const CastOption& request) {
  const bool stored = request.type.starts_with(hub::kStoredWord);
  return mention(hub::Option::Cast, request.path.text() + "=" + request.type) +
         (stored ? " reads stored values as that type." : " converts them.");
}

}  // namespace xwalk::crosswalk
