#include "xwalk/crosswalk/plan.h"

#include <algorithm>
#include <map>
#include <optional>
#include <set>
#include <unordered_map>
#include <unordered_set>

#include <fmt/format.h>

#include "xwalk/arrow/ipc_schema.h"
#include "xwalk/arrow/room.h"
#include "xwalk/base/error.h"
#include "xwalk/base/text.h"
#include "xwalk/crosswalk/alike.h"
#include "xwalk/crosswalk/arrow_types.h"
#include "xwalk/crosswalk/labels.h"
#include "xwalk/crosswalk/layer.h"
#include "xwalk/crosswalk/meanings.h"
#include "xwalk/crosswalk/sort_order.h"
#include "xwalk/crosswalk/target_rules.h"
#include "xwalk/crosswalk/unused_options.h"
#include "xwalk/hub/annotation.h"
#include "xwalk/hub/box.h"
#include "xwalk/hub/extension.h"
#include "xwalk/hub/lower.h"
#include "xwalk/hub/names.h"
#include "xwalk/hub/room.h"
#include "xwalk/iceberg/hub.h"
#include "xwalk/iceberg/room.h"

namespace xwalk::crosswalk {
namespace {

using hub::Field;
using hub::Kind;
using hub::Schema;
using hub::Type;

bool is_encoding(const Type& type) {
  return type.kind() == Kind::Dictionary || type.kind() == Kind::RunEndEncoded;
}

/// The field of a map's key and value, or of a list of such pairs; null for other types.
const Field* pair_of(const Type& type) {
  if (type.children().empty() || has_names(type)) return nullptr;
  const Field& pair = type.child();
  return pair.type.kind() == Kind::Struct && pair.type.children().size() == 2 ? &pair : nullptr;
}

/// Finds what stands in the place of each child of `a`, which is at `path`, below `b`: names by
/// name, what has no names by position. Null where nothing does.
std::vector<const Field*> counterparts(const Type& a, const Path& path, const Type& b,
                                       const hub::Renames& renames) {
  const auto children = b.children();
  std::vector<const Field*> out(a.children().size(), nullptr);
  if (has_names(a) != has_names(b)) return out;
  std::vector<std::optional<size_t>> pairs;
  if (has_names(a)) pairs = hub::pair_members(a, b, path, renames);
  for (size_t i = 0; i < out.size(); ++i) {
    const std::optional<size_t> place = has_names(a) ? pairs[i] : i;
    if (place && *place < children.size()) out[i] = &children[*place];
  }
  return out;
}

/// A node of the source, and what stands in its place elsewhere; null where nothing does.
struct Node {
  Path path;
  const Field* source = nullptr;
  /// In the target's schema.
  const Field* target = nullptr;
  /// In the source's own schema, without what a reader restored from notes.
  const Field* own = nullptr;
  /// In the source's schema as it comes back from the target, without and with xwalk's notes.
  const Field* alone = nullptr;
  const Field* noted = nullptr;
  /// In the target's schema, as its reader restores it from notes.
  const Field* restored = nullptr;
  /// Why its name in the target is another, or the one it comes back by; "" where it is the same.
  std::string renamed;
  /// Comes back without the struct that holds it, by that struct's name.
  bool taken_out = false;
};

/// The names that columns and what is below them go by, by their paths in the source.
struct Names {
  /// In the target.
  const hub::Renames& there;
  /// In the source's own system, which may be unable to hold what a file says.
  const hub::Renames& own;
};

/// Says why each child of a type is not called what it was; "" where it is.
std::vector<std::string> renamed_children(const Type& type, const Path& path,
                                          const std::vector<const Field*>& target,
                                          const Names& names) {
  std::vector<std::string> out(type.children().size());
  const std::vector<hub::Rename> there = hub::names_of(type, path, names.there);
  const std::vector<hub::Rename> own = hub::names_of(type, path, names.own);
  for (size_t i = 0; i < out.size(); ++i) {
    const std::string& name = type.child(i).name;
    if (target[i] == nullptr) continue;
    if (there[i].name != name && target[i]->name == there[i].name) {
      out[i] = fmt::format("is called {}: {}", quoted(there[i].name), there[i].why);
    } else if (own[i].name != name) {
      out[i] = fmt::format("comes back as {}: {}", quoted(own[i].name), own[i].why);
    }
  }
  return out;
}

/// Appends a node and all below it, parents first.
void add_nodes(const Node& node, const Names& names, std::vector<Node>* out) {
  const Type& type = without_encoding(node.source->type);
  const std::vector<Child> children = children_of(type, node.path);
  const auto beside = [&](const Field* other, const hub::Renames& renames) {
    std::vector<const Field*> found(children.size(), nullptr);
    if (other == nullptr) return found;
    const Type& there = without_encoding(other->type);
    if (type.kind() != Kind::Map) return counterparts(type, node.path, there, renames);
    if (const Field* pair = pair_of(there)) {
      found = {&pair->type.child(0), &pair->type.child(1)};
    }
    return found;
  };
  // Where the target puts a value into a struct of its own, or takes it out of one, the value is
  // what is paired.
  const auto in_target = [&](const Field* target) {
    if (target == nullptr) return beside(nullptr, names.there);
    const Type& there = without_encoding(target->type);
    const bool unboxed = hub::is_union(there.kind()) ? hub::is_box_of_union(there, type)
                                                     : hub::is_box(type) && !has_names(there);
    if (unboxed) return std::vector<const Field*>{target};
    const bool boxed = hub::is_union(type.kind()) ? hub::is_box_of_union(type, there)
                                                  : hub::is_box(there) && !has_names(type);
    if (boxed) return beside(&there.child(), names.there);
    return beside(target, names.there);
  };
  out->push_back(node);
  if (children.empty()) return;
  const auto target = in_target(node.target);
  const auto own = beside(node.own, names.own);
  const auto alone = in_target(node.alone);
  const auto noted = in_target(node.noted);
  const auto restored = beside(node.restored, names.there);
  std::vector<std::string> renamed(children.size());
  if (has_names(type)) renamed = renamed_children(type, node.path, target, names);
  for (size_t i = 0; i < children.size(); ++i) {
    add_nodes(
        {children[i].path, children[i].field, target[i], own[i], alone[i], noted[i], restored[i],
         std::move(renamed[i]), target[i] != nullptr && target[i] == node.target},
        names, out);
  }
}

/// Returns true if both fields are the same type of a system, children aside: the Arrow layer, null
/// or not, the canonical extension, and the system's own annotation.
bool same_layer(System system, const Field& a, const Field& b) {
  if (a.nullable != b.nullable) return false;
  if (!(own_layer(a.type) == own_layer(b.type))) return false;
  if (a.extension_name() != b.extension_name()) return false;
  if (a.extension_metadata() != b.extension_metadata()) return false;
  // A system that shares another's types says by its notes what a value is.
  for (const std::string_view name : {system->name, system->types()->name}) {
    if (hub::annotation(a, name) != hub::annotation(b, name)) return false;
  }
  return true;
}

/// Tells the annotations of one system: `xwalk:yt`, `xwalk:yt.column`.
class AnnotationsOf {
 public:
  explicit AnnotationsOf(System system) : key_(hub::annotation_key(system->name)) {}

