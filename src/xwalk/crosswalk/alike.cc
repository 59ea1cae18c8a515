#include "xwalk/crosswalk/alike.h"

#include <algorithm>
#include <cstdint>
#include <functional>
#include <string_view>
#include <unordered_set>
#include <utility>

#include "xwalk/base/error.h"
#include "xwalk/base/first_places.h"
#include "xwalk/base/text.h"
#include "xwalk/crosswalk/layer.h"
#include "xwalk/crosswalk/modules.h"
#include "xwalk/hub/annotation.h"
#include "xwalk/hub/field_hash.h"
#include "xwalk/hub/letter_case.h"
#include "xwalk/hub/member_paths.h"
#include "xwalk/hub/module.h"
#include "xwalk/hub/path_pattern.h"
#include "xwalk/parquet/type.h"
#include "xwalk/skiff/schema.h"
#include "xwalk/vortex/type.h"
#include "xwalk/yt/schema.h"

namespace xwalk::crosswalk {
namespace {

using hub::Field;
using hub::Finding;
using hub::Schema;

/// Messages clip longer names.
constexpr size_t kLongestName = 40;

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

/// Returns true for a field with a struct without fields. Lance loses the next column.
bool has_empty_struct(const Field& field) {
  const auto children = field.type.children();
  return children.empty() ? field.type.kind() == hub::Kind::Struct
                          : std::ranges::any_of(children, has_empty_struct);
}

/// Finds the columns that may be like others.
class Candidates {
 public:
  explicit Candidates(const std::vector<Field>& fields)
      : by_name_(fields.size()), is_one_(fields.size()) {
    names_.reserve(fields.size());
    for (size_t i = 0; i < fields.size(); ++i) {
      const Field& field = fields[i];
      names_.push_back(hub::in_lower_case(field.name, hub::Letters::Ascii));
      const size_t first = by_name_.add(names_.back(), i);
      is_one_[i] = first == i && field.name.size() <= kLongestName &&
                   hub::is_plain_word(field.name) && !is_marked(field);
      if (first != i) is_one_[first] = false;
    }
    // The last column may be one of the system's own.
    is_one_.back() = false;
  }

  bool operator[](size_t column) const { return is_one_[column]; }
  void keep(std::string_view name) {
    if (const auto column = by_name_.find(hub::in_lower_case(name, hub::Letters::Ascii))) {
      is_one_[*column] = false;
    }
  }
  void keep(const Path& path) {
    if (!path.empty()) keep(path.steps().front()->name);
  }
  /// Keeps all columns that a text mentions.
  void keep_names_in(std::string_view text) {
    const auto is_of_word = [](char c) { return is_ascii_alnum(c) || c == '_'; };
    for (auto at = text.begin(); at != text.end();) {
      const auto end = std::find_if_not(at, text.end(), is_of_word);
      keep(std::string_view(at, end));
      at = std::find_if(end, text.end(), is_of_word);
    }
  }

