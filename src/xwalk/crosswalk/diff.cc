#include "xwalk/crosswalk/diff.h"

#include <algorithm>
#include <map>

#include <fmt/format.h>

#include "xwalk/base/if_valid.h"
#include "xwalk/base/text.h"
#include "xwalk/crosswalk/column_keys.h"
#include "xwalk/crosswalk/labels.h"
#include "xwalk/crosswalk/layer.h"
#include "xwalk/crosswalk/meanings.h"
#include "xwalk/crosswalk/schema_work.h"
#include "xwalk/hub/annotation.h"
#include "xwalk/hub/domain.h"
#include "xwalk/hub/module.h"

namespace xwalk::crosswalk {
namespace {

using hub::Domain;
using hub::Field;
using hub::Note;

/// Takes an annotation apart; one that its system does not read is a text like any other.
Note note_of(System system, const std::string& text, bool nullable) {
  return if_valid([&] { return system->note(text, nullable); }).value_or(Note{text, {}});
}

/// The annotations of a field by the text after `xwalk:`, usually the name of a system.
std::map<std::string, Note> notes_of(const Field& field) {
  std::map<std::string, Note> notes;
  for (const auto& [key, value] : field.metadata) {
    const bool is_labels = std::ranges::any_of(
        systems(), [&its = key](System system) { return system->labels_key == its; });
    if (!hub::is_annotation_key(key) || is_labels) continue;
    std::string word = key.substr(hub::kAnnotationPrefix.size());
    const std::optional<System> system = parse_system(word);
    const bool has_parts = system && (*system)->name == word && (*system)->note != nullptr;
    notes[std::move(word)] = has_parts ? note_of(*system, value, field.nullable) : Note{value, {}};
  }
  return notes;
}

bool same_values(const Domain& a, const Domain& b) {
  const bool ticks = a.unit == b.unit && a.days == b.days && a.zone == b.zone;
  return a.family == b.family && a.range == b.range && ticks && a.zone_name == b.zone_name &&
         a.precision == b.precision && a.scale == b.scale && a.special_values == b.special_values &&
         a.mantissa_bits == b.mantissa_bits && a.content == b.content && a.length == b.length;
}

/// What the right holds of what the left does.
std::string values_detail(const Domain& left, const Domain& right) {
  if (left.family != right.family) return "";
  const auto fewer = hub::narrowings(left, right);
  const auto more = hub::narrowings(right, left);
  if (fewer.empty() && more.empty()) return "holds the same values";
  if (fewer.empty()) return "holds all values and more";
  std::string text = fewer.front().lost;
  if (!fewer.front().witness.empty())
    text += fmt::format(", for example {}", fewer.front().witness);
  return text;
}

class Comparer {
 public:
  Comparer(System left, System right) : left_(left), right_(right) {}

  /// Ids that only one schema has are no difference of each field.
  bool compare_ids = false;

  void compare(const SchemaNode& was, const SchemaNode& is, DiffLine& line) const {
    add_type(was.field, is.field, line);
    if (was.field.nullable != is.field.nullable) {
      auto word = [](bool nullable) { return nullable ? "nullable" : "not null"; };
      line.differences.push_back(
          {Change::Nullability, word(was.field.nullable), word(is.field.nullable), ""});
    }
    add_labels(entries_of(labels_in(was.field.metadata)), entries_of(labels_in(is.field.metadata)),
               line);
  }

  void compare_tables(const hub::Schema& was, const hub::Schema& is, DiffLine& line) const {
    add_labels(entries_of(labels_in(left_, was)), entries_of(labels_in(right_, is)), line);
  }

 private:
  using Entries = std::map<std::pair<Change, std::string>, std::string>;

  static Change kind_of(std::string_view key) {
    return is_of_keys(key) ? Change::Keys : Change::Metadata;
  }

  static Entries entries_of(const std::vector<Label>& labels) {
    Entries entries;
    for (const Label& label : labels) {
      switch (label.kind) {
        case LabelKind::Id:
          entries[{Change::Id, ""}] = label.value;
          break;
        case LabelKind::Attribute:
          entries[{kind_of(label.name), label.name}] = label.value;
          break;
        case LabelKind::Metadata:
          entries[{kind_of(label.name), quoted(label.name)}] = clipped(label.value);
          break;
      }
    }
    return entries;
  }

