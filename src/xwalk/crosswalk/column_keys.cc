#include "xwalk/crosswalk/column_keys.h"

#include <algorithm>
#include <array>
#include <iterator>
#include <optional>
#include <span>
#include <utility>

#include <fmt/format.h>

#include "xwalk/base/error.h"
#include "xwalk/base/json.h"
#include "xwalk/base/text.h"
#include "xwalk/crosswalk/column_key_forms.h"
#include "xwalk/crosswalk/labels.h"
#include "xwalk/hub/children.h"
#include "xwalk/hub/kinds.h"
#include "xwalk/hub/ordered_dictionary.h"

namespace xwalk::crosswalk {
namespace {

using hub::Metadata;
using hub::Schema;

/// A key by which a tool describes columns.
struct ColumnKey {
  std::string_view key;
  /// Makes the key describe changed columns; null if its form is unknown.
  bool (*renew)(ColumnChange& change, KeyJson* key) = nullptr;
  /// Makes the key what two files say; null if they must say the same.
  bool (*combine)(KeyJson* key, const KeyJson& other, std::vector<std::string>* lost) = nullptr;
  /// How the value begins.
  std::string_view begins;
  /// Whether members can be left out of a column's type.
  bool cuts_members = false;
  /// Returns what the key says about values, which no other rows may get; null if it says nothing.
  KeyJson (*values)(const KeyJson& key) = nullptr;
};

/// The features that are more than a type: a number stands for the name of a label.
KeyJson labelled_features(const KeyJson& key) {
  KeyJson out = KeyJson::object();
  const KeyJson* features = features_of(key);
  if (features == nullptr) return out;
  for (const auto& [name, feature] : features->items()) {
    const bool is_plain = feature.is_object() && feature.value("_type", KeyJson()) == "Value";
    if (!is_plain) out[name] = feature;
  }
  return out;
}

/// What each tool writes, and the names that the key has. A plan writes xwalk's own
/// annotations itself.
constexpr auto kColumnKeys = std::to_array<ColumnKey>({
    // Arrow's writers: the schema of all columns. xwalk writes its own to Parquet.
    {"ARROW:schema"},
    // Avro: the record by which rows are read. The second key is of releases before 1.8.
    {"parquet.avro.schema", renew_fields, combine_fields},
    {"avro.schema", renew_fields, combine_fields},
    // GDAL: types and alternative names of columns.
    {"gdal:schema"},
    // GeoParquet, which geopandas, DuckDB, GDAL and Sedona write: columns of geometry.
    {"geo", renew_geo, combine_geo, {}, true},
    // Hugging Face: the features, with the names of labels.
    {"huggingface", renew_huggingface, combine_huggingface, {}, false, labelled_features},
    // Iceberg: columns with their ids.
    {"iceberg.schema", renew_fields, combine_fields},
    // pandas: names, types and the index.
    {"pandas", renew_pandas, combine_pandas, {}, true},
    // Protocol Buffers and Thrift: the message whose fields are the columns.
    {"parquet.proto.class"},
    {"parquet.proto.descriptor"},
    {"thrift.class"},
    {"thrift.descriptor"},
    // R: the classes and attributes of columns, in its form of text.
    {"r", nullptr, nullptr, "A\n"},
    // Spark: the schema by which the file is read.
    {"org.apache.spark.sql.parquet.row.metadata", renew_spark, combine_spark, {}, true},
});

/// Keys of a column by which a tool describes the values. Polars writes them: the categories of an
/// enum, which is read with nulls instead of other values, and of columns that share categories.
constexpr auto kValueKeys = std::to_array<std::string_view>(
    {"_PL_ENUM_VALUES", "_PL_ENUM_VALUES2", "_PL_CATEGORICAL", "_PL_CATEGORICAL2"});

/// Returns the keys of metadata that another tool or the user wrote, such as a unit.
std::vector<std::string> foreign_keys(const Metadata& metadata) {
  std::vector<std::string> out;
  for (Label& label : labels_in(metadata)) {
    if (label.kind == LabelKind::Metadata) out.push_back(std::move(label.name));
  }
  return out;
}

bool has_foreign_keys(const hub::Field& field) {
  return !foreign_keys(field.metadata).empty() || hub::is_ordered(field.type) ||
         std::ranges::any_of(field.type.children(), has_foreign_keys);
}

const ColumnKey* row_of(std::string_view key, std::string_view value) {
  const auto* found = std::ranges::find(kColumnKeys, key, &ColumnKey::key);
  return found == kColumnKeys.end() || !value.starts_with(found->begins) ? nullptr : found;
}

/// Parses the text of a key; null if it is not an object.
KeyJson parse_key(std::string_view text) {
  try {
    check_json_document(text, ErrorCode::Input);
  } catch (const Error&) {
    return nullptr;
  }
  KeyJson json = KeyJson::parse(text, nullptr, /*allow_exceptions=*/false);
  return json.is_object() ? json : KeyJson();
}

std::string text_of(const KeyJson& json) {
  return json.dump(-1, ' ', false, KeyJson::error_handler_t::replace);
}

/// Returns true if columns have the same names, types and order.
bool has_same_columns(const Schema& was, const Schema& is) {
  return std::ranges::equal(was.fields, is.fields, [](const auto& a, const auto& b) {
    return a.name == b.name && is_same_type(a, b);
  });
}

/// Changes the text of a key. Returns false if it cannot describe the columns.
bool renew(const ColumnKey& row, ColumnChange& change, bool same, std::string* text) {
  KeyJson json = row.renew == nullptr ? KeyJson() : parse_key(*text);
  if (!json.is_object()) return same;
  const KeyJson before = json;
  if (!row.renew(change, &json)) return false;
  if (json != before) *text = text_of(json);
  return true;
}

}  // namespace

bool is_column_key(std::string_view key, std::string_view value) {
  return row_of(key, value) != nullptr;
}

bool has_keys(const Schema& schema) {
  return !foreign_keys(schema.metadata).empty() ||
         std::ranges::any_of(schema.fields, has_foreign_keys);
}

bool has_column_keys(const Metadata& metadata) {
  return std::ranges::any_of(
      metadata, [](const auto& entry) { return is_column_key(entry.first, entry.second); });
}

Metadata without_column_keys(const Metadata& metadata) {
  Metadata out;
  for (const auto& [key, value] : metadata) {
    if (!is_column_key(key, value)) out.append(key, value);
  }
  return out;
}

bool describes_same_values(std::string_view key, std::string_view one, std::string_view other) {
  const ColumnKey* row = row_of(key, one);
  if (row == nullptr || row->values == nullptr) return true;
  return row->values(parse_key(one)) == row->values(parse_key(other));
}

StaleKey stale_key(std::string_view key, std::string why) {
  return {"metadata " + xwalk::quoted(key), std::move(why)};
}

RenewedKeys renewed_keys(const Schema& was, const Schema& is, const hub::Renames& renames) {
  RenewedKeys out;
  const hub::Type before = hub::struct_(was.fields);
  const hub::Type after = hub::struct_(is.fields);
  const bool same = has_same_columns(was, is);
  for (const auto& [key, value] : was.metadata) {
    const ColumnKey* row = row_of(key, value);
    if (row == nullptr) continue;
    ColumnChange change{ChangedMembers(before, after, Path(), renames), renames, {}};
    std::string text = value;
    if (!renew(*row, change, same, &text)) {
      out.stale.push_back(
          stale_key(key, fmt::format("{} describes columns that are changed, and is left out",
                                     xwalk::quoted(key))));
      continue;
    }
    out.kept.append(key, std::move(text));
    if (change.lost.empty()) continue;
    out.stale.push_back(stale_key(key, fmt::format("{} in {} no longer fits, and is left out",
                                                   join(change.lost, ", "), xwalk::quoted(key))));
  }
  return out;
}

Metadata renewed_metadata(const Schema& was, const Schema& is) {
  const Metadata kept = renewed_keys(was, is, {}).kept;
  Metadata out;
  for (const auto& [key, value] : was.metadata) {
    if (!is_column_key(key, value)) {
      out.append(key, value);
    } else if (const auto renewed = kept.find(key)) {
      out.append(key, std::string(*renewed));
    }
  }
  return out;
}

namespace {

/// The keys that differ, once each and quoted, as reports show them.
void add_once(std::string label, std::vector<std::string>* differing) {
  if (std::ranges::find(*differing, label) == differing->end()) {
    differing->push_back(std::move(label));
  }
}

/// `is_known` is whether the metadata of the second file is all that it has.
Metadata common_keys(const Metadata& first, const Metadata& second, bool is_known,
                     std::vector<std::string>* differing) {
  const std::vector<std::string> foreign = foreign_keys(first);
  const auto is_kept = [&](const std::string& key) {
    const bool is_time = key == kJulianTimes || key == kJulianInt96;
    return !is_known || is_time || std::ranges::find(foreign, key) == foreign.end();
  };
  Metadata out;
  for (const auto& [key, value] : first) {
    const ColumnKey* row = row_of(key, value);
    const auto other = second.find(key);
    if (other == value || (row == nullptr && is_kept(key))) {
      out.append(key, value);
      continue;
    }
    KeyJson mine =
        other && row != nullptr && row->combine != nullptr ? parse_key(value) : KeyJson();
    const KeyJson theirs = mine.is_object() ? parse_key(*other) : KeyJson();
    std::vector<std::string> lost;
    if (!theirs.is_object() || !row->combine(&mine, theirs, &lost)) {
      add_once(xwalk::quoted(key), differing);
      continue;
    }
    out.append(key, text_of(mine));
    for (const std::string& part : lost) {
      add_once(fmt::format("{} in {}", part, xwalk::quoted(key)), differing);
    }
  }
  for (const std::string& key : foreign_keys(second)) {
    if (first.find(key)) continue;
    const bool is_time = key == kJulianTimes || key == kJulianInt96;
    const std::string value(*second.find(key));
    if (!is_time) add_once(xwalk::quoted(key), differing);
    if (is_time && !value.empty()) out.append(key, value);
  }
  return out;
}

/// Which keys of columns are compared.
enum class Compared : uint8_t {
  Values,      ///< those by which a tool describes values
  Everything,  ///< also units and other texts
};

/// Returns a field of the first of two files with those keys that describe the values of both. A
/// null `second` is unknown. Nulls need no description.
hub::Field common_keys(hub::Field field, const hub::Field* second, const Path& path, Compared which,
                       std::vector<std::string>* differing) {
  using hub::Kind;
  if (second != nullptr && (second->type.kind() == Kind::Null || field == *second)) return field;
  std::vector<std::string> keys(kValueKeys.begin(), kValueKeys.end());
  if (which == Compared::Everything && second != nullptr) {
    keys = foreign_keys(field.metadata);
    std::ranges::move(foreign_keys(second->metadata), std::back_inserter(keys));
  }
  // Values of another enum are in another order.
  bool has_other_order = second != nullptr && !hub::is_ordered(second->type);
  for (const std::string& key : keys) {
    const auto other = second == nullptr ? std::nullopt : second->metadata.find(key);
    if (field.metadata.find(key) == other) continue;
    add_once(fmt::format("{} of {}", xwalk::quoted(key), path.text()), differing);
    field.metadata.erase(key);
    has_other_order = has_other_order || std::ranges::find(kValueKeys, key) != kValueKeys.end();
  }
  if (which == Compared::Everything && has_other_order && hub::is_ordered(field.type)) {
    add_once("the order of " + path.text(), differing);
    field.type = hub::without_order(field.type);
  }
  // The values below a dictionary have no keys of their own.
  const hub::Type& type = field.type;
  if (type.children().empty() || &hub::without_encoding(type) != &type) return field;
  const std::span<const hub::Field> others = second == nullptr
                                                 ? std::span<const hub::Field>()
                                                 : hub::without_encoding(second->type).children();
  std::vector<hub::Field> children(type.children().begin(), type.children().end());
  for (size_t i = 0; i < children.size(); ++i) {
    hub::Field& child = children[i];
    const bool is_named = type.kind() == Kind::Struct;
    const auto other = is_named
                           ? std::ranges::find(others, child.name, &hub::Field::name)
                           : others.begin() + static_cast<ptrdiff_t>(std::min(i, others.size()));
    const bool is_absent = other == others.end() && !others.empty();
    if (is_absent) continue;
    child = common_keys(child, other == others.end() ? nullptr : &*other,
                        is_named ? path.field(child.name) : path.item(), which, differing);
  }
  field.type = with_children(type, std::move(children));
  return field;
}

}  // namespace

namespace {

Schema common_columns(Schema there, const Schema& source, const hub::Renames& renames,
                      Compared which, std::vector<std::string>* differing) {
  const auto pairs =
      hub::pair_members(hub::struct_(source.fields), hub::struct_(there.fields), Path(), renames);
  for (size_t i = 0; i < pairs.size(); ++i) {
    if (!pairs[i]) continue;
    hub::Field& field = there.fields[*pairs[i]];
    const Path path = Path::column(field.name);
    field = common_keys(std::move(field), &source.fields[i], path, which, differing);
  }
  return there;
}

}  // namespace

Schema common_keys(Schema first, const Schema& second, std::vector<std::string>* differing) {
  const bool is_known = !second.fields.empty();
  first.metadata = common_keys(first.metadata, second.metadata, is_known, differing);
  if (is_known) {
    return common_columns(std::move(first), second, {}, Compared::Everything, differing);
  }
  for (hub::Field& field : first.fields) {
    const Path path = Path::column(field.name);
    field = common_keys(std::move(field), nullptr, path, Compared::Everything, differing);
  }
  return first;
}

Schema keys_of_values(Schema there, const Schema& source, const hub::Renames& renames,
                      std::vector<std::string>* differing) {
  return common_columns(std::move(there), source, renames, Compared::Values, differing);
}

hub::Findings differing_keys(const std::vector<std::string>& keys) {
  hub::Findings out;
  for (const std::string& key : keys) {
    out.push_back({.rule = "metadata.stale",
                   .lost = key + " describes the columns of the files differently, and is left "
                                 "out"});
  }
  return out;
}

namespace {

/// The key of a field's own metadata for the names of its labels, as a list in JSON.
constexpr std::string_view kLabelNames = "label names";

/// The same for the epoch of the coordinates of geometries, a year.
constexpr std::string_view kEpoch = "coordinate epoch";

void put_names(const KeyJson& names, hub::Field* field) {
  const hub::Kind kind = field->type.kind();
  const bool is_number = hub::is_integer(kind) || kind == hub::Kind::Double;
  if (is_number && names.is_array()) field->metadata.set(kLabelNames, text_of(names));
}

/// Changes the children of a type by `change`, which gets a copy of each.
template <typename Change>
void change_children(hub::Field* field, const Change& change) {
  std::vector<hub::Field> children(field->type.children().begin(), field->type.children().end());
  for (hub::Field& child : children) change(&child);
  if (!children.empty()) field->type = with_children(field->type, std::move(children));
}

/// Gives a field the names in its feature of Hugging Face. A sequence of a struct is a struct of
/// lists.
void put_feature(const KeyJson& feature, hub::Field* field) {
  const bool is_struct = field->type.kind() == hub::Kind::Struct;
  const bool is_list = hub::is_list(field->type.kind());
  if (feature.is_array()) {
    if (is_list && feature.size() == 1) {
      change_children(field, [&](hub::Field* item) { put_feature(feature[0], item); });
    }
    return;
  }
  if (!feature.is_object()) return;
  if (feature.value("_type", KeyJson()) == "ClassLabel") {
    return put_names(feature.value("names", KeyJson()), field);
  }
  const auto item = feature.find("feature");
  if (item != feature.end() && is_list) {
    return change_children(field, [&](hub::Field* child) { put_feature(*item, child); });
  }
  const KeyJson& members = item == feature.end() ? feature : *item;
  if (!is_struct || !members.is_object()) return;
  change_children(field, [&](hub::Field* member) {
    const auto known = members.find(member->name);
    if (known == members.end()) return;
    put_feature(item == feature.end() ? *known : KeyJson{{"feature", *known}}, member);
  });
}

/// Gives a field the values of a nominal attribute of Spark, whose numbers are 0.0, 1.0, ….
void put_attribute(const KeyJson& column, hub::Field* field) {
  if (!column.is_object()) return;
  const KeyJson metadata = column.value("metadata", KeyJson());
  const KeyJson attribute = metadata.is_object() ? metadata.value("ml_attr", KeyJson()) : KeyJson();
  if (attribute.is_object()) put_names(attribute.value("vals", KeyJson()), field);
}

/// Gives columns the epochs in a key of GeoParquet.
void put_epochs(const KeyJson& geo, std::vector<hub::Field>* columns) {
  const KeyJson described = geo.is_object() ? geo.value("columns", KeyJson()) : KeyJson();
  for (hub::Field& field : *columns) {
    if (!described.is_object() || !described.contains(field.name)) continue;
    const KeyJson& column = described[field.name];
    const KeyJson epoch = column.is_object() ? column.value("epoch", KeyJson()) : KeyJson();
    if (epoch.is_number()) field.metadata.set(kEpoch, fmt::format("{}", epoch.get<double>()));
  }
}

}  // namespace

Schema with_described_values(Schema schema) {
  if (const auto text = schema.metadata.find("geo")) {
    put_epochs(parse_key(*text), &schema.fields);
  }
  if (const auto text = schema.metadata.find("huggingface")) {
    const KeyJson key = parse_key(*text);
    const KeyJson* features = key.is_object() ? features_of(key) : nullptr;
    for (hub::Field& field : schema.fields) {
      if (features == nullptr || !features->contains(field.name)) continue;
      put_feature((*features)[field.name], &field);
    }
  }
  if (const auto text = schema.metadata.find("org.apache.spark.sql.parquet.row.metadata")) {
    const KeyJson key = parse_key(*text);
    const KeyJson columns = key.is_object() ? key.value("fields", KeyJson()) : KeyJson();
    for (const KeyJson& column : columns.is_array() ? columns : KeyJson::array()) {
      const KeyJson name = column.is_object() ? column.value("name", KeyJson()) : KeyJson();
      const auto field = std::ranges::find_if(
          schema.fields, [&](const hub::Field& one) { return name == one.name; });
      if (field != schema.fields.end()) put_attribute(column, &*field);
    }
  }
  return schema;
}

std::string coordinate_epoch(const hub::Field& field) {
  return std::string(field.metadata.find(kEpoch).value_or(""));
}

std::vector<std::string> label_names(const hub::Field& field) {
  const auto text = field.metadata.find(kLabelNames);
  if (!text) return {};
  std::vector<std::string> out;
  for (const KeyJson& name : KeyJson::parse(*text, nullptr, /*allow_exceptions=*/false)) {
    out.push_back(name.is_string() ? name.get<std::string>() : text_of(name));
  }
  return out;
}

hub::Field without_value_keys(hub::Field field) {
  std::vector<std::string> dropped;
  return common_keys(std::move(field), nullptr, Path(), Compared::Values, &dropped);
}

Metadata keys_of_some(const Metadata& metadata, bool cuts_members,
                      std::vector<std::string>* stale) {
  Metadata out;
  for (const auto& [key, value] : metadata) {
    const ColumnKey* row = row_of(key, value);
    const bool is_cut = row != nullptr && row->renew != nullptr && parse_key(value).is_object() &&
                        (row->cuts_members || !cuts_members);
    if (row == nullptr || is_cut) {
      out.append(key, value);
    } else {
      stale->push_back(xwalk::quoted(key));
    }
  }
  return out;
}

}  // namespace xwalk::crosswalk
