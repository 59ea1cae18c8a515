#include "xwalk/crosswalk/path_reports.h"

#include <algorithm>
#include <cstddef>
#include <functional>
#include <iterator>
#include <optional>
#include <string>
#include <tuple>
#include <unordered_map>
#include <utility>

#include <fmt/format.h>

#include "xwalk/arrow/ipc_schema.h"
#include "xwalk/arrow/module.h"
#include "xwalk/base/text.h"
#include "xwalk/crosswalk/arrow_types.h"
#include "xwalk/crosswalk/carried_metadata.h"
#include "xwalk/crosswalk/labels.h"
#include "xwalk/crosswalk/layer.h"
#include "xwalk/crosswalk/plan_nodes.h"
#include "xwalk/crosswalk/rules.h"
#include "xwalk/hub/lower.h"
#include "xwalk/hub/mapper_checks.h"
#include "xwalk/hub/module.h"

namespace xwalk::crosswalk {
namespace {

using hub::Field;
using hub::RuleSubject;
using hub::Schema;

Field as_field(Schema schema) {
  return Field("", hub::struct_(std::move(schema.fields)), false, std::move(schema.metadata));
}

/// The labels of a node, those of the table at the empty path.
std::vector<std::string> labels_at(System system, const Path& path, const Field* field) {
  if (field == nullptr) return {};
  return path.empty() ? labels_of(system, Schema{{}, field->metadata}) : labels_of(*field);
}

/// Returns true for metadata that readers of the target ignore although its files carry it.
bool is_ignored(System from, System to, std::string_view label) {
  return from != to && !to->is_hub &&
         std::ranges::any_of(from->own_metadata, [&](std::string_view key) {
           return label.find(key) != std::string_view::npos;
         });
}

std::vector<std::string> lost_labels(System system, System to, const Node& node) {
  std::vector<std::string> kept = labels_at(system, node.path, node.noted);
  // Metadata of a file is next to the source's own schema, and comes back without it; so does
  // what the target's own schema says, as a sort order that the source has in its metadata.
  std::ranges::move(labels_at(system, node.path, node.target), std::back_inserter(kept));
  std::erase_if(kept, [&](const std::string& label) { return is_ignored(system, to, label); });
  std::ranges::sort(kept);
  std::vector<std::string> lost;
  std::ranges::set_difference(labels_at(system, node.path, node.source), kept,
                              std::back_inserter(lost));
  // A column that gets the values has a unit of its own.
  if (node.path.empty() || node.target == nullptr) return lost;
  for (const Label& label : labels_in(node.source->metadata)) {
    if (label.kind != LabelKind::Metadata) continue;
    const auto there = node.target->metadata.find(label.name);
    if (there && there != label.value) lost.push_back("metadata " + xwalk::quoted(label.name));
  }
  std::ranges::sort(lost);
  lost.erase(std::unique(lost.begin(), lost.end()), lost.end());
  return lost;
}

/// A label that is not metadata: readers see values of any type, and not their bytes.
constexpr std::string_view kReadable = "readable values";

/// Another one: the values of a dictionary are in an order that comparisons use.
constexpr std::string_view kOrdered = "order of the dictionary";

/// Another one: values of the dictionary without rows, for a target that makes its own.
constexpr std::string_view kUnusedValues = "values of the dictionary that no row has";

bool is_dictionary(const Field* field) {
  return field != nullptr && field->type.kind() == hub::Kind::Dictionary;
}

bool is_ordered_dictionary(const Field* field) {
  return is_dictionary(field) && field->type.flag();
}

bool holds_any(System system, const Field& field) {
  return system->refine != nullptr && system->refine(field).yson;
}

/// Returns true for values of any type whose bytes the target keeps, but its readers cannot read.
bool hides_values(System from, System to, const Node& node) {
  return node.target != nullptr && holds_any(from, *node.source) && !holds_any(to, *node.target) &&
         hub::is_binary(without_encoding(node.target->type).kind());
}

bool is_unknown(std::string_view note) { return note.starts_with(arrow::kUnknownNote); }

/// Says why a note of the source is without effect.
Reason reason_of_ignored(std::string_view note) {
  if (!is_unknown(note)) {
    return {
        "annotation.stale", hub::Values::Kept, "", hub::stale_annotation({}, note).lost, "", ""};
  }
  note.remove_prefix(arrow::kUnknownNote.size());
  return {"annotation.unknown",
          hub::Values::Kept,
          "",
          fmt::format("its Arrow type is unknown and ignored: {}", note),
          "",
          ""};
}

/// Returns the report of a node by its schemas. Findings add what happens to its values.
PathReport report_of(System from, System to, const Node& node) {
  PathReport report;
  report.path = node.path;
  report.labels = lost_labels(from, to, node);
  const std::optional<std::string_view> ignored = ignored_note(from, *node.source);
  if (ignored) report.reasons.push_back(reason_of_ignored(*ignored));
  if (node.path.empty()) return report;
  report.source = type_text(from, *node.source);
  if (node.target != nullptr) report.target = type_text(to, *node.target);
  report.type = type_kept(from, to, node);
  if (ignored && is_unknown(*ignored)) report.type = hub::TypeKept::Changed;
  if (hides_values(from, to, node)) report.labels.emplace_back(kReadable);
  if (is_ordered_dictionary(node.source) && !is_ordered_dictionary(node.target) &&
      !is_ordered_dictionary(node.noted)) {
    report.labels.emplace_back(kOrdered);
  }
  if (from->is_hub && !to->is_hub && is_dictionary(node.source) && is_dictionary(node.target)) {
    report.labels.emplace_back(kUnusedValues);
  }
  // Nodes of one name have one path: the node itself knows which of them is meant.
  if (!node.renamed.empty()) {
    report.type = hub::TypeKept::Changed;
    report.reasons.push_back({"name.changed", hub::Values::Kept, "", node.renamed, "", {}});
  }
  return report;
}

std::string_view rule_of_label(std::string_view label) {
  if (label.starts_with("id ")) return "id.lost";
  return is_of_keys(label) ? "key.lost" : "metadata.lost";
}

/// Adds a reason, once a rule; the first to come says it, what it leaves open the next may fill.
void add_reason(PathReport& report, const hub::Finding& finding, hub::Values values) {
  for (Reason& known : report.reasons) {
    if (known.rule != finding.rule) continue;
    known.values = std::max(known.values, values);
    if (known.lost.empty()) known.lost = finding.lost;
    if (known.witness.empty()) known.witness = finding.witness;
    if (known.hint.empty()) known.hint = finding.hint;
    return;
  }
  report.reasons.push_back({finding.rule, values, "", finding.lost, finding.witness, finding.hint});
}

/// Finds the reports of findings.
class ReasonIndex {
 public:
  explicit ReasonIndex(std::vector<PathReport>* reports) : reports_(reports) {
    for (size_t i = 0; i < reports->size(); ++i) index_.emplace((*reports)[i].path, i);
  }

