#include "xwalk/crosswalk/column_casts.h"

#include <algorithm>
#include <iterator>
#include <map>
#include <optional>
#include <set>
#include <utility>

#include <fmt/format.h>

#include "xwalk/base/error.h"
#include "xwalk/base/text.h"
#include "xwalk/crosswalk/arrow_types.h"
#include "xwalk/crosswalk/meanings.h"
#include "xwalk/crosswalk/sort_order.h"
#include "xwalk/hub/annotation.h"
#include "xwalk/hub/children.h"
#include "xwalk/hub/meaning.h"
#include "xwalk/hub/module.h"
#include "xwalk/hub/names.h"
#include "xwalk/hub/path_pattern.h"

namespace xwalk::crosswalk {
namespace {

using hub::Field;
using hub::Kind;
using hub::Type;

/// Returns the first word of a type: `decimal` of `decimal(18,2)`.
std::string_view word_of_type(std::string_view type) {
  const auto end =
      std::ranges::find_if_not(type, [](char c) { return is_ascii_alnum(c) || c == '_'; });
  return type.substr(0, static_cast<size_t>(end - type.begin()));
}

/// Returns the systems whose words a type may be in, the first that reads them counts.
std::vector<System> in_order(System source, System target) {
  std::vector<System> out;
  const auto add = [&](System system) {
    if (std::ranges::find(out, system) == out.end()) out.push_back(system);
  };
  for (const System system : {target->types(), target, source->types(), source}) add(system);
  add(arrow::kModule);
  for (const System system : systems()) add(system);
  return out;
}

/// Refuses a text that is not a type: with the error of the system whose types begin like it, else
/// with similar type names.
[[noreturn]] void no_type(const CastOption& cast, hub::Option option,
                          const std::vector<System>& systems, const std::vector<Error>& errors) {
  const std::string word(word_of_type(cast.type));
  std::vector<std::string> known;
  for (size_t i = 0; i < systems.size(); ++i) {
    const auto refuse_as_it_does = [&] {
      Place place = errors[i].place();
      place.file = mention(option);
      place.path = cast.path;
      throw Error(ErrorCode::Usage, errors[i].message(), std::move(place), errors[i].hint());
    };
    const auto instead_of = systems[i]->instead_of;
    if (instead_of != nullptr && !instead_of(word).empty()) refuse_as_it_does();
    for (const std::string_view example : systems[i]->kinds()) {
      std::string its(word_of_type(example));
      if (its == word && word != cast.type) refuse_as_it_does();
      if (std::ranges::find(known, its) == known.end()) known.push_back(std::move(its));
    }
  }
  Place place;
  place.file = mention(option);
  place.path = cast.path;
  std::string hint = did_you_mean(word, known);
  if (hint.empty()) hint = "xwalk types lists the types of all systems.";
  throw Error(ErrorCode::Usage, fmt::format("no system has a type {}", clipped(cast.type)),
              std::move(place), std::move(hint));
}

/// Returns a field with the requested type.
Field recast(const Field& field, const RequestedType& request) {
  Field out(field.name, request.field.type, request.field.nullable, without_type(field.metadata));
  for (const auto& [key, value] : request.field.metadata) out.metadata.set(key, value);
  const std::optional<bool> unsaid = request.system->nullable_by_default;
  if (unsaid == out.nullable) out.nullable = field.nullable;
  return out;
}

/// Returns true if the new field says no more and no less than the old one.
bool is_same(const Field& was, const Field& is, System system) {
  return was.type == is.type && was.nullable == is.nullable &&
         was.extension_name() == is.extension_name() &&
         was.extension_metadata() == is.extension_metadata() &&
         (!hub::annotation(is, system->name) ||
          hub::annotation(is, system->name) == hub::annotation(was, system->name));
}

/// Puts types into fields, at any depth.
class Walk {
 public:
  using Types = std::map<std::string, RequestedType, std::less<>>;
  using Paths = std::set<std::string, std::less<>>;

  /// `stored` are the paths whose stored values are read as values of the type.
  Walk(System source, Types types, Paths stored, Casts* casts)
      : source_(source), types_(std::move(types)), stored_(std::move(stored)), casts_(casts) {}

  /// Gives a field and what is below it the types asked for; returns whether anything was.
  bool put(Field& field, const Path& path) {
    const auto found = types_.find(path.text());
    if (found != types_.end()) {
      met_.push_back(found->first);
      const RequestedType& request = found->second;
      Field cast = recast(field, request);
      if (!is_annotated(field) && is_same(field, cast, request.system)) return false;
      const bool stored = stored_.contains(found->first);
      hub::Finding finding;
      finding.rule = stored ? kMeaningRule : kCastRule;
      finding.path = path;
      finding.lost =
          stored ? "stored values are read as the requested type" : "cast to the requested type";
      casts_->findings.push_back(std::move(finding));
      casts_->made.push_back({path, cast, request.system});
      field = std::move(cast);
      return true;
    }
    return put_below(field, path);
  }

