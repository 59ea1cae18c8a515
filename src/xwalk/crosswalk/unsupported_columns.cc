#include "xwalk/crosswalk/unsupported_columns.h"

#include <algorithm>
#include <cctype>
#include <iterator>
#include <unordered_set>
#include <utility>
#include <vector>

#include "xwalk/crosswalk/carried_metadata.h"
#include "xwalk/crosswalk/column_casts.h"
#include "xwalk/crosswalk/layer.h"
#include "xwalk/crosswalk/modules.h"
#include "xwalk/crosswalk/schema.h"
#include "xwalk/hub/module.h"

namespace xwalk::crosswalk {
namespace {

using hub::Schema;

PathReport report_of(System source, const hub::Field& field, const Path& path,
                     const UnsupportedColumn& column) {
  PathReport report;
  report.path = path;
  report.source = type_text(source, field);
  report.target = column.target;
  report.values = hub::Values::None;
  const hub::Finding& why = column.why;
  const std::string where = why.path.size() > 1 ? why.path.text() + ": " : "";
  report.reasons.push_back(
      {why.rule, hub::Values::None, "", where + why.lost, why.witness, why.hint});
  return report;
}

/// Returns true if a column fits the column that will get its values, and is stored alike. A
/// wire type stands for several types of the system that shares its types.
bool is_stored_as(System target, const Schema& column, const Schema& there) {
  const ColumnJudge judge({target, column}, {target, there});
  if (hub::first_beyond(hub::Fit::Within, judge.judge(0, 0)) != nullptr) return false;
  return target->types() != target || has_type(column.fields[0], there.fields[0]);
}

/// Returns a target's schema as its reader sees it without the annotations of other systems.
Schema without_foreign_annotations(System target, Schema schema) {
  for (const System system : systems()) {
    if (system != target) schema = without_annotations_of(system, std::move(schema));
  }
  return schema;
}

}  // namespace

std::set<size_t> UnsupportedColumns::places() const {
  std::set<size_t> out;
  for (const auto& [place, column] : of_source) out.insert(place);
  return out;
}

void UnsupportedColumns::add(UnsupportedColumns others) {
  const std::set<size_t> before = places();
  size_t place = 0;
  size_t counted = 0;
  for (auto& [at, column] : others.of_source) {
    for (;; ++place) {
      if (before.contains(place)) continue;
      if (counted++ == at) break;
    }
    of_source.emplace(place++, std::move(column));
  }
  std::ranges::move(others.of_target, std::back_inserter(of_target));
}

hub::Finding unsupported(std::string_view rule, Path path, const Error& why) {
  const std::vector<const Path::Step*> steps = why.place().path.steps();
  for (size_t i = 1; i < steps.size(); ++i) path = path.below(*steps[i]);
  return {rule, std::move(path), hub::Effect::Forbidden, why.message(), "", why.hint()};
}

std::map<size_t, UnsupportedColumn> unsupported(const Schema& schema, hub::Refused refused) {
  if (refused.whole) throw Error(*std::move(refused.whole));
  std::map<size_t, UnsupportedColumn> out;
  if (refused.columns.empty()) return out;
  const std::vector<Path> paths = hub::paths_of_members(hub::struct_(schema.fields), Path());
  for (const auto& [i, why] : refused.columns) {
    out.emplace(i, UnsupportedColumn{unsupported("type.unsupported", paths[i], why), ""});
  }
  return out;
}

Schema without_columns(Schema schema, const std::set<size_t>& places) {
  if (places.empty()) return schema;
  std::vector<hub::Field> kept;
  kept.reserve(schema.fields.size() - places.size());
  for (size_t i = 0; i < schema.fields.size(); ++i) {
    if (!places.contains(i)) kept.push_back(std::move(schema.fields[i]));
  }
  schema.bare_rows = schema.bare_rows && !kept.empty();
  schema.fields = std::move(kept);
  return schema;
}

void erase_findings(const Schema& schema, const std::set<size_t>& places, hub::Findings* findings) {
  std::unordered_set<std::string_view> names;
  for (const size_t place : places) names.insert(schema.fields[place].name);
  std::erase_if(*findings, [&](const hub::Finding& finding) {
    return !finding.path.empty() && names.contains(finding.path.steps().front()->name);
  });
}

void add_unsupported(const Schema& source, UnsupportedColumns columns, Plan* plan) {
  std::vector<PathReport> planned = std::exchange(plan->paths, {});
  const std::vector<Path> paths = hub::paths_of_members(hub::struct_(source.fields), Path());
  plan->source_hub.fields = source.fields;
  auto report = planned.begin();
  plan->paths.push_back(std::move(*report++));
  for (size_t i = 0; i < source.fields.size(); ++i) {
    const auto column = columns.of_source.find(i);
    if (column != columns.of_source.end()) {
      plan->paths.push_back(
          report_of(plan->source_system, source.fields[i], paths[i], column->second));
      plan->unsupported.push_back(std::move(column->second.why));
      continue;
    }
    if (report == planned.end()) continue;
    do plan->paths.push_back(std::move(*report++));
    while (report != planned.end() && report->path.size() > 1);
  }
  PathReport& table = plan->paths.front();
  for (const hub::Finding& required : columns.of_target) {
    table.values = hub::Values::None;
    table.reasons.push_back({required.rule, hub::Values::None, "",
                             required.path.text() + ": " + required.lost, required.witness,
                             required.hint});
  }
  std::ranges::move(columns.of_target, std::back_inserter(plan->unsupported));
}

std::string as_sentence(std::string hint) {
  if (hint.empty()) return hint;
  hint.front() = static_cast<char>(std::toupper(static_cast<unsigned char>(hint.front())));
  return hint + '.';
}

void refuse_in_output(hub::Finding why, Plan* plan) {
  auto report = std::ranges::find(plan->paths, why.path, &PathReport::path);
  const bool is_path = report != plan->paths.end();
  // A renamed one has no line of this path.
  if (!is_path) report = plan->paths.begin();
  report->values = hub::Values::None;
  report->reasons.insert(
      report->reasons.begin(),
      {why.rule, hub::Values::None, "", is_path ? why.lost : why.path.text() + ": " + why.lost,
       why.witness, why.hint});
  why.effect = hub::Effect::Forbidden;
  why.hint = as_sentence(std::move(why.hint));
  plan->unsupported.push_back(std::move(why));
}

namespace {

/// Longer types, with the whole definition of a coordinate reference system, are not for a line.
constexpr size_t kMaxHintType = 200;

/// Returns the cast that a column needs as a sentence; "" if no cast helps: its values must have a
/// way to the type, and must then mean the same.
std::string working_hint(const JudgedColumns& source, const JudgedColumns& column,
                         const hub::Disagreement& found, const hub::Renames& renames,
                         PlanOptions options) {
  const std::optional<CastOption> request =
      cast_to(found, column.schema.fields.front(), column.system);
  if (!request || request->type.size() > kMaxHintType) return "";
  options.casts = {*request};
  Casts casts;
  const Schema cast =
      with_casts(source.system, column.system, source.schema, options.casts, &casts);
  const ColumnJudge judge({source.system, cast, source.annotations}, column, &renames);
  for (const hub::Disagreement& left : judge.judge(0, 0)) {
    if (left.fit > hub::Fit::Within && left.path == found.path) return "";
  }
  if (!plan(source.system, source.schema, column.system, options).unsupported.empty()) return "";
  return cast_hint(*request);
}

}  // namespace

std::map<size_t, Error> columns_of_other_meaning(const JudgedColumns& source,
                                                 const JudgedColumns& target, const Schema& written,
                                                 const hub::Renames& renames,
                                                 const PlanOptions& options) {
  std::map<size_t, Error> out;
  const ColumnJudge columns(source, target, &renames);
  const auto pairs = hub::pair_members(hub::struct_(source.schema.fields),
                                       hub::struct_(target.schema.fields), Path(), renames);
  for (size_t i = 0; i < pairs.size(); ++i) {
    if (!pairs[i]) continue;
    const hub::Disagreements found = columns.judge(i, *pairs[i]);
    const hub::Disagreement* worst = hub::first_beyond(hub::Fit::Within, found);
    if (worst == nullptr) continue;
    const Schema alone{{source.schema.fields[i]}, {}};
    PlanOptions as_stored = options;
    as_stored.casts.clear();
    as_stored.shred.clear();
    std::erase_if(as_stored.rename, [&](const RenameOption& one) {
      return one.path.steps().front()->name != alone.fields.front().name;
    });
    const Plan natural = plan(source.system, alone, target.system, as_stored);
    const bool has_other_names =
        std::ranges::find(found, hub::Fit::Named, &hub::Disagreement::fit) != found.end();
    if (natural.unsupported.empty() && !has_other_names) {
      const Schema there{{target.schema.fields[*pairs[i]]}, {}};
      const Schema bare = without_foreign_annotations(target.system, to_arrow(natural.target));
      if (is_stored_as(target.system, natural.target_hub, there) ||
          (is_stored_as(target.system, bare, there) &&
           is_stored_as(target.system, natural.target_hub, {{written.fields[*pairs[i]]}, {}}))) {
        continue;
      }
    }
    const Schema wanted{{columns.to(*pairs[i])}, {}};
    std::string hint =
        working_hint({source.system, alone, source.annotations},
                     {target.system, wanted, target.annotations}, *worst, renames, as_stored);
    out.emplace(
        i, Error(ErrorCode::Unsupported, worst->reason, {.path = worst->path}, std::move(hint)));
  }
  return out;
}

}  // namespace xwalk::crosswalk
