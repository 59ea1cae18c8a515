#include "xwalk/crosswalk/alike.h"

#include <algorithm>
#include <cstdint>
#include <string>
#include <unordered_set>
#include <utility>

#include "xwalk/hub/field_hash.h"
#include "xwalk/hub/member_paths.h"
#include "xwalk/hub/module.h"

namespace xwalk::crosswalk {
namespace {

using hub::Field;
using hub::Finding;
using hub::Schema;

constexpr size_t kNone = SIZE_MAX;

/// Returns true for a field that metadata, its own or of fields below, distinguishes from otherwise
/// equal ones: an id, keys.
bool is_marked(const Field& field) {
  for (const auto& entry : field.metadata) {
    const std::string_view key = entry.first;
    const bool marks = std::ranges::any_of(systems(), [&](System system) {
      return key == system->id_key || key == system->labels_key ||
             key == system->capabilities.distinct_metadata;
    });
    if (marks) return true;
  }
  return std::ranges::any_of(field.type.children(), is_marked);
}

/// Removes the ids of a field and of the fields below.
void erase_ids(Field* field) {
  for (const System system : systems()) {
    if (!system->id_key.empty()) field->metadata.erase(system->id_key);
  }
  if (field->type.children().empty()) return;
  std::vector<Field> children(field->type.children().begin(), field->type.children().end());
  for (Field& child : children) erase_ids(&child);
  field->type = hub::with_children(field->type, std::move(children));
}

/// Returns true for paths that are equal except for their columns.
bool same_below(Path a, Path b) {
  if (a.size() != b.size()) return false;
  for (; a.size() > 1; a = a.parent(), b = b.parent()) {
    if (!(a.last() == b.last())) return false;
  }
  return true;
}

/// A column's name and the text of a finding about it.
struct Sentence {
  std::string_view name;
  std::string_view text;