  void add_labels(const Entries& was, const Entries& is, DiffLine& line) const {
    std::map<std::pair<Change, std::string>, std::pair<std::string, std::string>> both;
    for (const auto& [key, value] : was) both[key].first = value;
    for (const auto& [key, value] : is) both[key].second = value;
    for (const auto& entry : both) {
      const auto& key = entry.first;
      const auto& values = entry.second;
      const Change change = key.first;
      const std::string& name = key.second;
      if (values.first == values.second) continue;
      if (change == Change::Id && !compare_ids) continue;
      auto shown_value = [&](const std::string& value) {
        return name.empty() || value.empty() ? value : fmt::format("{}={}", name, value);
      };
      line.differences.push_back(
          {change, shown_value(values.first), shown_value(values.second), ""});
    }
  }

  void add_type(const Field& was, const Field& is, DiffLine& line) const {
    const hub::Refine refine_left = left_->refine;
    const hub::Refine refine_right = right_->refine;
    const hub::Refinement left = refine_left ? refine_left(was) : hub::Refinement{};
    const hub::Refinement right = refine_right ? refine_right(is) : hub::Refinement{};
    const Domain a = hub::domain_of(was, left);
    const Domain b = hub::domain_of(is, right);
    const bool layouts = left_ == right_ ? left_->layouts != hub::Layouts::Alike
                                         : left_->layouts == hub::Layouts::Distinct &&
                                               right_->layouts == hub::Layouts::Distinct;
    auto layer = [&](const Field& field) {
      return bare_layer(layouts ? field.type : without_layout(without_encoding(field.type)));
    };
    bool retyped = !(layer(was) == layer(is)) || !same_values(a, b) ||
                   left.zone_names != right.zone_names ||
                   was.extension_name() != is.extension_name() ||
                   was.extension_metadata() != is.extension_metadata();
    std::map<std::string, Note> left_notes = notes_of(was);
    std::map<std::string, Note> right_notes = notes_of(is);
    if (left_ == right_) {
      const std::string own(left_->name);
      retyped = retyped || left_notes[own].type != right_notes[own].type;
      left_notes[own].type.clear();
      right_notes[own].type.clear();
    }
    if (retyped) {
      auto [from, to] = type_texts(was, is, line);
      std::string other = other_meaning(was, is);
      line.differences.push_back(
          {Change::Retyped, from, to, other.empty() ? values_detail(a, b) : std::move(other)});
    }
    add_notes(left_notes, right_notes, retyped, line);
  }

  /// Returns how the meaning of a layer's values differs; "" if it does not.
  std::string other_meaning(const Field& was, const Field& is) const {
    const hub::JudgeOptions options{judged_refinement(left_, true),
                                    judged_refinement(right_, true)};
    for (const hub::Disagreement& one : hub::judge(was, is, Path(), options)) {
      const bool is_own = one.path.empty() && one.fit > hub::Fit::Within;
      if (is_own) return "another meaning: " + one.reason;
    }
    return "";
  }

  /// The texts of two types that differ: in the systems' notation, else with what that leaves out,
  /// such as a length, an extension, an annotation. If the texts are equal, with the systems'
  /// names.
  std::pair<std::string, std::string> type_texts(const Field& was, const Field& is,
                                                 const DiffLine& line) const {
    auto extension = [](const Field& field) {
      return fmt::format("extension {} {}", quoted(field.extension_name()),
                         quoted(field.extension_metadata()));
    };
    auto note = [&](const Field& field) {
      return std::string(hub::annotation(field, right_->name).value_or("no annotation"));
    };
    auto whose = [](const std::string& type, System system) {
      return fmt::format("{} of {}", type, system->name);
    };
    const std::pair<std::string, std::string> texts[] = {
        {without_field_name(line.left.type), without_field_name(line.right.type)},
        {hub::to_string(was.type), hub::to_string(is.type)},
        {extension(was), extension(is)},
        {note(was), note(is)},
        {whose(line.left.type, left_), whose(line.right.type, right_)}};
    const auto* differ =
        std::ranges::find_if(texts, [](const auto& sides) { return sides.first != sides.second; });
    return differ == std::end(texts) ? texts[0] : *differ;
  }