  /// Refuses paths that no field has.
  void check(const std::vector<Field>& columns) const {
    for (const auto& [path, request] : types_) {
      if (std::ranges::find(met_, path) != met_.end()) continue;
      throw Error(ErrorCode::Usage, fmt::format("no column {} to cast", xwalk::quoted(path)), {},
                  column_hint(path, names_of_columns(columns)));
    }
  }

 private:
  /// Returns true if an annotation names another type than the stored one.
  bool is_annotated(const Field& field) const {
    return !source_->is_hub &&
           !(with_arrow_types(source_, {{field}, {}}).fields.front().type == field.type);
  }

  bool put_below(Field& field, const Path& path) {
    const Type& type = hub::without_encoding(field.type);
    std::vector<Field> below;
    bool changed = false;
    for (const hub::Child& child : hub::children_of(type, path)) {
      below.push_back(*child.field);
      changed = put(below.back(), child.path) || changed;
    }
    if (!changed) return false;
    if (type.kind() == Kind::Map) {
      Field entries = type.child();
      entries.type = with_children(entries.type, std::move(below));
      below = {std::move(entries)};
    }
    // Annotations of this list apply to its items as well.
    if (type.kind() == Kind::FixedSizeList) field.metadata = without_type(field.metadata);
    field.type = with_children(type, std::move(below));
    return true;
  }

  System source_;
  Types types_;
  Paths stored_;
  std::vector<std::string> met_;
  Casts* casts_;
};

}  // namespace

RequestedType read_type(const CastOption& request, hub::Option option, System source,
                        System target) {
  const std::vector<System> order = in_order(source, target);
  std::vector<Error> errors;
  for (const System system : order) {
    try {
      const hub::Schema schema = to_arrow(parse_type(system, request.type));
      if (schema.fields.size() != 1) {
        throw Error(ErrorCode::Input, "expected one type, found a schema of several columns");
      }
      return {system, schema.fields.front()};
    } catch (const Error& error) {
      errors.push_back(error);
    }
  }
  no_type(request, option, order, errors);
}

hub::Metadata without_type(const hub::Metadata& metadata) {
  hub::Metadata out;
  for (const auto& [key, value] : metadata) {
    if (key == hub::kExtensionName || key == hub::kExtensionMetadata) continue;
    // With a dot it is a label. The others describe the former type.
    const bool describes = hub::is_annotation_key(key) && key.find('.') == std::string::npos;
    if (!describes) out.append(key, value);
  }
  return out;
}

std::vector<std::string> names_of_columns(const std::vector<Field>& columns) {
  std::vector<std::string> out;
  for (const Field& column : columns) out.push_back(Path::column(column.name).text());
  return out;
}

hub::Schema with_casts(System source, System target, hub::Schema schema,
                       const std::vector<CastOption>& requested, Casts* casts,
                       const std::vector<Field>* columns) {
  if (requested.empty()) return schema;
  Walk::Types types;
  Walk::Paths stored;
  for (CastOption cast : requested) {
    const bool is_stored = cast.type.starts_with(hub::kStoredWord);
    if (is_stored) cast.type.erase(0, hub::kStoredWord.size());
    const RequestedType type = read_type(cast, hub::Option::Cast, source, target);
    std::vector<Path> places = hub::paths_like(schema, cast.path, cast.pattern);
    if (places.empty() && cast.pattern) {
      throw Error(
          ErrorCode::Usage, fmt::format("no column matches {} to cast", cast.path.text()), {},
          column_hint(cast.path.text(), names_of_columns(columns ? *columns : schema.fields)));
    }
    if (places.empty()) places.push_back(cast.path);
    for (const Path& place : places) {
      if (is_stored) stored.insert(place.text());
      if (types.emplace(place.text(), type).second) continue;
      throw Error(ErrorCode::Usage, fmt::format("{} is cast twice", place.text()));
    }
  }
  Walk walk(source, std::move(types), std::move(stored), casts);
  const hub::Schema whole = schema;
  const std::vector<Path> paths = hub::paths_of_members(hub::struct_(whole.fields), Path());
  for (size_t i = 0; i < paths.size(); ++i) walk.put(schema.fields[i], paths[i]);
  walk.check(columns != nullptr ? *columns : whole.fields);
  std::ranges::move(order_lost(cut_order(whole, &schema)), std::back_inserter(casts->findings));
  return schema;
}

}  // namespace xwalk::crosswalk