  /// The text before and after the name, if it contains the name.
  std::pair<std::string_view, std::string_view> around() const {
    const size_t at = text.find(name);
    if (at == std::string_view::npos) return {text, {}};
    return {text.substr(0, at), text.substr(at + name.size())};
  }
};

/// Returns true for texts that are equal, or that would be if the columns had one name.
bool same_text(const Sentence& a, const Sentence& b) {
  if (a.text == b.text) return true;
  const auto [before, after] = a.around();
  return before.size() != a.text.size() &&
         b.text.size() == before.size() + b.name.size() + after.size() &&
         b.text.starts_with(before) && b.text.substr(before.size()).starts_with(b.name) &&
         b.text.ends_with(after);
}

size_t hash_of_text(const Sentence& sentence) {
  const auto [before, after] = sentence.around();
  const std::hash<std::string_view> hash;
  return 31 * hash(before) + hash(after);
}

/// Returns the name of a column, by the text of a path that begins with a word.
std::string_view first_word(std::string_view path) {
  return path.substr(0, path.find_first_of(".[{<\""));
}

}  // namespace

AlikeColumns::AlikeColumns(const PlannedTable& table)
    : table_(table),
      target_(table.target.fields),
      by_name_(table.source.fields.size()),
      is_named_(table.source.fields.size(), false),
      may_repeat_(table.source.fields.size(), false) {
  const std::vector<Field>& fields = table.source.fields;
  const size_t count = fields.size();
  first_.resize(count);
  for (size_t i = 0; i < count; ++i) first_[i] = i;
  if (count < 2) return;
  for (size_t i = 0; i < count; ++i) {
    if (!hub::is_plain_word(fields[i].name)) continue;
    const size_t first = by_name_.add(fields[i].name, i);
    is_named_[i] = first == i;
    may_repeat_[i] = first == i && !is_marked(fields[i]);
    if (first != i) may_repeat_[first] = false;
  }
  const auto keep = [&](std::string_view name) {
    if (const auto column = by_name_.find(name)) may_repeat_[*column] = false;
  };
  for (const auto& [path, names] : table.renames) {
    keep(first_word(path));
    for (const hub::Rename& name : names) keep(name.name);
  }
  there_.assign(count, kNone);
  for (size_t i = 0; i < table.target.fields.size(); ++i) {
    const auto column = column_named(table.target.fields[i].name, i);
    if (!column) continue;
    size_t& place = there_[*column];
    if (place != kNone) may_repeat_[*column] = false;
    place = i;
  }
  // A source without ids loses none: those that the target assigns distinguish nothing.
  if (std::ranges::any_of(table.target.fields, is_marked)) {
    without_ids_ = table.target.fields;
    for (Field& field : without_ids_) erase_ids(&field);
    target_ = without_ids_;
  }
  collect_findings();

  const auto hash = [&](size_t column) {
    size_t out = hub::hash_of_unnamed(fields[column]);
    if (there_[column] != kNone) {
      out = 31 * out + hub::hash_of_unnamed(target_[there_[column]]);
    }
    for (size_t at = head_[column]; at != kNone; at = entries_[at].next) {
      const Finding& finding = finding_of(entries_[at]);
      out = 31 * out + std::hash<std::string_view>()(finding.rule);
      out = 31 * out + hash_of_text({fields[column].name, finding.lost});
    }
    return out;
  };
  const auto equal = [&](size_t a, size_t b) { return are_alike(a, b); };
  std::unordered_set<size_t, decltype(hash), decltype(equal)> kinds(64, hash, equal);
  for (size_t i = 0; i < count; ++i) {
    if (!may_repeat_[i]) continue;
    first_[i] = *kinds.insert(i).first;
    any_ = any_ || first_[i] != i;
  }
}

std::optional<size_t> AlikeColumns::column_named(std::string_view name, size_t expected) const {
  const bool is_it = expected < is_named_.size() && is_named_[expected] &&
                     table_.source.fields[expected].name == name;
  return is_it ? expected : by_name_.find(name);
}

std::optional<size_t> AlikeColumns::column_of(const Path& path, size_t expected) const {
  Path column = path;
  while (column.size() > 1) column = column.parent();
  if (column.empty()) return std::nullopt;
  return column_named(column.last().name, expected);
}

Field AlikeColumns::target_of(size_t column) const {
  return there_[column] == kNone ? Field() : table_.target.fields[there_[column]];
}

bool AlikeColumns::is_repeated(const Path& path) const {
  if (!any_) return false;
  const std::optional<size_t> column = column_of(path, kNone);
  return column && first_[*column] != *column;
}

void AlikeColumns::collect_findings() {
  head_.assign(first_.size(), kNone);
  tail_.assign(first_.size(), kNone);
  for (size_t list = 0; list < table_.findings.size(); ++list) {
    const hub::Findings& findings = *table_.findings[list];
    size_t last = 0;
    for (size_t place = 0; place < findings.size(); ++place) {
      const std::optional<size_t> column = column_of(findings[place].path, last);
      if (!column) continue;
      last = *column;
      const size_t at = entries_.size();
      entries_.push_back({list, place, kNone});
      (tail_[*column] == kNone ? head_[*column] : entries_[tail_[*column]].next) = at;
      tail_[*column] = at;
    }
  }
}

bool AlikeColumns::same_findings(size_t a, size_t b) const {
  const std::vector<Field>& fields = table_.source.fields;
  size_t left = head_[a];
  size_t right = head_[b];
  for (; left != kNone && right != kNone;
       left = entries_[left].next, right = entries_[right].next) {
    if (entries_[left].list != entries_[right].list) return false;
    const Finding& one = finding_of(entries_[left]);
    const Finding& other = finding_of(entries_[right]);
    const bool same = one.rule == other.rule && one.effect == other.effect &&
                      same_text({fields[a].name, one.lost}, {fields[b].name, other.lost}) &&
                      one.witness == other.witness && one.hint == other.hint &&
                      same_below(one.path, other.path);
    if (!same) return false;
  }
  return left == right;
}

std::string_view AlikeColumns::finding_text(size_t column, std::string_view lost) const {
  size_t at = head_[column];
  for (size_t like = head_[first_[column]]; like != kNone; like = entries_[like].next) {
    if (finding_of(entries_[like]).lost == lost) return finding_of(entries_[at]).lost;
    at = entries_[at].next;
  }
  return lost;
}

bool AlikeColumns::are_alike(size_t a, size_t b) const {
  const std::vector<Field>& fields = table_.source.fields;
  if (!hub::equal_unnamed(fields[a], fields[b])) return false;
  if ((there_[a] == kNone) != (there_[b] == kNone)) return false;
  return (there_[a] == kNone || hub::equal_unnamed(target_[there_[a]], target_[there_[b]])) &&
         same_findings(a, b);
}

Schema AlikeColumns::of_source() const {
  Schema out = {{}, table_.source.metadata, table_.source.nullable_rows, table_.source.bare_rows};
  for (size_t i = 0; i < first_.size(); ++i) {
    if (first_[i] == i) out.fields.push_back(table_.source.fields[i]);
  }
  return out;
}

Schema AlikeColumns::of_target(const Schema& target) const {
  Schema out = {{}, target.metadata, target.nullable_rows, target.bare_rows};
  for (size_t i = 0; i < target.fields.size(); ++i) {
    const auto column = column_named(target.fields[i].name, i);
    if (!column || first_[*column] == *column) out.fields.push_back(target.fields[i]);
  }
  return out;
}

}  // namespace xwalk::crosswalk