  /// Returns the place of a path's report.
  std::optional<size_t> find(const Path& path) const {
    const auto found = index_.find(path);
    return found == index_.end() ? std::nullopt : std::optional(found->second);
  }

  /// What a cast finds is about values. Names were settled node by node.
  void add_of_cast(const hub::Finding& finding) {
    const RuleSubject about = subject_of(finding.rule);
    if (about == RuleSubject::Rename) return;
    PathReport& report = at(finding.path);
    const hub::Values values = hub::values_after(finding.effect);
    report.values = std::max(report.values, values);
    // Readers of the requested version, or the chosen ones, do not know the type.
    const bool is_about_readers = about == RuleSubject::Release || about == RuleSubject::Readers;
    if (is_about_readers && finding.effect == hub::Effect::None) {
      report.type = hub::TypeKept::Changed;
    }
    add_reason(report, finding, values);
  }

  /// Findings of a system are about types: values are the cast's. Names were settled node by node.
  void add_of_module(const hub::Finding& finding) {
    if (subject_of(finding.rule) == RuleSubject::Rename) return;
    add_reason(at(finding.path), finding, hub::Values::Kept);
  }

 private:
  /// Below what the source has no node for (a pair's struct, a wrapper): its nearest parent.
  PathReport& at(Path path) {
    for (; !path.empty(); path = path.parent()) {
      if (const std::optional<size_t> found = find(path)) return (*reports_)[*found];
    }
    return reports_->front();
  }