 private:
  std::vector<std::string> names_;
  FirstPlaces by_name_;
  std::vector<bool> is_one_;
};

/// Makes a text about a column one about another that is like it. Only notes of YTsaurus name the
/// column, with a place below it in YTsaurus's notation: `(at a.<list-element>)`.
void put_column(const std::string& name, const std::string& was, std::string* text) {
  constexpr std::string_view kBefore = "(at ";
  for (size_t at = 0; (at = text->find(kBefore, at)) != std::string::npos;) {
    at += kBefore.size();
    const std::string_view place = std::string_view(*text).substr(at);
    if (place.starts_with(was) && place.substr(was.size()).starts_with('.')) {
      text->replace(at, was.size(), name);
    }
  }
}

}  // namespace

AlikeColumns::AlikeColumns(const Schema& source, const PlanOptions& options, const Schema* target)
    : source_(source) {
  const std::vector<Field>& fields = source.fields;
  if (fields.size() < 3 || std::ranges::any_of(fields, has_empty_struct)) return;
  // Ids that the target has already distinguish nothing.
  std::vector<Field> there;
  if (target != nullptr) {
    if (!std::ranges::equal(fields, target->fields, {}, &Field::name, &Field::name)) return;
    there = target->fields;
    for (Field& field : there) {
      if (is_marked(field)) erase_ids(&field);
    }
  }
  Candidates candidates(fields);
  for (const RenameOption& option : options.rename) {
    candidates.keep(option.path);
    candidates.keep(option.name);
  }
  for (const CastOption& option : options.casts) {
    if (option.pattern) return;
    candidates.keep(option.path);
  }
  for (const CastOption& option : options.shred) {
    const bool is_all = option.path.empty();
    if (option.pattern || (!is_all && hub::paths_like(source, option.path).empty())) return;
    candidates.keep(option.path);
  }
  for (const auto& [key, value] : source.metadata) {
    if (hub::is_annotation_key(key)) candidates.keep_names_in(value);
  }
  for (const Field& field : there) {
    if (is_marked(field)) candidates.keep(field.name);
  }
  const auto hash = [&](size_t i) {
    const size_t out = hub::hash_of_unnamed(fields[i]);
    return there.empty() ? out : 31 * out + hub::hash_of_unnamed(there[i]);
  };
  const auto equal = [&](size_t a, size_t b) {
    return hub::equal_unnamed(fields[a], fields[b]) &&
           (there.empty() || hub::equal_unnamed(there[a], there[b]));
  };
  std::unordered_map<size_t, size_t, decltype(hash), decltype(equal)> kinds(64, hash, equal);
  places_.reserve(fields.size());
  for (size_t i = 0; i < fields.size(); ++i) {
    size_t place = first_.size();
    if (candidates[i]) place = kinds.try_emplace(i, place).first->second;
    if (place == first_.size()) {
      first_.push_back(i);
      last_.push_back(i);
    }
    last_[place] = i;
    places_.push_back(place);
  }
  if (first_.size() == fields.size()) return;
  distinct_ = distinct(source);
  const hub::MemberPaths paths(distinct_.fields);
  for (size_t place = 0; place < first_.size(); ++place) by_path_.emplace(paths[place], place);
}

Schema AlikeColumns::distinct(const Schema& all) const {
  Schema out{{}, all.metadata, all.nullable_rows, all.bare_rows};
  for (const size_t column : first_) out.fields.push_back(all.fields[column]);
  return out;
}

std::optional<size_t> AlikeColumns::place_of(const Path& path) const {
  Path column = path;
  while (column.size() > 1) column = column.parent();
  const auto found = by_path_.find(column);
  return found == by_path_.end() ? std::nullopt : std::optional(found->second);
}

hub::MovedPlace AlikeColumns::moved(size_t place, size_t column) const {
  return {Path::column(distinct_.fields[place].name), Path::column(source_.fields[column].name)};
}

std::set<size_t> AlikeColumns::places_of(const hub::Findings& findings) const {
  std::set<size_t> out;
  for (const Finding& finding : findings) {
    if (const auto place = place_of(finding.path)) out.insert(*place);
  }
  return out;
}

std::set<size_t> AlikeColumns::all(const std::set<size_t>& distinct) const {
  std::set<size_t> out;
  for (size_t i = 0; i < places_.size(); ++i) {
    if (distinct.contains(places_[i])) out.insert(out.end(), i);
  }
  return out;
}

template <typename Column, typename Named>
std::vector<Column> AlikeColumns::repeated(std::span<const Column> distinct,
                                           const std::set<size_t>& without, Named named) const {
  if (distinct.size() + without.size() != first_.size()) {
    throw Error(ErrorCode::Internal, "expected as many columns as distinct ones");
  }
  std::vector<const Column*> there(first_.size());
  size_t next = 0;
  for (size_t place = 0; place < there.size(); ++place) {
    if (!without.contains(place)) there[place] = &distinct[next++];
  }
  std::vector<Column> out;
  out.reserve(places_.size());
  for (size_t i = 0; i < places_.size(); ++i) {
    const Column* const column = there[places_[i]];
    if (column == nullptr) continue;
    if (is_shared(places_[i])) {
      out.push_back(named(*column, source_.fields[i].name));
    } else {
      out.push_back(*column);
    }
  }
  return out;
}

Schema AlikeColumns::all(const Schema& distinct, const std::set<size_t>& without) const {
  const auto named = [](const Field& field, const std::string& name) {
    return Field(name, field.type, field.nullable, field.metadata);
  };
  return {repeated(std::span(distinct.fields), without, named), distinct.metadata,
          distinct.nullable_rows, distinct.bare_rows};
}

std::optional<AnySchema> AlikeColumns::all(const AnySchema& distinct,
                                           const std::set<size_t>& without) const {
  const System system = distinct.system();
  if (const auto* schema = distinct.get_if<Schema>()) return {{system, all(*schema, without)}};
  const auto* stream = distinct.get_if<skiff::Schema>();
  const auto* table =
      stream != nullptr ? stream->table_schema(0) : distinct.get_if<yt::TableSchema>();
  if (table != nullptr && table->strict) {
    yt::TableSchema out = *table;
    out.columns = repeated(std::span(table->columns), without,
                           [](yt::ColumnSchema column, const std::string& name) {
                             column.name = column.stable_name = name;
                             return column;
                           });
    int64_t size = 0;
    for (const yt::ColumnSchema& column : out.columns) size += yt::complexity(column.type);
    if (size >= yt::kMaxSchemaComplexity) return std::nullopt;
    if (stream == nullptr) return {{system, std::move(out)}};
    skiff::Schema all = *stream;
    all.table_schemas.front() = std::move(out);
    const skiff::Type& root = stream->format.tables.front();
    all.format.tables.front() = skiff::Type(
        root.wire(), repeated(root.children(), without, std::mem_fn(&skiff::Type::named)),
        root.name());
    return {{system, std::move(all)}};
  }
  if (const auto* file = distinct.get_if<parquet::Schema>()) {
    parquet::NodeData root = file->root().data();
    root.children =
        repeated(file->columns(), without, [](const parquet::Node& node, const std::string& name) {
          parquet::NodeData data = node.data();
          data.name = name;
          return parquet::Node(std::move(data));
        });
    return {{system, parquet::Schema(parquet::Node(std::move(root)))}};
  }
  if (const auto* root = distinct.get_if<vortex::DType>()) {
    std::vector<vortex::Member> members = repeated(
        root->members(), without, [](const vortex::Member& member, const std::string& name) {
          return vortex::Member{name, member.type};
        });
    return {{system, vortex::DType::struct_(std::move(members), root->nullable())}};
  }
  return std::nullopt;
}

hub::Findings AlikeColumns::all(const hub::Findings& distinct) const {
  std::vector<std::vector<const Finding*>> of_place(first_.size());
  std::vector<const Finding*> others;
  for (const Finding& finding : distinct) {
    const auto place = place_of(finding.path);
    (place ? of_place[*place] : others).push_back(&finding);
  }
  hub::Findings out;
  for (size_t i = 0; i < places_.size(); ++i) {
    const size_t place = places_[i];
    for (const Finding* finding : of_place[place]) {
      out.push_back(*finding);
      if (!is_shared(place)) continue;
      out.back().path = moved(place, i).of(finding->path);
      put_column(source_.fields[i].name, distinct_.fields[place].name, &out.back().lost);
    }
  }
  for (const Finding* finding : others) out.push_back(*finding);
  return out;
}

hub::Renames AlikeColumns::all(const hub::Renames& distinct) const {
  hub::Renames out;
  for (const auto& [path, names] : distinct) {
    const std::string_view column = std::string_view(path).substr(0, path.find_first_of(".[{<"));
    const auto place = by_path_.find(Path::column(column));
    if (place == by_path_.end() || !is_shared(place->second)) {
      out.emplace(path, names);
      continue;
    }
    for (size_t i = 0; i < places_.size(); ++i) {
      if (places_[i] != place->second) continue;
      const std::string& name = source_.fields[i].name;
      std::vector<hub::Rename>& renamed = out[name + path.substr(column.size())];
      renamed = names;
      // No system changes a name that is a plain word.
      if (path.size() == column.size()) renamed.front().name = name;
    }
  }
  return out;
}

std::vector<PathReport> AlikeColumns::all(std::vector<PathReport> distinct) const {
  // Where the reports of each column begin, after that of the table.
  std::vector<size_t> begins;
  for (size_t i = 1; i < distinct.size(); ++i) {
    if (distinct[i].path.size() == 1) begins.push_back(i);
  }
  begins.push_back(distinct.size());
  size_t count = 1;
  for (const size_t place : places_) count += begins[place + 1] - begins[place];
  std::vector<PathReport> out;
  out.reserve(count);
  out.push_back(std::move(distinct.front()));
  // The paths above the next one, starting with the column's.
  std::vector<Path> above;
  for (size_t i = 0; i < places_.size(); ++i) {
    const size_t place = places_[i];
    for (size_t k = begins[place]; k < begins[place + 1]; ++k) {
      // The last column takes the reports.
      if (i == last_[place]) {
        out.push_back(std::move(distinct[k]));
      } else {
        out.push_back(distinct[k]);
      }
      if (!is_shared(place)) continue;
      PathReport& report = out.back();
      const std::string& name = source_.fields[i].name;
      const size_t depth = report.path.size();
      above.resize(depth - 1);
      if (depth == 1) {
        above.push_back(Path::column(name));
        report.source = with_field_name(std::move(report.source), name);
        report.target = with_field_name(std::move(report.target), name);
      } else {
        above.push_back(above.back().below(report.path.last()));
      }
      report.path = above.back();
      for (Reason& reason : report.reasons) {
        put_column(name, distinct_.fields[place].name, &reason.lost);
      }
    }
  }
  return out;
}

bool AlikeColumns::are_alike_in(const Schema& schema) const {
  return std::ranges::none_of(schema.fields, [&](const Field& field) {
    const auto place = by_path_.find(Path::column(field.name));
    return place != by_path_.end() && is_shared(place->second) && is_marked(field);
  });
}

}  // namespace xwalk::crosswalk