  void add_notes(const std::map<std::string, Note>& was, const std::map<std::string, Note>& is,
                 bool retyped, DiffLine& line) const {
    std::map<std::string, std::pair<Note, Note>> both;
    for (const auto& [system, note] : was) both[system].first = note;
    for (const auto& [system, note] : is) both[system].second = note;
    for (const auto& entry : both) {
      const std::string& system = entry.first;
      const Note& left = entry.second.first;
      const Note& right = entry.second.second;
      if (left.tags != right.tags) {
        auto texts = [](const Note& note) {
          std::vector<std::string> tags;
          for (const std::string& tag : note.tags) tags.push_back(quoted(tag));
          return tags.empty() ? std::string() : "tag " + join(tags, ", ");
        };
        line.differences.push_back({Change::Annotation, texts(left), texts(right), ""});
      }
      // Where the types differ anyway their annotations do too.
      const std::optional<System> its = parse_system(system);
      const bool is_of_bytes = its && (*its)->notes_bytes;
      if (retyped || left.type == right.type || is_of_bytes) continue;
      auto texts = [&](const Note& note) {
        return note.type.empty() ? std::string() : fmt::format("{}: {}", system, note.type);
      };
      line.differences.push_back({Change::Annotation, texts(left), texts(right), ""});
    }
  }

  System left_;
  System right_;
};

bool has_ids(const std::vector<PairedNode>& nodes, bool left) {
  return std::ranges::any_of(nodes, [&](const PairedNode& node) {
    const auto& side = left ? node.left : node.right;
    return side && field_id(side->field);
  });
}

std::string how(const PairedNode& node) {
  if (node.by == PairedBy::Guess) return "a guess: the only ones left of this type";
  if (node.by == PairedBy::Id) return fmt::format("by field id {}", *field_id(node.right->field));
  return "";
}

DiffSide side_of(System system, const SchemaNode& node) {
  std::string type = type_text(system, node.field);
  std::string layer = layer_text(system, node.field, type);
  return {node.path, node.label, std::move(type), std::move(layer)};
}

void add_places(const PairedNode& node, DiffLine& line) {
  const SchemaNode& was = *node.left;
  const SchemaNode& is = *node.right;
  // Items, keys and values have no name that could change.
  const bool named = is.path.last().is_named() && was.path.last().is_named();
  if (named && was.field.name != is.field.name) {
    line.differences.push_back({Change::Renamed, was.label, is.label, how(node)});
  }
  if (node.reparented) {
    line.differences.push_back({Change::Moved, was.path.text(), is.path.text(), how(node)});
  } else if (node.reordered) {
    line.differences.push_back(
        {Change::Moved, fmt::format("place {}", was.index), fmt::format("place {}", is.index), ""});
  }
}

}  // namespace

std::string_view to_string(Change change) {
  switch (change) {
    case Change::Added:
      return "added";
    case Change::Removed:
      return "removed";
    case Change::Renamed:
      return "renamed";
    case Change::Moved:
      return "moved";
    case Change::Retyped:
      return "retyped";
    case Change::Nullability:
      return "nullability";
    case Change::Annotation:
      return "annotation";
    case Change::Id:
      return "id";
    case Change::Keys:
      return "keys";
    case Change::Metadata:
      return "metadata";
  }
  return "";
}

bool Diff::same() const {
  return std::ranges::all_of(lines, [](const DiffLine& line) { return line.differences.empty(); });
}

Diff diff(System left_system, const hub::Schema& left_columns, System right_system,
          const hub::Schema& right_columns, const DiffOptions& options) {
  check_schema_work(left_columns, &right_columns);
  const hub::Schema left = with_described_values(left_columns);
  const hub::Schema right = with_described_values(right_columns);
  Diff out{left_system, right_system, left.fields.size(), right.fields.size(), {}};
  const std::vector<PairedNode> nodes =
      pair_schemas(left, right, {.ids = true, .guesses = options.guess_renames});
  Comparer comparer(left_system, right_system);
  comparer.compare_ids = has_ids(nodes, true) && has_ids(nodes, false);
  comparer.compare_tables(left, right, out.lines.emplace_back());
  for (const PairedNode& node : nodes) {
    DiffLine& line = out.lines.emplace_back();
    line.by = node.by;
    line.depth = node.depth;
    if (node.left) line.left = side_of(left_system, *node.left);
    if (node.right) line.right = side_of(right_system, *node.right);
    if (node.left && node.right) {
      add_places(node, line);
      comparer.compare(*node.left, *node.right, line);
      continue;
    }
    if (node.within_alone) continue;
    line.differences.push_back({node.right ? Change::Added : Change::Removed,
                                without_field_name(line.left.type),
                                without_field_name(line.right.type), ""});
  }
  return out;
}

Diff diff(const AnySchema& left, const AnySchema& right, const DiffOptions& options) {
  return diff(left.system(), to_arrow(left), right.system(), to_arrow(right), options);
}

}  // namespace xwalk::crosswalk