  std::vector<PathReport>* reports_;
  std::unordered_map<Path, size_t, Path::Hash> index_;
};

/// Returns true for rules that are true of a schema by itself, so they explain no change of a type.
bool is_of_one_schema(std::string_view rule) {
  const RuleSubject about = subject_of(rule);
  return about == RuleSubject::Name || about == RuleSubject::Specification ||
         about == RuleSubject::Release;
}

/// Returns true if two types differ in the names of their members only.
bool differs_in_names(const Field& source, const Field& target) {
  return bare_layer(source.type) == bare_layer(target.type) &&
         !(own_layer(source.type) == own_layer(target.type));
}

/// Completes and sorts the reasons of a path whose axes are known.
void sort_reasons(const Node& node, PathReport& report) {
  // A mapping does not know the metadata that the target keeps next to its own type.
  if (node.target != nullptr && !node.target->extension_name().empty()) {
    std::erase_if(report.reasons, [](const Reason& reason) {
      return subject_of(reason.rule) == RuleSubject::Extension;
    });
  }
  if (report.type == hub::TypeKept::Self) {
    // A type that is restored has not changed, so only findings about values are reasons.
    std::erase_if(report.reasons, [](const Reason& reason) {
      return reason.values == hub::Values::Kept &&
             subject_of(reason.rule) <= RuleSubject::Extension;
    });
  } else if (std::ranges::all_of(report.reasons, is_of_one_schema, &Reason::rule)) {
    Reason reason;
    reason.rule = "type.as-storage";
    if (node.target != nullptr && report.type == hub::TypeKept::Changed &&
        differs_in_names(*node.source, *node.target)) {
      report.reasons.push_back(
          {"name.changed", hub::Values::Kept, "", "members have other names", "", ""});
      return;
    }
    if (node.target != nullptr) {
      reason.lost = fmt::format("stored as {}; ", hub::kind_name(node.target->type.kind()));
    }
    reason.lost += report.type == hub::TypeKept::Noted ? "xwalk metadata records the original type"
                                                       : "original type is not preserved";
    report.reasons.push_back(std::move(reason));
  }
  for (const std::string& label : report.labels) {
    if (label == kReadable) {
      report.reasons.push_back({"any.as-bytes", hub::Values::Kept, label,
                                "readers see binary YSON instead of values", "",
                                mention(hub::Option::Any, "json") + " stores JSON text instead"});
      continue;
    }
    report.reasons.push_back(
        {rule_of_label(label), hub::Values::Kept, label, label + " is not preserved", "", {}});
  }
  std::ranges::stable_sort(report.reasons, {}, [&](const Reason& reason) {
    const hub::Verdict verdict = hub::verdict_of(reason.values, report.type, !reason.label.empty());
    return std::make_tuple(-static_cast<int>(verdict), reason.rule);
  });
}

/// Returns what a cast finds at a node of the source (null: at none), as far as no reader has
/// altered the values before.
hub::Finding as_read(hub::Finding finding, const Node* node, bool as_null) {
  if (!as_null || finding.rule != kSpecialValues) return finding;
  if (node == nullptr || !node->source->nullable) return finding;
  finding.effect = hub::Effect::Altered;
  finding.lost = "nan, inf and -inf are read as null";
  return finding;
}

/// Adds columns of the target that cannot come back, by the places of those that they have in the
/// source. Throws the reason of one that only the target has.
void add_refused(const hub::Refused& there, const Way& way, const hub::Renames& renames,
                 hub::Refused* refused) {
  if (there.whole && !refused->whole) refused->whole = there.whole;
  if (there.columns.empty()) return;
  const auto pairs = hub::pair_members(hub::struct_(way.source.fields),
                                       hub::struct_(way.target.fields), Path(), renames);
  for (const auto& [column, why] : there.columns) {
    const auto at = std::ranges::find(pairs, std::optional(column));
    hub::Refused::add(at == pairs.end() ? nullptr : refused,
                      static_cast<size_t>(at - pairs.begin()), why);
  }
}

}  // namespace

std::vector<PathReport> reports_on(const Plan& plan, const Way& way, const PlanOptions& options,
                                   hub::Refused* refused) {
  const System from = plan.source_system;
  const System to = plan.target_system;
  // A system's own annotations say what its own schema says: within one system they are the type.
  const bool shared = from->types() == to->types();
  const Field source_root = as_field(way.source);
  const Field target_root = as_field(way.target);
  const hub::Lowered own_lowered = hub::lower(way.source, from->capabilities);
  const auto mapped =
      hub::map_lowered(own_lowered, own_lowered.schema, from->from_arrow, refused).schema;
  hub::Refused there;
  // Annotations in the syntax of a system that shares its types (Skiff's table schema) are no less
  // notes.
  const Schema& unnoted = way.unnoted != nullptr ? *way.unnoted : way.target;
  const Field alone = as_field(
      schema_back(from, shared ? way.target : without_annotations_of(from->types(), unnoted),
                  from == to, &there));
  Schema target_read = with_arrow_types(to, way.target);
  const Field noted = as_field(schema_back(from, target_read, true, &there));
  add_refused(there, way, plan.renames, refused);
  if (!refused->empty()) return {};
  const Field own = as_field(to_arrow(mapped));
  const Field restored = as_field(std::move(target_read));
  std::vector<Node> nodes;
  add_nodes({Path(), &source_root, &target_root, &own, &alone, &noted, &restored, ""},
            {plan.renames, own_lowered.renames}, &nodes);
  std::vector<PathReport> reports;
  reports.reserve(nodes.size());
  for (const Node& node : nodes) reports.push_back(report_of(from, to, node));

  if (way.source.bare_rows && !way.target.bare_rows) {
    PathReport& table = reports.front();
    table.type = hub::TypeKept::Changed;
    table.reasons.push_back({"type.as-storage", hub::Values::Kept, "",
                             "rows that are not structs become a table with one column", "", ""});
  }
  ReasonIndex reasons(&reports);
  for (const hub::Finding& finding : way.of_cast) {
    const std::optional<size_t> at = reasons.find(finding.path);
    reasons.add_of_cast(
        as_read(finding, at ? &nodes[*at] : nullptr, options.special_decimals_as_null));
  }
  for (const hub::Finding& finding : way.of_module) {
    // If the release of the cluster is known, the rules report what it lacks.
    if (!options.cluster || subject_of(finding.rule) != RuleSubject::Release) {
      reasons.add_of_module(finding);
    }
  }
  for (const hub::Finding& finding : way.of_rules) reasons.add_of_cast(finding);
  for (size_t i = 0; i < nodes.size(); ++i) sort_reasons(nodes[i], reports[i]);
  return reports;
}

Schema schema_back(System source, const Schema& target_hub, bool annotations,
                   hub::Refused* refused) {
  Schema seen = annotations ? target_hub : without_annotations_of(source, target_hub);
  const auto mapped = from_arrow(source, seen, refused);
  return refused == nullptr || refused->empty() ? to_arrow(mapped.schema) : Schema();
}

void add_of_path(const hub::Finding& finding, Plan* plan) {
  const auto report = std::ranges::find(plan->paths, finding.path, &PathReport::path);
  if (report == plan->paths.end()) return;
  const hub::Values values = hub::values_after(finding.effect);
  report->values = std::max(report->values, values);
  // Next to a reason of the same rule about the target.
  report->reasons.push_back(
      {finding.rule, values, "", finding.lost, finding.witness, finding.hint});
  std::ranges::stable_sort(report->reasons, std::ranges::greater(), &Reason::values);
}

void add_of_table(const hub::Findings& findings, Plan* plan) {
  PathReport& table = plan->paths.front();
  for (const hub::Finding& finding : findings) {
    const hub::Values values = hub::values_after(finding.effect);
    table.values = std::max(table.values, values);
    add_reason(table, finding, values);
  }
}

}  // namespace xwalk::crosswalk
