#include "xwalk/crosswalk/plan.h"

#include <algorithm>
#include <functional>
#include <map>
#include <optional>

#include "xwalk/crosswalk/arrow_types.h"
#include "xwalk/crosswalk/layer.h"
#include "xwalk/crosswalk/names.h"
#include "xwalk/hub/annotation.h"

namespace xwalk::crosswalk {
namespace {

using hub::Field;
using hub::Kind;
using hub::Schema;
using hub::Type;

/// Finds what stands in the place of child `index` of `a` below `b`: by name, else by position
/// where both have as many; lists, maps and lists of pairs by position. Nothing where there is no
/// such.
const Field* counterpart(const Type& a, size_t index, const Type& b) {
  const auto children = b.children();
  const auto is_named = [](Kind kind) {
    return kind == Kind::Struct || kind == Kind::DenseUnion || kind == Kind::SparseUnion;
  };
  if (is_named(a.kind()) && is_named(b.kind())) {
    const std::string& name = a.child(index).name;
    if (index < children.size() && children[index].name == name) return &children[index];
    const auto found = std::ranges::find(children, name, &Field::name);
    if (found != children.end()) return &*found;
    return children.size() == a.children().size() ? &children[index] : nullptr;
  }
  if (index < children.size() && !is_named(b.kind())) return &children[index];
  return nullptr;
}

/// The field that holds the values: behind dictionaries and run-ends.
Field decoded(const Field& field) {
  if (field.type.kind() == Kind::Dictionary) {
    return decoded(Field(field.name, field.type.child().type, field.nullable, field.metadata));
  }
  if (field.type.kind() == Kind::RunEndEncoded) {
    return decoded(Field(field.name, field.type.child(1).type, field.nullable, field.metadata));
  }
  return field;
}

/// Walks a source tree beside another and calls `visit(path, source, other)` for each node, parents
/// first; `other` is null where nothing stands in the node's place. The entries struct of a map is
/// no node of its own.
/// Not a template on the visitor: a walk behind a dictionary wraps it, which would never end.
using Visit = std::function<void(const Path&, const Field&, const Field*)>;
void walk(const Path& path, const Field& source, const Field* other, const Visit& visit) {
  visit(path, source, other);
  const Type& type = source.type;
  const Type none;
  const Type& beside = other == nullptr ? none : other->type;
  auto child = [&](size_t index, const Path& at) {
    walk(at, type.child(index), counterpart(type, index, beside), visit);
  };
  switch (type.kind()) {
    case Kind::Struct:
      for (size_t i = 0; i < type.children().size(); ++i) child(i, path.field(type.child(i).name));
      return;
    case Kind::DenseUnion:
    case Kind::SparseUnion:
      for (size_t i = 0; i < type.children().size(); ++i) {
        child(i, path.alternative(type.child(i).name));
      }
      return;
    case Kind::Map: {
      const Field* pair = beside.children().empty() ? nullptr : &beside.child();
      const bool is_pair =
          pair != nullptr && pair->type.kind() == Kind::Struct && pair->type.children().size() == 2;
      walk(path.map_key(), type.key(), is_pair ? &pair->type.child(0) : nullptr, visit);
      walk(path.map_value(), type.value(), is_pair ? &pair->type.child(1) : nullptr, visit);
      return;
    }
    case Kind::List:
    case Kind::LargeList:
    case Kind::ListView:
    case Kind::LargeListView:
    case Kind::FixedSizeList:
      child(0, path.item());
      return;
    case Kind::RunEndEncoded:
    case Kind::Dictionary: {
      // One node: the encoding and the values.
      if (type.child(type.kind() == Kind::Dictionary ? 0 : 1).type.children().empty()) return;
      const Field values = decoded(source);
      walk(path, values, other, [&](const Path& at, const Field& node, const Field* beside_node) {
        if (!(at == path)) visit(at, node, beside_node);
      });
      return;
    }
    default:
      return;
  }
}

/// Returns true if both fields are the same type of a system, children aside: the Arrow layer, null
/// or not, the canonical extension, and the system's own annotation.
bool same_layer(System system, const Field& a, const Field& b) {
  if (a.nullable != b.nullable) return false;
  if (!(own_layer(a.type) == own_layer(b.type))) return false;
  if (a.extension_name() != b.extension_name()) return false;
  if (a.extension_metadata() != b.extension_metadata()) return false;
  const std::string_view name = to_string(system);
  return hub::annotation(a, name) == hub::annotation(b, name);
}

/// Drops the annotations of one system: `xwalk:yt`, `xwalk:yt.column`.
hub::Metadata without_annotations_of(const std::string& key, const hub::Metadata& metadata) {
  hub::Metadata kept;
  for (const auto& [name, value] : metadata) {
    if (name != key && !name.starts_with(key + ".")) kept.append(name, value);
  }
  return kept;
}

Field without_annotations_of(const std::string& key, Field field) {
  field.metadata = without_annotations_of(key, field.metadata);
  if (!field.type.children().empty()) {
    std::vector<Field> children;
    for (const Field& child : field.type.children()) {
      children.push_back(without_annotations_of(key, child));
    }
    field.type = with_children(field.type, std::move(children));
  }
  return field;
}

Schema without_annotations_of(System system, Schema schema) {
  const std::string key = hub::annotation_key(to_string(system));
  schema.metadata = without_annotations_of(key, schema.metadata);
  for (Field& field : schema.fields) field = without_annotations_of(key, std::move(field));
  return schema;
}

/// Copies what metadata the target's fields do not have yet. Extensions are the target's business.
void carry_metadata(const hub::Metadata& from, bool annotations, hub::Metadata& to) {
  for (const auto& [key, value] : from) {
    if (key == hub::kExtensionName || key == hub::kExtensionMetadata) continue;
    if (hub::is_annotation_key(key) && !annotations) continue;
    if (!to.find(key)) to.append(key, value);
  }
}

/// Returns the target's field with the metadata of the source's, at every depth where they pair,
/// and with notes of the Arrow types that the target system stores otherwise.
Field with_metadata_of(System to, const Field& source, Field target, bool annotations) {
  carry_metadata(source.metadata, annotations, target.metadata);
  if (annotations) note_arrow_type(to, source, &target);
  const Type& a = target.type;
  if (a.children().empty()) return target;
  const Field values = decoded(source);
  std::vector<Field> children;
  for (size_t i = 0; i < a.children().size(); ++i) {
    const Field* beside = counterpart(a, i, values.type);
    children.push_back(beside == nullptr ? a.child(i)
                                         : with_metadata_of(to, *beside, a.child(i), annotations));
  }
  target.type = with_children(a, std::move(children));
  return target;
}

Schema with_metadata_of(System to, const Schema& source, Schema target, bool annotations) {
  const Field from("", hub::struct_(source.fields), false, source.metadata);
  Field whole("", hub::struct_(target.fields), false, target.metadata);
  whole = with_metadata_of(to, from, std::move(whole), annotations);
  target.metadata = whole.metadata;
  target.fields.assign(whole.type.children().begin(), whole.type.children().end());
  return target;
}

/// Source paths against what stands beside them, keyed by path text.
struct Beside {
  /// The node as the source's own schema has it: without what a reader restored from notes.
  const Field* own = nullptr;
  const Field* alone = nullptr;
  const Field* noted = nullptr;
  /// In the target, as its reader restores it from notes.
  const Field* restored = nullptr;
};

Field as_field(const Schema& schema) {
  return Field("", hub::struct_(schema.fields), false, schema.metadata);
}

/// A name is part of the type of what it stands in; names of list items and map entries are not.
bool same_name(const Path& path, const Field& a, const Field& b) {
  const char first = path.steps().back().front();
  return first == '[' || first == '{' || a.name == b.name;
}

/// Returns true for what only the source's reader restored from a note: a node that the source's
/// own schema has not, or the length of a list.
bool is_restored(const Field& node, const Field* own) {
  if (own == nullptr) return true;
  return node.type.kind() == Kind::FixedSizeList && own->type.kind() != Kind::FixedSizeList;
}

hub::TypeKept type_kept(System system, const Path& path, const Field& node, const Beside& beside) {
  const Field& source = beside.own != nullptr ? *beside.own : node;
  if (is_restored(node, beside.own)) {
    const bool again =
        beside.restored != nullptr && own_layer(node.type) == own_layer(beside.restored->type);
    if (beside.own == nullptr && again) return hub::TypeKept::Self;
    if (beside.own != nullptr && !again) return hub::TypeKept::Changed;
  }
  const Field* any = beside.alone != nullptr ? beside.alone : beside.noted;
  if (any != nullptr && !same_name(path, source, *any)) return hub::TypeKept::Changed;
  if (beside.alone != nullptr && same_layer(system, source, *beside.alone)) {
    return hub::TypeKept::Self;
  }
  if (beside.noted != nullptr && same_layer(system, source, *beside.noted)) {
    return hub::TypeKept::Noted;
  }
  return hub::TypeKept::Changed;
}

std::vector<std::string> lost_labels(const std::vector<std::string>& source,
                                     const std::vector<std::string>& kept) {
  std::vector<std::string> lost;
  std::ranges::set_difference(source, kept, std::back_inserter(lost));
  return lost;
}

std::string_view rule_of_label(std::string_view label) {
  if (label.starts_with("id ")) return "id.lost";
  if (label.starts_with("sort_order") || label.starts_with("unique_keys") ||
      label.find("primary-key") != std::string_view::npos) {
    return "key.lost";
  }
  return "metadata.lost";
}

/// How bad a reason is, for the order within a path.
auto badness(const hub::Finding& finding) {
  return std::make_tuple(-static_cast<int>(finding.verdict()), finding.rule);
}

/// Adds a reason, once a rule; the first to come says it, what it leaves open the next may fill.
void add_reason(PathReport& report, const hub::Finding& finding) {
  for (hub::Finding& known : report.reasons) {
    if (known.rule != finding.rule) continue;
    known.values = std::max(known.values, finding.values);
    if (known.lost.empty()) known.lost = finding.lost;
    if (known.witness.empty()) known.witness = finding.witness;
    if (known.hint.empty()) known.hint = finding.hint;
    return;
  }
  report.reasons.push_back(finding);
}

/// A target schema, what is said about the way to it, and the source as lowering left it.
struct Target {
  AnySchema schema;
  hub::Findings findings;
  Schema lowered;
};

/// What two promises about the same values say together.
hub::Refinement both(hub::Refinement a, const hub::Refinement& b) {
  if (!a.range) {
    a.range = b.range;
  } else if (b.range) {
    a.range =
        hub::Range{std::max(a.range->low, b.range->low), std::min(a.range->high, b.range->high)};
  }
  a.special_values = a.special_values || b.special_values;
  a.zone_names = a.zone_names || b.zone_names;
  a.unique_keys = a.unique_keys || b.unique_keys;
  a.unsigned_millis = a.unsigned_millis || b.unsigned_millis;
  if (a.content == nullptr) a.content = b.content;
  return a;
}

/// What is known of the source's values: what its system says, and an annotation of YTsaurus that
/// says more. A value outside an annotation's range is an error in the data.
hub::Refine source_refinement(System from, bool annotations) {
  hub::Refine own = refinement_of(from);
  if (!annotations || from == System::Yt || from == System::Skiff) return own;
  return [own = std::move(own), yt = refinement_of(System::Yt)](const Field& field) {
    hub::Refinement refinement = own ? own(field) : hub::Refinement{};
    if (!hub::annotation(field, to_string(System::Yt))) return refinement;
    return both(refinement, yt(field));
  };
}

Plan make_plan(System from, const Schema& source_hub, Target target, const PlanOptions& options) {
  const System to = system_of(target.schema);
  Schema target_hub = to_arrow(target.schema);
  const bool annotated = options.annotations && room(to).keeps_metadata;
  if (room(to).keeps_metadata) {
    target_hub = with_metadata_of(to, target.lowered, std::move(target_hub), annotated);
  }

  hub::CastOptions cast_options = options.cast;
  cast_options.source = source_refinement(from, options.annotations);
  cast_options.target = refinement_of(to);
  cast_options.check_required = from == System::Arrow;
  if (options.rows && cast_options.target) {
    cast_options.target = [refine = cast_options.target](const Field& field) {
      hub::Refinement refinement = refine(field);
      refinement.special_values = false;
      return refinement;
    };
  }
  hub::CompiledCast cast = hub::compile_cast(source_hub, target_hub, cast_options);

  // A system's own annotations say what its own schema says: within one system they are the type.
  const Field own = as_field(schema_back(from, source_hub, true));
  const Field alone = as_field(schema_back(from, target_hub, from == to));
  const Schema target_read = with_arrow_types(to, target_hub);
  const Field restored = as_field(target_read);
  const Field noted = as_field(schema_back(from, target_read, true));

  Plan plan{from, to, std::move(target.schema), source_hub, std::move(target_hub), std::move(cast),
            {}};
  const Field root = as_field(plan.source_hub);
  const Field target_root = as_field(plan.target_hub);

  std::map<std::string, size_t, std::less<>> index;
  walk(Path(), root, &target_root, [&](const Path& path, const Field& node, const Field* beside) {
    PathReport report;
    report.path = path;
    if (!path.empty()) {
      report.source = type_text(from, node);
      if (beside != nullptr) report.target = type_text(to, *beside);
    }
    index.emplace(path.text(), plan.paths.size());
    plan.paths.push_back(std::move(report));
  });

  std::vector<Beside> besides(plan.paths.size());
  size_t at = 0;
  walk(Path(), root, &own,
       [&](const Path&, const Field&, const Field* beside) { besides[at++].own = beside; });
  at = 0;
  walk(Path(), root, &alone,
       [&](const Path&, const Field&, const Field* beside) { besides[at++].alone = beside; });
  at = 0;
  walk(Path(), root, &noted,
       [&](const Path&, const Field&, const Field* beside) { besides[at++].noted = beside; });
  at = 0;
  walk(Path(), root, &restored,
       [&](const Path&, const Field&, const Field* beside) { besides[at++].restored = beside; });
  at = 0;
  walk(Path(), root, &target_root, [&](const Path& path, const Field& node, const Field* there) {
    PathReport& report = plan.paths[at];
    const Beside& beside = besides[at++];
    if (!path.empty()) {
      report.type = type_kept(from, path, node, beside);
    }
    const std::vector<std::string> labels =
        path.empty() ? labels_of(from, plan.source_hub) : labels_of(from, node);
    std::vector<std::string> kept;
    const auto keep = [&](std::vector<std::string> more) {
      kept.insert(kept.end(), std::make_move_iterator(more.begin()),
                  std::make_move_iterator(more.end()));
    };
    if (beside.noted != nullptr) {
      keep(path.empty() ? labels_of(from, Schema{{}, beside.noted->metadata})
                        : labels_of(from, *beside.noted));
    }
    // Metadata of a file stands beside the source's own schema, and comes back without it; so does
    // what the target's own schema says, as a sort order that the source has in its metadata.
    if (there != nullptr) {
      keep(path.empty() ? labels_of(from, Schema{{}, there->metadata}) : labels_of(from, *there));
    }
    std::ranges::sort(kept);
    report.labels = lost_labels(labels, kept);
  });

  auto report_at = [&](const Path& path) -> PathReport& {
    const auto found = index.find(path.text());
    if (found != index.end()) return plan.paths[found->second];
    // Below what the source has no node for (a pair's struct, a wrapper): its nearest parent.
    const auto& steps = path.steps();
    for (size_t length = steps.size(); length-- > 0;) {
      std::string text;
      for (size_t i = 0; i < length; ++i) {
        const bool dotted =
            i > 0 && steps[i].front() != '[' && steps[i].front() != '{' && steps[i].front() != '<';
        text += (dotted ? "." : "") + steps[i];
      }
      const auto parent = index.find(text);
      if (parent != index.end()) return plan.paths[parent->second];
    }
    return plan.paths.front();
  };
  for (const hub::Finding& finding : plan.cast.findings()) {
    PathReport& report = report_at(finding.path);
    report.values = std::max(report.values, finding.values);
    add_reason(report, finding);
  }
  for (hub::Finding& finding : target.findings) {
    // The room names rules; how bad they are shows in the axes.
    finding.values = hub::Values::Kept;
    add_reason(report_at(finding.path), finding);
  }

  for (PathReport& report : plan.paths) {
    if (report.type == hub::TypeKept::Self) {
      // What comes back as it was is no change of type: only what values meet is a reason.
      std::erase_if(report.reasons, [](const hub::Finding& reason) {
        return reason.values == hub::Values::Kept && reason.rule != "annotation.stale" &&
               !reason.rule.starts_with("spec.") && reason.rule != "member.left-out";
      });
    } else if (report.reasons.empty()) {
      hub::Finding finding;
      finding.rule = "type.as-storage";
      finding.path = report.path;
      finding.lost = report.type == hub::TypeKept::Noted ? "the annotation remembers the type"
                                                         : "the type itself is not carried";
      report.reasons.push_back(std::move(finding));
    }
    for (const std::string& label : report.labels) {
      hub::Finding finding;
      finding.rule = rule_of_label(label);
      finding.path = report.path;
      finding.labels = {label};
      finding.lost = label;
      report.reasons.push_back(std::move(finding));
    }
    for (hub::Finding& reason : report.reasons) {
      reason.path = report.path;
      reason.source = report.source;
      reason.target = report.target;
      reason.type = report.type;
    }
    std::ranges::stable_sort(report.reasons, {}, badness);
  }
  return plan;
}

hub::Lowered lower(System target, const Schema& schema, bool annotations) {
  const hub::NoteText words = [](const Field& was) { return arrow_layer_text(was.type); };
  return hub::lower(schema, room(target).capabilities, annotations ? words : nullptr);
}

}  // namespace

Schema schema_back(System source, const Schema& target_hub, bool annotations) {
  Schema seen = annotations ? target_hub : without_annotations_of(source, target_hub);
  return to_arrow(from_arrow(source, seen).schema);
}

hub::Verdict Plan::verdict() const {
  hub::Verdict worst = hub::Verdict::Exact;
  for (const PathReport& report : paths) worst = std::max(worst, report.verdict());
  return worst;
}

std::vector<hub::Verdict> Plan::column_verdicts() const {
  std::vector<hub::Verdict> verdicts;
  for (const PathReport& report : paths) {
    if (report.path.empty()) continue;
    if (report.path.steps().size() == 1) verdicts.push_back(hub::Verdict::Exact);
    verdicts.back() = std::max(verdicts.back(), report.verdict());
  }
  return verdicts;
}

std::optional<Objection> objection_to(const Plan& plan, bool allow_lossy) {
  const hub::Verdict worst = plan.verdict();
  if (worst <= hub::Verdict::Checked || (worst == hub::Verdict::Lossy && allow_lossy)) {
    return std::nullopt;
  }
  Objection objection{worst, {}, {}};
  objection.message =
      worst == hub::Verdict::Lossy ? "values would be altered" : "there is no mapping";
  const auto found = std::ranges::find_if(
      plan.paths, [&](const PathReport& report) { return report.verdict() == worst; });
  if (found != plan.paths.end()) {
    objection.path = found->path;
    if (!found->reasons.empty()) {
      const hub::Finding& reason = found->reasons.front();
      objection.message += ": " + (reason.lost.empty() ? "see the rule" : reason.lost) + " (" +
                           std::string(reason.rule) + ")";
    }
  }
  return objection;
}

Plan plan(const AnySchema& source, System target, const PlanOptions& options) {
  return plan(system_of(source), to_arrow(source), target, options);
}

Plan plan(System source, const Schema& source_hub, System target, const PlanOptions& options) {
  hub::Findings renamed;
  Schema seen = takes_any_names(target) ? source_hub : with_utf8_names(source_hub, &renamed);
  // What a system's own schema says is no annotation of a file that could be disbelieved.
  const bool own = (source == target && target != System::Arrow) ||
                   (takes_any_names(source) && takes_any_names(target));
  if (!options.annotations && !own) seen = hub::without_annotations(std::move(seen));
  hub::Lowered lowered = lower(target, seen, options.annotations);
  // Notes stand beside the target's own schema.
  auto [schema, findings] = room(target).from_arrow(
      target == System::Arrow ? lowered.schema
                              : without_annotations_of(System::Arrow, lowered.schema));
  for (hub::Finding& finding : findings) finding.path = lowered.as_it_was(finding.path);
  findings.insert(findings.begin(), lowered.findings.begin(), lowered.findings.end());
  findings.insert(findings.begin(), renamed.begin(), renamed.end());
  return make_plan(source, source_hub,
                   {std::move(schema), std::move(findings), std::move(lowered.schema)}, options);
}

Plan plan_to(System source, const Schema& source_hub, const AnySchema& target,
             const PlanOptions& options) {
  // A schema that was asked for says itself what its columns are.
  const System to = system_of(target);
  Schema lowered = lower(to, without_annotations_of(to, source_hub), options.annotations).schema;
  return make_plan(source, source_hub, {target, {}, std::move(lowered)}, options);
}

}  // namespace xwalk::crosswalk
