#include "xwalk/crosswalk/column_key_forms.h"

#include <algorithm>
#include <array>
#include <initializer_list>
#include <set>
#include <utility>

#include <fmt/format.h>

#include "xwalk/base/text.h"
#include "xwalk/crosswalk/layer.h"
#include "xwalk/hub/children.h"
#include "xwalk/hub/geospatial.h"
#include "xwalk/hub/kinds.h"

namespace xwalk::crosswalk {
namespace {

using hub::Field;
using hub::Kind;
using hub::Renames;
using hub::Type;
using Json = KeyJson;

/// The types of Spark for types without parameters, as it reads them from Parquet.
constexpr auto kSparkTypes = std::to_array<std::pair<Kind, std::string_view>>({
    {Kind::Bool, "boolean"},
    {Kind::Int8, "byte"},
    {Kind::Int16, "short"},
    {Kind::Int32, "integer"},
    {Kind::Int64, "long"},
    {Kind::Uint8, "short"},
    {Kind::Uint16, "integer"},
    {Kind::Uint32, "long"},
    {Kind::Uint64, "decimal(20,0)"},
    {Kind::Float, "float"},
    {Kind::Double, "double"},
    {Kind::Utf8, "string"},
    {Kind::Binary, "binary"},
    {Kind::Date32, "date"},
});

constexpr int kSparkDigits = 38;

Json spark_type(const Field& field);

Json spark_field(const Field& field) {
  return {{"name", field.name},
          {"type", spark_type(field)},
          {"nullable", field.nullable},
          {"metadata", Json::object()}};
}

Json spark_type_with_children(const Type& type) {
  if (type.kind() == Kind::Struct) {
    Json fields = Json::array();
    for (const Field& member : type.children()) {
      fields.push_back(spark_field(member));
      if (fields.back()["type"].is_null()) return nullptr;
    }
    return {{"type", "struct"}, {"fields", std::move(fields)}};
  }
  if (type.kind() == Kind::Map) {
    Json key = spark_type(type.key());
    Json value = spark_type(type.value());
    if (key.is_null() || value.is_null()) return nullptr;
    return {{"type", "map"},
            {"keyType", std::move(key)},
            {"valueType", std::move(value)},
            {"valueContainsNull", type.value().nullable}};
  }
  if (!hub::is_list(type.kind())) return nullptr;
  Json item = spark_type(type.child());
  if (item.is_null()) return nullptr;
  return {
      {"type", "array"}, {"elementType", std::move(item)}, {"containsNull", type.child().nullable}};
}

/// Returns the type that Spark reads a column of Parquet as; null if it reads none.
Json spark_type(const Field& field) {
  if (!field.extension_name().empty()) return nullptr;
  const Type& type = hub::without_encoding(field.type);
  if (!type.children().empty()) return spark_type_with_children(type);
  if (hub::is_decimal(type.kind())) {
    const bool fits =
        type.precision() <= kSparkDigits && type.scale() >= 0 && type.scale() <= type.precision();
    return fits ? Json(fmt::format("decimal({},{})", type.precision(), type.scale())) : Json();
  }
  if (type.kind() == Kind::Timestamp) {
    const bool fits = type.unit() == hub::TimeUnit::Milli || type.unit() == hub::TimeUnit::Micro;
    return !fits ? Json() : type.zone().empty() ? Json("timestamp_ntz") : Json("timestamp");
  }
  const Kind kind = without_layout(type).kind();
  const auto* known =
      std::ranges::find(kSparkTypes, kind, &std::pair<Kind, std::string_view>::first);
  return known == kSparkTypes.end() ? Json() : Json(known->second);
}

/// Returns the item of a list of objects that has a name; null if no item has it.
const Json* named_item(const Json& list, std::string_view name) {
  if (!list.is_array()) return nullptr;
  const auto found = std::ranges::find_if(list, [&](const Json& item) {
    return item.is_object() && item.value("name", Json()) == name;
  });
  return found == list.end() ? nullptr : &*found;
}

bool renew_spark_members(const ChangedMembers& members, const Renames& renames, Json* type);

/// Changes the type of a column or member. Only structs have names that may have changed.
bool renew_spark_type(const Field& was, const Field& is, const Path& path, const Renames& renames,
                      Json* type) {
  const Type& before = hub::without_encoding(was.type);
  const Type& after = hub::without_encoding(is.type);
  // A struct may have fewer members than the key says, if only some were selected.
  const bool is_struct = before.kind() == Kind::Struct && after.kind() == Kind::Struct;
  if (is_struct && type->is_object() && type->value("type", Json()) == "struct") {
    return renew_spark_members(ChangedMembers(before, after, path, renames), renames, type);
  }
  const bool is_list = hub::is_list(before.kind()) && hub::is_list(after.kind());
  if (is_list && type->is_object() && type->contains("elementType")) {
    return renew_spark_type(before.child(), after.child(), path.item(), renames,
                            &(*type)["elementType"]);
  }
  if (is_same_type(was, is)) return true;
  *type = spark_type(is);
  return !type->is_null();
}

bool renew_spark_members(const ChangedMembers& members, const Renames& renames, Json* type) {
  // What Spark notes of a type that a string or a number stands for.
  constexpr std::array<const char*, 2> kOfType = {"__CHAR_VARCHAR_TYPE_STRING", "ml_attr"};
  if (!type->contains("fields")) return false;
  Json fields = Json::array();
  for (const auto& [was, is, path] : members.all()) {
    const Json* known = was == nullptr ? nullptr : named_item((*type)["fields"], was->name);
    Json entry = known == nullptr ? spark_field(*is) : *known;
    if (!entry.contains("type")) return false;
    entry["name"] = is->name;
    if (known != nullptr && !renew_spark_type(*was, *is, path, renames, &entry["type"])) {
      return false;
    }
    if (known != nullptr && entry["type"] != (*known)["type"] && entry.contains("metadata") &&
        entry["metadata"].is_object()) {
      for (const char* name : kOfType) entry["metadata"].erase(name);
    }
    if (entry["type"].is_null()) return false;
    fields.push_back(std::move(entry));
  }
  (*type)["fields"] = std::move(fields);
  return true;
}

/// Adds the names that a type of Avro defines, or the texts by which it may refer to one.
void add_texts(const Json& type, bool defined, std::set<std::string>* out) {
  if (type.is_string() && !defined) out->insert(type.get<std::string>());
  if (type.is_object() && defined && type.value("name", Json()).is_string() &&
      type.contains("type") && type["type"].is_string()) {
    const std::string kind = type["type"];
    if (kind == "record" || kind == "enum" || kind == "fixed") {
      out->insert(type["name"].get<std::string>());
    }
  }
  if (!type.is_structured()) return;
  for (const Json& below : type) add_texts(below, defined, out);
}

/// Returns true if a type that a dropped field defines is used by one that stays.
bool loses_definition(const Json& before, const Json& after) {
  std::set<std::string> dropped;
  std::set<std::string> used;
  for (const Json& field : before) {
    if (std::ranges::find(after, field) == after.end()) add_texts(field, true, &dropped);
  }
  for (const Json& field : after) add_texts(field, false, &used);
  return std::ranges::any_of(dropped, [&](const std::string& name) {
    return std::ranges::any_of(used, [&](const std::string& text) {
      return text == name || text.ends_with("." + name) || name.ends_with("." + text);
    });
  });
}

/// Returns true for what Avro allows as a name.
bool is_avro_name(std::string_view name) {
  const auto fits = [](char c) { return is_ascii_alnum(c) || c == '_'; };
  return !name.empty() && !is_ascii_digit(name.front()) && std::ranges::all_of(name, fits);
}

/// Returns an object with the entries of columns under the names that they have after a change.
/// `renew` returns false for an entry to leave out.
template <typename Renew>
Json renewed_object(const ColumnChange& change, const Json& object, const Renew& renew) {
  Json out = Json::object();
  for (const auto& [name, entry] : object.items()) {
    const ChangedMembers::Member* column = change.columns.of(name);
    if (column == nullptr) continue;
    Json renewed = entry;
    if (renew(*column, &renewed)) out[column->is->name] = std::move(renewed);
  }
  return out;
}

/// Returns true if a data frame of pandas has columns named by text.
bool has_text_names(const Json& key) {
  const auto indexes = key.find("column_indexes");
  if (indexes == key.end() || !indexes->is_array() || indexes->size() != 1) return false;
  const Json& index = indexes->front();
  if (!index.is_object()) return false;
  const Json type = index.value("pandas_type", Json());
  return type == "unicode" || type == "string" || type == "empty";
}

/// Returns the name by which an entry of a column of pandas is found in the file.
Json field_name_of(const Json& entry) {
  if (!entry.is_object()) return {};
  const Json name = entry.value("field_name", Json());
  return name.is_string() ? name : entry.value("name", Json());
}

/// Changes the paths that stand for the corners of boxes. Returns false if a column is gone, or the
/// covering would not be one of GeoParquet: a corner is a member of its name, a float or a double.
bool renew_covering(const ColumnChange& change, Json* covering) {
  std::set<Kind> kinds;
  for (Json& corners : *covering) {
    if (!corners.is_object()) return false;
    for (auto& [corner, names] : corners.items()) {
      if (!names.is_array() || names.empty() || !names.front().is_string()) return false;
      const auto* at = change.columns.of(names.front().get<std::string>());
      if (at == nullptr) return false;
      names.front() = at->is->name;
      const Field* was = at->was;
      const Field* is = at->is;
      Path path = at->path;
      for (size_t i = 1; i < names.size(); ++i) {
        const Type& before = hub::without_encoding(was->type);
        const Type& after = hub::without_encoding(is->type);
        if (!names[i].is_string() || before.kind() != Kind::Struct ||
            after.kind() != Kind::Struct) {
          return false;
        }
        const ChangedMembers members(before, after, path, change.renames);
        const auto* member = members.of(names[i].get<std::string>());
        if (member == nullptr) return false;
        if (names[i] != member->is->name && member->is->name != corner) return false;
        names[i] = member->is->name;
        was = member->was;
        is = member->is;
        path = member->path;
      }
      if (!is_same_type(*was, *is) && is->type.kind() != Kind::Float &&
          is->type.kind() != Kind::Double) {
        return false;
      }
      kinds.insert(is->type.kind());
    }
  }
  return kinds.size() == 1;
}

bool is_same(const Json& a, const Json& b) { return nlohmann::json(a) == nlohmann::json(b); }

/// Returns true if a member is the same in two objects, or in none of them.
bool has_same(const Json& a, const Json& b, const char* name) {
  return is_same(a.value(name, Json()), b.value(name, Json()));
}

/// Leaves out the members that differ, but those of the first that `own` lists. `lost` gets their
/// names, with `of` after each.
void keep_common(Json* key, const Json& other, std::initializer_list<std::string_view> own,
                 const std::string& of, std::vector<std::string>* lost) {
  const auto is_own = [&](const std::string& name) {
    return std::ranges::find(own, name) != own.end();
  };
  Json kept = Json::object();
  for (const auto& [name, value] : key->items()) {
    if (is_own(name) || (other.contains(name) && is_same(value, other[name]))) {
      kept[name] = value;
    } else {
      lost->push_back(xwalk::quoted(name) + of);
    }
  }
  for (const auto& [name, value] : other.items()) {
    if (!is_own(name) && !key->contains(name)) lost->push_back(xwalk::quoted(name) + of);
  }
  *key = std::move(kept);
}

/// Makes a flag of a type of Spark true if it is in one of two files.
void keep_either(Json* type, const Json& other, const char* flag) {
  if (other.value(flag, Json()) == true) (*type)[flag] = true;
}

bool combine_spark_fields(Json* type, const Json& other, std::vector<std::string>* lost);

bool combine_spark_type(Json* type, const Json& other, std::vector<std::string>* lost) {
  if (is_same(*type, other)) return true;
  if (!type->is_object() || !other.is_object() || !has_same(*type, other, "type")) return false;
  if ((*type)["type"] == "struct") return combine_spark_fields(type, other, lost);
  const auto combine = [&](const char* part, const char* flag) {
    if (!type->contains(part) || !other.contains(part)) return false;
    if (flag != nullptr) keep_either(type, other, flag);
    return combine_spark_type(&(*type)[part], other[part], lost);
  };
  if ((*type)["type"] == "array") return combine("elementType", "containsNull");
  return (*type)["type"] == "map" && combine("keyType", nullptr) &&
         combine("valueType", "valueContainsNull");
}

bool combine_spark_fields(Json* type, const Json& other, std::vector<std::string>* lost) {
  if (!(*type)["fields"].is_array() || !other.contains("fields")) return false;
  size_t found = 0;
  for (Json& field : (*type)["fields"]) {
    if (!field.is_object() || !field.value("name", Json()).is_string()) return false;
    const std::string name = field["name"];
    const Json* there = named_item(other["fields"], name);
    if (there == nullptr) {
      field["nullable"] = true;
      continue;
    }
    ++found;
    if (!field.contains("type") || !there->contains("type") ||
        !combine_spark_type(&field["type"], (*there)["type"], lost)) {
      return false;
    }
    keep_either(&field, *there, "nullable");
    const Json theirs = there->value("metadata", Json::object());
    if (field.contains("metadata") && field["metadata"].is_object() && theirs.is_object()) {
      keep_common(&field["metadata"], theirs, {}, " of " + xwalk::quoted(name), lost);
    }
  }
  return found == other["fields"].size();
}

}  // namespace

ChangedMembers::ChangedMembers(const Type& was, const Type& is, const Path& path,
                               const Renames& renames) {
  const std::vector<Path> paths = hub::paths_of_members(was, path);
  for (const Field& field : is.children()) members_.push_back({nullptr, &field, Path()});
  const auto pairs = hub::pair_members(was, is, path, renames);
  for (size_t i = 0; i < pairs.size(); ++i) {
    if (!pairs[i]) continue;
    Member& member = members_[*pairs[i]];
    member.was = &was.children()[i];
    member.path = paths[i];
  }
}

const ChangedMembers::Member* ChangedMembers::of(std::string_view name) const {
  const auto found = std::ranges::find_if(members_, [&](const Member& member) {
    return member.was != nullptr && member.was->name == name;
  });
  return found == members_.end() ? nullptr : &*found;
}

bool is_same_type(const Field& was, const Field& is) {
  const bool same_extension =
      was.extension_name() == is.extension_name() &&
      (was.extension_metadata() == is.extension_metadata() || hub::same_geospatial(was, is));
  if (!same_extension) return false;
  const Type& before = hub::without_encoding(was.type);
  const Type& after = hub::without_encoding(is.type);
  return own_layer(without_layout(before)) == own_layer(without_layout(after)) &&
         std::ranges::equal(before.children(), after.children(), is_same_type);
}

bool renew_spark(ColumnChange& change, Json* key) {
  return renew_spark_members(change.columns, change.renames, key);
}

bool renew_fields(ColumnChange& change, Json* key) {
  if (!key->contains("fields")) return false;
  const bool is_avro = key->value("type", Json()) == "record";
  const Json before = (*key)["fields"];
  Json fields = Json::array();
  Json kept = Json::array();
  for (const auto& [was, is, path] : change.columns.all()) {
    const Json* known = was == nullptr ? nullptr : named_item(before, was->name);
    if (known == nullptr || !is_same_type(*was, *is)) return false;
    if (is_avro && was->name != is->name && !is_avro_name(is->name)) return false;
    kept.push_back(*known);
    fields.push_back(*known);
    fields.back()["name"] = is->name;
  }
  if (is_avro && loses_definition(before, kept)) return false;
  const auto identifiers = key->find("identifier-field-ids");
  if (identifiers != key->end() && kept.size() < before.size()) key->erase("identifier-field-ids");
  (*key)["fields"] = std::move(fields);
  return true;
}

bool renew_pandas(ColumnChange& change, Json* key) {
  const auto columns = key->find("columns");
  const auto index = key->find("index_columns");
  if (columns == key->end() || !columns->is_array()) return false;
  if (index == key->end() || !index->is_array()) return false;
  const Json& indexed = *index;
  Json kept_index = Json::array();
  for (const Json& level : indexed) {
    if (!level.is_string()) {
      kept_index.push_back(level);  // A range has no column.
    } else if (const auto* column = change.columns.of(level.get<std::string>())) {
      kept_index.push_back(column->is->name);
    }
  }
  Json kept = Json::array();
  const bool text_names = has_text_names(*key);
  for (const Json& known : *columns) {
    const Json name = field_name_of(known);
    if (!name.is_string()) return false;
    const auto* column = change.columns.of(name.get<std::string>());
    if (column == nullptr) continue;
    Json entry = known;
    const bool is_index = std::ranges::find(indexed, name) != indexed.end();
    if (column->was->name != column->is->name) {
      if (!text_names && !is_index) return false;
      entry["name"] = column->is->name;
      entry["field_name"] = column->is->name;
    }
    if (!is_same_type(*column->was, *column->is)) {
      // pandas takes the type of the column then. An index must have an entry.
      if (!is_index) continue;
      entry["pandas_type"] = entry["numpy_type"] = "object";
      entry["metadata"] = nullptr;
    }
    kept.push_back(std::move(entry));
  }
  // A column without an entry has a name of text.
  if (!text_names && kept.size() < change.columns.all().size()) return false;
  (*key)["index_columns"] = std::move(kept_index);
  (*key)["columns"] = std::move(kept);
  return true;
}

const KeyJson* features_of(const KeyJson& key) {
  const auto info = key.find("info");
  if (info == key.end() || !info->is_object()) return nullptr;
  const auto features = info->find("features");
  return features == info->end() || !features->is_object() ? nullptr : &*features;
}

bool renew_huggingface(ColumnChange& change, Json* key) {
  const KeyJson* features = features_of(*key);
  if (features == nullptr) return false;
  (*key)["info"]["features"] =
      renewed_object(change, *features, [&](const ChangedMembers::Member& column, Json* feature) {
        if (is_same_type(*column.was, *column.is)) return true;
        // The type of a column that has no entry is that of its values.
        if (!feature->is_object() || feature->value("_type", Json()) != "Value") {
          change.lost.push_back("the feature of " + xwalk::quoted(column.was->name));
        }
        return false;
      });
  return true;
}

bool renew_geo(ColumnChange& change, Json* key) {
  const auto columns = key->find("columns");
  if (columns == key->end() || !columns->is_object()) return false;
  Json renewed =
      renewed_object(change, *columns, [&](const ChangedMembers::Member& column, Json* entry) {
        if (!is_same_type(*column.was, *column.is)) {
          change.lost.push_back("the description of " + xwalk::quoted(column.was->name));
          return false;
        }
        if (entry->is_object() && entry->contains("covering") &&
            !renew_covering(change, &(*entry)["covering"])) {
          entry->erase("covering");
          change.lost.push_back("the covering of " + xwalk::quoted(column.was->name));
        }
        return true;
      });
  if (renewed.empty()) return false;
  const Json primary = key->value("primary_column", Json());
  const auto* column =
      primary.is_string() ? change.columns.of(primary.get<std::string>()) : nullptr;
  const bool stays = column != nullptr && renewed.contains(column->is->name);
  (*key)["primary_column"] = stays ? column->is->name : renewed.begin().key();
  (*key)["columns"] = std::move(renewed);
  return true;
}

bool combine_spark(Json* key, const Json& other, std::vector<std::string>* lost) {
  return combine_spark_type(key, other, lost);
}

bool combine_fields(Json* key, const Json& other, std::vector<std::string>* lost) {
  for (const char* part : {"type", "name", "namespace", "fields"}) {
    if (!has_same(*key, other, part)) return false;
  }
  keep_common(key, other, {"schema-id"}, "", lost);
  return true;
}

bool combine_pandas(Json* key, const Json& other, std::vector<std::string>* lost) {
  const auto levels = [](const Json& json) {
    Json out = json.value("index_columns", Json::array());
    if (!out.is_array()) return out;
    const auto is_range = [](const Json& level) { return !level.is_string(); };
    out.erase(std::remove_if(out.begin(), out.end(), is_range), out.end());
    return out;
  };
  const Json index = levels(*key);
  const auto columns = key->find("columns");
  const auto others = other.find("columns");
  if (columns == key->end() || !columns->is_array() || others == other.end() ||
      !others->is_array() || index != levels(other) || !has_same(*key, other, "column_indexes")) {
    return false;
  }
  Json kept = Json::array();
  for (const Json& entry : *columns) {
    const Json name = field_name_of(entry);
    if (!name.is_string()) return false;
    const auto there = std::ranges::find(*others, name, field_name_of);
    if (there != others->end() && is_same(entry, *there)) {
      kept.push_back(entry);
      continue;
    }
    // An index must have an entry, and so has a column whose name is not text.
    if (!has_text_names(*key) || std::ranges::find(index, name) != index.end()) return false;
    lost->push_back(xwalk::quoted(name.get<std::string>()));
  }
  (*key)["columns"] = std::move(kept);
  (*key)["index_columns"] = index;
  keep_common(key, other, {"columns", "index_columns", "creator", "pandas_version"}, "", lost);
  return true;
}

bool combine_huggingface(Json* key, const Json& other, std::vector<std::string>* lost) {
  const KeyJson* features = features_of(*key);
  const KeyJson* others = features_of(other);
  if (features == nullptr || others == nullptr) return false;
  const auto is_plain = [](const Json& feature) {
    return feature.is_object() && feature.value("_type", Json()) == "Value";
  };
  Json kept = Json::object();
  for (const auto& [name, feature] : features->items()) {
    if (others->contains(name) && is_same(feature, (*others)[name])) {
      kept[name] = feature;
    } else if (!is_plain(feature)) {
      // The type of a column without an entry is that of its values.
      lost->push_back("the feature of " + xwalk::quoted(name));
    }
  }
  (*key)["info"]["features"] = std::move(kept);
  keep_common(&(*key)["info"], other["info"], {"features"}, "", lost);
  key->erase("fingerprint");
  keep_common(key, other, {"info", "fingerprint"}, "", lost);
  return true;
}

bool combine_geo(Json* key, const Json& other, std::vector<std::string>* lost) {
  const auto columns = key->find("columns");
  const auto others = other.find("columns");
  if (columns == key->end() || !columns->is_object() || others == other.end() ||
      !others->is_object()) {
    return false;
  }
  Json kept = Json::object();
  for (const auto& [name, column] : columns->items()) {
    const Json there = others->value(name, Json());
    // The columns have one CRS, however it is spelled.
    const auto no_crs = [](const Json& one) { return one.contains("crs") && one["crs"].is_null(); };
    if (!column.is_object() || !there.is_object() || !has_same(column, there, "encoding") ||
        no_crs(column) != no_crs(there)) {
      lost->push_back("the description of " + xwalk::quoted(name));
      continue;
    }
    const bool same_edges =
        column.value("edges", Json("planar")) == there.value("edges", Json("planar"));
    Json entry = column;
    entry.erase("bbox");
    if (entry.contains("geometry_types")) entry["geometry_types"] = Json::array();
    keep_common(&entry, there, {"crs", "bbox", "geometry_types", same_edges ? "edges" : ""},
                " of " + xwalk::quoted(name), lost);
    kept[name] = std::move(entry);
  }
  for (const auto& [name, column] : others->items()) {
    if (!columns->contains(name)) lost->push_back("the description of " + xwalk::quoted(name));
  }
  if (kept.empty()) return false;
  const Json primary = key->value("primary_column", Json());
  if (!primary.is_string() || !kept.contains(primary.get<std::string>())) {
    (*key)["primary_column"] = kept.begin().key();
  }
  (*key)["columns"] = std::move(kept);
  keep_common(key, other, {"columns", "primary_column", "version", "creator"}, "", lost);
  return true;
}

}  // namespace xwalk::crosswalk