  bool is_in(const hub::Metadata& metadata) const {
    return std::ranges::any_of(metadata, [&](const auto& entry) { return is_one(entry.first); });
  }
  bool is_in(const Field& field) const {
    return is_in(field.metadata) ||
           std::ranges::any_of(field.type.children(),
                               [&](const Field& child) { return is_in(child); });
  }
  bool is_in(const Schema& schema) const {
    return is_in(schema.metadata) ||
           std::ranges::any_of(schema.fields, [&](const Field& field) { return is_in(field); });
  }

  hub::Metadata without(const hub::Metadata& metadata) const {
    hub::Metadata kept;
    for (const auto& [name, value] : metadata) {
      if (!is_one(name)) kept.append(name, value);
    }
    return kept;
  }
  /// What has none stays shared.
  Field without(Field field) const {
    if (!is_in(field)) return field;
    field.metadata = without(field.metadata);
    if (!field.type.children().empty()) {
      std::vector<Field> children;
      for (const Field& child : field.type.children()) children.push_back(without(child));
      field.type = with_children(field.type, std::move(children));
    }
    return field;
  }

 private:
  bool is_one(std::string_view name) const {
    return name.starts_with(key_) && (name.size() == key_.size() || name[key_.size()] == '.');
  }

  std::string key_;
};

Schema without_annotations_of(System system, Schema schema) {
  const AnnotationsOf annotations(system);
  if (!annotations.is_in(schema)) return schema;
  schema.metadata = annotations.without(schema.metadata);
  for (Field& field : schema.fields) field = annotations.without(std::move(field));
  return schema;
}

/// Copies what metadata the target's fields do not have yet. Extensions are carried by themselves.
void carry_metadata(const hub::Metadata& from, bool annotations, hub::Metadata& to) {
  for (const auto& [key, value] : from) {
    if (key == hub::kExtensionName || key == hub::kExtensionMetadata) continue;
    if (hub::is_annotation_key(key) && !annotations) continue;
    if (!to.find(key)) to.append(key, value);
  }
}

Field with_metadata_of(System to, const Field& source, Field target, bool annotations);

/// Returns the target's type with the metadata of the source's children, where they pair.
Type with_metadata_below(System to, const Field& source, const Type& target, bool annotations) {
  std::vector<Field> children(target.children().begin(), target.children().end());
  const Type& values = without_encoding(source.type);
  const bool wraps = hub::is_box(target) && !has_names(values);
  const std::vector<const Field*> sources = counterparts(target, Path(), values, {});
  for (size_t i = 0; i < children.size(); ++i) {
    Field& child = children[i];
    if (is_encoding(target)) {
      child.type = with_metadata_below(to, source, child.type, annotations);
    } else if (wraps) {
      // The outer field has the source's metadata already.
      child = with_metadata_of(to, Field(source.name, values, true), child, annotations);
    } else if (sources[i] != nullptr) {
      Field with = with_metadata_of(to, *sources[i], child, annotations);
      if (target.kind() != Kind::FixedSizeList || to->keeps_item_metadata) {
        child = std::move(with);
      } else {
        child.type = with.type;
      }
    }
  }
  return children.empty() ? target : with_children(target, std::move(children));
}

/// Returns the target's field with the metadata of the source's, at every depth where they pair,
/// and with notes of the Arrow types that the target system stores otherwise.
Field with_metadata_of(System to, const Field& source, Field target, bool annotations) {
  carry_metadata(source.metadata, annotations, target.metadata);
  if (annotations) note_arrow_type(to, source, &target);
  target.type = with_metadata_below(to, source, target.type, annotations);
  if (!to->is_hub) carry_extension(to, source, &target);
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

Field as_field(const Schema& schema) {
  return Field("", hub::struct_(schema.fields), false, schema.metadata);
}

/// Returns true for what only the source's reader restored from a note: a node that the source's
/// own schema does not have, or has with another type.
bool is_restored(const Node& node) {
  return node.own == nullptr || !(own_layer(node.source->type) == own_layer(node.own->type)) ||
         node.source->extension_name() != node.own->extension_name();
}

/// Says whether a type that a note restored comes back: it counts as the type of the source, as if
/// it came from Arrow. Nothing if the source's own schema decides.
std::optional<hub::TypeKept> restored_type_kept(System from, System to, const Node& node) {
  if (node.own == nullptr) {
    const bool again =
        node.restored != nullptr && own_layer(node.source->type) == own_layer(node.restored->type);
    return again ? std::optional(hub::TypeKept::Self) : std::nullopt;
  }
  if (node.target == nullptr || node.restored == nullptr) return hub::TypeKept::Changed;
  if (!same_layer(arrow::kRoom, *node.source, *node.restored)) return hub::TypeKept::Changed;
  if (same_layer(arrow::kRoom, *node.source, *node.target)) return hub::TypeKept::Self;
  // Files of one system keep a type by the same note; but its numbers are no durations by
  // themselves, and its lists have no fixed length.
  const Kind kind = node.source->type.kind();
  const bool by_note = kind == Kind::FixedSizeList || kind == Kind::Duration;
  if (from == to && !by_note) return std::nullopt;
  return hub::TypeKept::Noted;
}

hub::TypeKept type_kept(System from, System to, const Node& node) {
  const Field* any = node.alone != nullptr ? node.alone : node.noted;
  // A name is part of the type of what it stands in; names of items and entries are not.
  const bool renamed = any != nullptr && !node.taken_out && node.path.last().is_named() &&
                       any->name != node.source->name;
  if (renamed) return hub::TypeKept::Changed;
  if (is_restored(node)) {
    if (const auto kept = restored_type_kept(from, to, node)) return *kept;
  }
  const Field& source = node.own != nullptr ? *node.own : *node.source;
  if (node.alone != nullptr && same_layer(from, source, *node.alone)) return hub::TypeKept::Self;
  if (node.noted != nullptr && same_layer(from, source, *node.noted)) return hub::TypeKept::Noted;
  return hub::TypeKept::Changed;
}

/// The labels of a node, those of the table at the empty path.
std::vector<std::string> labels_at(System system, const Path& path, const Field* field) {
  if (field == nullptr) return {};
  return path.empty() ? labels_of(system, Schema{{}, field->metadata}) : labels_of(*field);
}

/// Returns true for metadata that says what rows mean, and that another system's readers do not
/// heed where its files carry it: the defaults of columns that rows lack.
bool is_unheeded(System from, System to, std::string_view label) {
  if (from != iceberg::kRoom || from == to || to->is_hub) return false;
  return label.find(iceberg::kInitialDefault) != std::string_view::npos ||
         label.find(iceberg::kWriteDefault) != std::string_view::npos;
}

std::vector<std::string> lost_labels(System system, System to, const Node& node) {
  std::vector<std::string> kept = labels_at(system, node.path, node.noted);
  // Metadata of a file stands beside the source's own schema, and comes back without it; so does
  // what the target's own schema says, as a sort order that the source has in its metadata.
  std::ranges::move(labels_at(system, node.path, node.target), std::back_inserter(kept));
  std::erase_if(kept, [&](const std::string& label) { return is_unheeded(system, to, label); });
  std::ranges::sort(kept);
  std::vector<std::string> lost;
  std::ranges::set_difference(labels_at(system, node.path, node.source), kept,
                              std::back_inserter(lost));
  return lost;
}

/// A label that is no metadata: that readers see values of any type, and not their bytes.
constexpr std::string_view kReadable = "readable values";

bool holds_any(System system, const Field& field) {
  return system->refine != nullptr && system->refine(field).yson;
}

/// Returns true for values of any type whose bytes the target keeps, and nobody there can read.
bool hides_values(System from, System to, const Node& node) {
  return node.target != nullptr && holds_any(from, *node.source) && !holds_any(to, *node.target) &&
         hub::is_binary(without_encoding(node.target->type).kind());
}

bool is_unknown(std::string_view note) { return note.starts_with(arrow::kUnknownNote); }

/// Says why a note of the source is without effect.
Reason reason_of_ignored(std::string_view note) {
  if (!is_unknown(note)) {
    return {"annotation.stale",
            hub::Values::Kept,
            "",
            fmt::format("the annotation {} no longer fits the column and is ignored",
                        clipped(note, 60)),
            "",
            ""};
  }
  note.remove_prefix(arrow::kUnknownNote.size());
  return {"annotation.unknown",
          hub::Values::Kept,
          "",
          fmt::format("its Arrow type is unknown and ignored: {}", note),
          "",
          ""};
}

/// What a node's schemas say of it; what its values meet is for the findings to say.
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

hub::Values values_after(hub::Effect effect) {
  switch (effect) {
    case hub::Effect::None:
      return hub::Values::Kept;
    case hub::Effect::Refused:
      return hub::Values::Checked;
    case hub::Effect::Altered:
      return hub::Values::Altered;
    case hub::Effect::Forbidden:
      return hub::Values::None;
  }
  return hub::Values::None;
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
    if (finding.rule == "name.changed") return;
    PathReport& report = at(finding.path);
    const hub::Values values = values_after(finding.effect);
    report.values = std::max(report.values, values);
    add_reason(report, finding, values);
  }

  /// What a room finds is about types: values are the cast's. Names were settled node by node.
  void add_of_room(const hub::Finding& finding) {
    if (finding.rule == "name.changed") return;
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

/// Returns true for rules that say nothing of what becomes of a type.
bool is_beside_the_type(std::string_view rule) {
  return rule == "name.duplicate" || rule.starts_with("spec.");
}

/// Completes and sorts the reasons of a path whose axes are known.
void settle_reasons(const Node& node, PathReport& report) {
  if (report.type == hub::TypeKept::Self) {
    // What comes back as it was is no change of type: only what values meet is a reason.
    std::erase_if(report.reasons, [](const Reason& reason) {
      return reason.values == hub::Values::Kept && !reason.rule.starts_with("annotation.") &&
             !reason.rule.starts_with("spec.") && !reason.rule.starts_with("name.") &&
             reason.rule != "member.left-out";
    });
  } else if (std::ranges::all_of(report.reasons, is_beside_the_type, &Reason::rule)) {
    Reason reason;
    reason.rule = "type.as-storage";
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

/// A target schema, what is said about the way to it, and the source as lowering left it.
struct Target {
  AnySchema schema;
  hub::Findings findings;
  hub::Lowered lowered;
  /// What its own reader makes of it without notes, where it turns notes into types.
  std::optional<Schema> unnoted;
  /// The types that values have on the way; null if the schema says it all.
  std::shared_ptr<const hub::Meanings> meanings;
};

/// Makes JSON text of values of any type, for a target that has no type for them.
Field with_any_as_json(Field field, const hub::Refine& refine) {
  if (refine && refine(field).yson) {
    Field json(field.name, Kind::Utf8, field.nullable, without_type(field.metadata));
    return hub::with_extension(std::move(json), hub::kJsonExtension);
  }
  std::vector<Field> children;
  for (const Field& child : field.type.children()) {
    children.push_back(with_any_as_json(child, refine));
  }
  if (!children.empty()) field.type = with_children(field.type, std::move(children));
  return field;
}

/// Makes plain times of times with a zone per value.
Field with_zones_dropped(Field field, const hub::Refine& refine) {
  const Type& type = field.type;
  if (refine && refine(field).zone_names && type.kind() == Kind::Struct) {
    const Field& time = type.child(0);
    Field out(field.name, time.type, field.nullable || time.nullable, without_type(field.metadata));
    for (const auto& [key, value] : time.metadata) out.metadata.set(key, value);
    return out;
  }
  std::vector<Field> children;
  for (const Field& child : type.children()) children.push_back(with_zones_dropped(child, refine));
  if (!children.empty()) field.type = with_children(type, std::move(children));
  return field;
}

hub::CastOptions cast_options_of(System from, System to, const PlanOptions& options) {
  hub::CastOptions out = options.cast;
  out.source = source_refinement(from, options.annotations);
  out.target = to->refine;
  out.check_required = from->check_required;
  return out;
}

hub::Refine without_special_values(hub::Refine refine) {
  if (!refine) return refine;
  return [refine = std::move(refine)](const Field& field) {
    hub::Refinement refinement = refine(field);
    refinement.special_values = false;
    return refinement;
  };
}

constexpr std::string_view kSpecialValues = "decimal.special-values";

bool loses_special_values(const hub::CompiledCast& cast) {
  return std::ranges::find(cast.findings(), kSpecialValues, &hub::Finding::rule) !=
         cast.findings().end();
}

/// Returns what a cast finds at a node of the source (null: at none), as far as no reader has
/// altered the values before.
hub::Finding as_read(hub::Finding finding, const Node* node, SpecialDecimals special) {
  if (special != SpecialDecimals::Null || finding.rule != kSpecialValues) return finding;
  if (node == nullptr || !node->source->nullable) return finding;
  finding.effect = hub::Effect::Altered;
  finding.lost = "nan, inf and -inf are read as null";
  return finding;
}

/// Two schemas, and what was found on the way from the one to the other.
struct Way {
  const Schema& source;
  const Schema& target;
  /// What the target's own reader makes of it without notes, where it turns notes into types.
  const Schema* unnoted;
  const hub::Findings& of_cast;
  const hub::Findings& of_room;
  const hub::Findings& of_rules;
};

/// Says of every path what is kept. Of columns that are like others, reports are left out, and what
/// was found there.
std::vector<PathReport> reports_on(const Plan& plan, const Way& way, const AlikeColumns& alike,
                                   const PlanOptions& options) {
  const System from = plan.source_system;
  const System to = plan.target_system;
  // A system's own annotations say what its own schema says: within one system they are the type.
  const bool shared = from->types() == to->types();
  const Field source_root = as_field(way.source);
  const Field target_root = as_field(way.target);
  const hub::Lowered own_lowered = hub::lower(way.source, from->capabilities);
  const Field own = as_field(
      to_arrow(hub::map_lowered(own_lowered, own_lowered.schema, from->from_arrow).schema));
  // Notes in the words of a system that shares its types (Skiff's table schema) are no less notes.
  const Schema& unnoted = way.unnoted != nullptr ? *way.unnoted : way.target;
  const Field alone = as_field(schema_back(
      from, shared ? way.target : without_annotations_of(from->types(), unnoted), from == to));
  const Schema target_read = with_arrow_types(to, way.target);
  const Field restored = as_field(target_read);
  const Field noted = as_field(schema_back(from, target_read, true));
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
    if (alike.is_repeated(finding.path)) continue;
    const std::optional<size_t> at = reasons.find(finding.path);
    reasons.add_of_cast(as_read(finding, at ? &nodes[*at] : nullptr, options.special_decimals));
  }
  for (const hub::Finding& finding : way.of_room) {
    if (alike.is_repeated(finding.path)) continue;
    // Of a cluster whose release is known, what it lacks is told by the rules.
    if (!options.cluster || finding.rule != "spec.version") reasons.add_of_room(finding);
  }
  for (const hub::Finding& finding : way.of_rules) {
    if (!alike.is_repeated(finding.path)) reasons.add_of_cast(finding);
  }
  for (size_t i = 0; i < nodes.size(); ++i) settle_reasons(nodes[i], reports[i]);
  return reports;
}

/// The words for the type of a column, for each name that columns like it have.
class ColumnWords {
 public:
  /// `words` are those for `field`.
  ColumnWords(System system, const Field& field, const std::string& words) : begin_(words) {
    if (words.empty()) return;
    Field other = field;
    other.name = hub::kLoneColumn;
    const std::string like = type_text(system, other);
    if (like == words) return;
    // Before the name there are words of types and repetition, of which none begins like this.
    const size_t name = like.find(fmt::format(" {}", hub::kLoneColumn));
    if (name == std::string::npos) return;
    begin_ = like.substr(0, name + 1);
    end_ = like.substr(begin_.size() + hub::kLoneColumn.size());
    named_ = true;
  }

  std::string of(const std::string& name) const {
    if (!named_) return begin_;
    std::string out;
    out.reserve(begin_.size() + name.size() + end_.size());
    return out.append(begin_).append(name).append(end_);
  }

 private:
  std::string begin_;
  std::string end_;
  bool named_ = false;
};

/// Adds to the reports on a plan's distinct columns those on the columns that are like them.
std::vector<PathReport> with_alike(const Plan& plan, const AlikeColumns& alike,
                                   std::vector<PathReport> distinct) {
  struct Column {
    size_t begin = 0;
    size_t end = 0;
    std::optional<ColumnWords> source;
    std::optional<ColumnWords> target;
  };
  const std::vector<Field>& fields = plan.source_hub.fields;
  std::vector<Column> columns(fields.size());
  // The table's, and as many for each column as for the one that it is like.
  std::vector<size_t> counts(fields.size());
  for (size_t i = 0, at = 1; i < fields.size(); ++i) {
    if (alike.first(i) != i) continue;
    do {
      ++counts[i];
      ++at;
    } while (at < distinct.size() && distinct[at].path.size() > 1);
  }
  size_t count = 1;
  for (size_t i = 0; i < fields.size(); ++i) count += counts[alike.first(i)];
  std::vector<PathReport> out;
  out.reserve(count);
  out.push_back(std::move(distinct.front()));
  size_t next = 1;
  for (size_t i = 0; i < fields.size(); ++i) {
    const size_t first = alike.first(i);
    Column& column = columns[first];
    if (first == i) {
      column.begin = out.size();
      do out.push_back(std::move(distinct[next++]));
      while (next < distinct.size() && distinct[next].path.size() > 1);
      column.end = out.size();
      continue;
    }
    const std::string& name = fields[i].name;
    if (!column.source) {
      const PathReport& report = out[column.begin];
      column.source.emplace(plan.source_system, fields[first], report.source);
      column.target.emplace(plan.target_system, alike.target_of(first), report.target);
    }
    // The paths above what comes next, the column's first.
    std::vector<Path> above;
    for (size_t k = column.begin; k < column.end; ++k) {
      const PathReport& like = out[k];
      const size_t depth = like.path.size();
      above.resize(depth - 1);
      above.push_back(depth == 1 ? Path::column(name) : above.back().below(like.path.last()));
      out.push_back({above.back(), depth == 1 ? column.source->of(name) : like.source,
                     depth == 1 ? column.target->of(name) : like.target, like.values, like.type,
                     like.labels, like.reasons});
      for (Reason& reason : out.back().reasons) {
        const std::string_view lost = alike.said_of(i, reason.lost);
        if (lost != reason.lost) reason.lost = lost;
      }
    }
  }
  return out;
}

Plan make_plan(System from, const Schema& source_hub, Target target, const PlanOptions& options) {
  const System to = target.schema.system();
  hub::Findings beyond = lacking(target.schema, options);
  target.schema = as_kept(std::move(target.schema), options);
  const bool own_forms = from == to && to->to_arrow_of != nullptr;
  // A system whose labels of a table have no key writes schemas without them: nothing restores
  // them.
  if (from->types()->labels != nullptr && from->types()->labels_key.empty()) {
    target.lowered.schema.metadata.erase(hub::annotation_key(from->types()->name));
  }
  Schema target_hub =
      own_forms ? to->to_arrow_of(target.schema, source_hub) : to_arrow(target.schema);
  if (to->keeps_metadata) {
    const bool of_rows = target.meanings && !target.meanings->requested;
    target_hub = with_metadata_of(to, target.lowered.schema, std::move(target_hub),
                                  options.annotations || of_rows);
  }
  target.lowered.schema = {};
  hub::CastOptions cast_options = cast_options_of(from, to, options);
  cast_options.renames = target.lowered.renames;
  cast_options.meanings = std::move(target.meanings);
  const bool shared = from->types() == to->types();
  hub::CompiledCast cast = hub::compile_cast(source_hub, target_hub, cast_options);
  const bool special = shared && options.special_decimals == SpecialDecimals::AsStored &&
                       !loses_special_values(cast);
  if (shared && !special) {
    // Readers and writers are told for all columns: where one has no way for such values, none has.
    cast_options.target = without_special_values(std::move(cast_options.target));
    cast = hub::compile_cast(source_hub, target_hub, cast_options);
  }
  Plan plan{from,
            to,
            std::move(target.schema),
            source_hub,
            std::move(target_hub),
            std::move(cast),
            special,
            std::move(target.lowered.renames),
            {},
            {}};

  const hub::Findings rules = target_rules(plan, options, std::move(beyond));
  const AlikeColumns alike({plan.source_hub,
                            plan.target_hub,
                            plan.renames,
                            {&plan.cast.findings(), &target.findings, &rules}});
  const Schema* unnoted = target.unnoted ? &*target.unnoted : nullptr;
  if (!alike.any()) {
    const Way way{plan.source_hub,      plan.target_hub, unnoted,
                  plan.cast.findings(), target.findings, rules};
    plan.paths = reports_on(plan, way, alike, options);
    plan.notes = unused_options(plan, options.cast);
    return plan;
  }
  const Schema source = alike.of_source();
  const Schema there = alike.of_target(plan.target_hub);
  std::optional<Schema> bare;
  if (unnoted != nullptr) bare = alike.of_target(*unnoted);
  const Way way{source,          there, bare ? &*bare : nullptr, plan.cast.findings(),
                target.findings, rules};
  plan.paths = with_alike(plan, alike, reports_on(plan, way, alike, options));
  plan.notes = unused_options(plan, options.cast);
  return plan;
}

/// Refuses structs without fields whose nulls or whose number in a list no column would tell.
void check_empty_structs(const Field& field, const Path& path, bool repeated) {
  const Type& type = without_encoding(field.type);
  const bool empty = type.kind() == Kind::Struct && type.children().empty();
  if (empty && (field.nullable || repeated)) {
    Place place;
    place.path = path;
    throw Error(ErrorCode::Unsupported,
                "a struct without fields has no column to keep its nulls in", std::move(place));
  }
  for (const Child& child : children_of(type, path)) {
    check_empty_structs(*child.field, child.path, repeated || !has_names(type));
  }
}

hub::Lowered lower(System target, const Schema& schema, const PlanOptions& options) {
  const hub::NoteText words = [](const Field& was) { return arrow_layer_text(was.type); };
  const hub::Capabilities& capabilities = target->capabilities;
  if (!capabilities.empty_structs) {
    for (const Field& field : schema.fields) {
      const bool plain = field.type.children().empty() && field.type.kind() != Kind::Struct;
      if (!plain) check_empty_structs(field, Path::column(field.name), false);
    }
  }
  return hub::lower(schema, capabilities, options.annotations ? words : nullptr,
                    asked_names(schema, options.rename));
}

}  // namespace

hub::Renames asked_names(const Schema& schema, const std::vector<RenameOption>& asked) {
  hub::Renames renames;
  for (const RenameOption& one : asked) {
    if (!renames.emplace(one.path.text(), std::vector{hub::Rename{one.name, "as asked", true}})
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
        throw Error(ErrorCode::Usage, fmt::format("two would be called {} beside {}",
                                                  quoted(found->second.front().name), text));
      }
    }
    for (const Child& child : children_of(type, path)) self(self, *child.field, child.path);
  };
  look(look, root, Path());
  for (const auto& [path, name] : renames) {
    if (met.contains(path)) continue;
    std::vector<std::string> columns;
    for (const Field& column : schema.fields) columns.push_back(Path::column(column.name).text());
    throw Error(ErrorCode::Usage, fmt::format("there is no {} to be renamed", path), {},
                did_you_mean(path, columns));
  }
  return renames;
}

hub::Renames renames_on_the_way(System target, const Schema& source_hub,
                                const PlanOptions& options) {
  return lower(target, source_hub, options).renames;
}

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
    if (report.path.size() == 1) verdicts.push_back(hub::Verdict::Exact);
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
      worst == hub::Verdict::Lossy ? "values would be changed" : "this cannot be converted";
  const auto found = std::ranges::find_if(
      plan.paths, [&](const PathReport& report) { return report.verdict() == worst; });
  if (found != plan.paths.end()) {
    objection.path = found->path;
    if (!found->reasons.empty()) {
      const Reason& reason = found->reasons.front();
      objection.message += ": " + (reason.lost.empty() ? "see the rule" : reason.lost) + " (" +
                           std::string(reason.rule) + ")";
    }
  }
  return objection;
}

Plan plan(const AnySchema& source, System target, const PlanOptions& options) {
  return plan(source.system(), to_arrow(source), target, options);
}

Plan plan(System source, const Schema& source_hub, System target, const PlanOptions& options) {
  // What a system's own schema says is no annotation of a file that could be disbelieved.
  const bool own = source->types() == target->types() && !target->is_hub;
  const bool disbelieved = !options.annotations && !own;
  const bool as_json = options.cast.any != hub::AnyValues::Yson && !target->capabilities.any_values;
  Casts casts;
  // Copied only where something of it is to be another.
  std::optional<Schema> seen;
  if (!source->is_hub && AnnotationsOf(arrow::kRoom).is_in(source_hub)) {
    seen = without_ignored_notes(source, source_hub);
  }
  const bool drops_zones = options.cast.drop_zone;
  if (disbelieved || as_json || drops_zones || !options.casts.empty()) {
    if (!seen) seen = source_hub;
    // Values of any type and times with zones are recognised by the notes of the source.
    const hub::Refine refine = source_refinement(source, options.annotations);
    for (Field& field : seen->fields) {
      if (as_json) field = with_any_as_json(std::move(field), refine);
      if (drops_zones) field = with_zones_dropped(std::move(field), refine);
    }
    if (disbelieved) seen = hub::without_annotations(*std::move(seen));
    if (drops_zones) casts.findings = order_lost(settle_order(source_hub, &*seen));
    seen = with_casts(source, target, *std::move(seen), options.casts, &casts);
  }
  hub::Lowered lowered = lower(target, seen ? *seen : source_hub, options);
  seen.reset();
  std::optional<Schema> unnoted;
  if (!own && !target->capabilities.json_note.empty()) {
    const Schema bare = hub::without_annotations(lowered.schema);
    if (!options.annotations) lowered.schema = bare;
    unnoted = with_metadata_of(
        target, bare, to_arrow(hub::map_lowered(lowered, bare, target->from_arrow).schema), false);
  }
  // Notes stand beside the target's own schema.
  const bool has_notes = !target->is_hub && AnnotationsOf(arrow::kRoom).is_in(lowered.schema);
  auto [schema, findings] =
      has_notes ? hub::map_lowered(lowered, without_annotations_of(arrow::kRoom, lowered.schema),
                                   target->from_arrow)
                : hub::map_lowered(lowered, lowered.schema, target->from_arrow);
  findings.insert(findings.begin(), casts.findings.begin(), casts.findings.end());
  Target there{std::move(schema), std::move(findings), std::move(lowered), std::move(unnoted),
               meanings_of(std::move(casts))};
  return make_plan(source, source_hub, std::move(there), options);
}

Plan plan_to(System source, const Schema& source_hub, const AnySchema& target,
             const PlanOptions& options, const Schema* meaning) {
  // A schema that was asked for says itself what its columns are.
  if (!options.casts.empty()) {
    throw Error(ErrorCode::Usage,
                fmt::format("{} is for outputs whose schema follows from the input's; this one is "
                            "given, and says the types",
                            mention(hub::Option::Cast)));
  }
  const System to = target.system();
  Schema seen = without_annotations_of(to, source_hub);
  if (!source->is_hub) seen = without_ignored_notes(source, std::move(seen));
  Target there{target, {}, lower(to, seen, options), {}, {}};
  if (meaning != nullptr) {
    // Added rows have the annotations of the existing rows, not those of the source.
    there.lowered.schema = lower(to, *meaning, {}).schema;
    there.meanings = meanings_of_rows(source_hub, target, *meaning, there.lowered.renames);
  }
  Plan plan = make_plan(source, source_hub, std::move(there), options);
  std::map<std::string, std::string> renamed;
  for (const RenameOption& one : options.rename) renamed[one.path.text()] = one.name;
  for (const hub::Finding& finding : order_required(source_hub, plan.target_hub, renamed)) {
    PathReport& table = plan.paths.front();
    const hub::Values values = values_after(finding.effect);
    table.values = std::max(table.values, values);
    add_reason(table, finding, values);
  }
  return plan;
}

}  // namespace xwalk::crosswalk
