#include "xwalk/crosswalk/column_keys.h"

#include <algorithm>
#include <array>
#include <optional>
#include <span>
#include <utility>

#include <fmt/format.h>

#include "xwalk/base/error.h"
#include "xwalk/base/json.h"
#include "xwalk/base/text.h"
#include "xwalk/crosswalk/column_key_forms.h"
#include "xwalk/hub/children.h"

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

bool is_value_key(std::string_view key) {
  return std::ranges::find(kValueKeys, key) != kValueKeys.end();
}

bool has_value_keys(const hub::Field& field) {
  return std::ranges::any_of(field.metadata,
                             [](const auto& entry) { return is_value_key(entry.first); }) ||
         std::ranges::any_of(field.type.children(), has_value_keys);
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
  return has_column_keys(schema.metadata) || std::ranges::any_of(schema.fields, has_value_keys);
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

Metadata common_keys(const Metadata& first, const Metadata& second,
                     std::vector<std::string>* differing) {
  Metadata out;
  for (const auto& [key, value] : first) {
    const ColumnKey* row = row_of(key, value);
    const auto other = second.find(key);
    if (row == nullptr || other == value) {
      out.append(key, value);
      continue;
    }
    KeyJson mine = other && row->combine != nullptr ? parse_key(value) : KeyJson();
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
  for (const auto& [key, value] : second) {
    if (first.find(key)) continue;
    if (is_column_key(key, value)) add_once(xwalk::quoted(key), differing);
    const bool is_unread = (key == kJulianTimes || key == kJulianInt96) && !value.empty();
    if (is_unread) out.append(key, value);
  }
  return out;
}

/// Returns a field of the first of two files with those keys that describe the values of both. A
/// null `second` is unknown. Nulls need no description.
hub::Field common_keys(hub::Field field, const hub::Field* second, const Path& path,
                       std::vector<std::string>* differing) {
  using hub::Kind;
  if (second != nullptr && (second->type.kind() == Kind::Null || field == *second)) return field;
  for (const std::string_view key : kValueKeys) {
    const auto other = second == nullptr ? std::nullopt : second->metadata.find(key);
    if (field.metadata.find(key) == other) continue;
    add_once(fmt::format("{} of {}", xwalk::quoted(key), path.text()), differing);
    field.metadata.erase(key);
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
                        is_named ? path.field(child.name) : path.item(), differing);
  }
  field.type = with_children(type, std::move(children));
  return field;
}

}  // namespace

Schema common_keys(Schema first, const Schema& second, std::vector<std::string>* differing) {
  first.metadata = common_keys(first.metadata, second.metadata, differing);
  if (!second.fields.empty()) return keys_of_values(std::move(first), second, {}, differing);
  for (hub::Field& field : first.fields) {
    const Path path = Path::column(field.name);
    field = common_keys(std::move(field), nullptr, path, differing);
  }
  return first;
}

Schema keys_of_values(Schema there, const Schema& source, const hub::Renames& renames,
                      std::vector<std::string>* differing) {
  const auto pairs =
      hub::pair_members(hub::struct_(source.fields), hub::struct_(there.fields), Path(), renames);
  for (size_t i = 0; i < pairs.size(); ++i) {
    if (!pairs[i]) continue;
    hub::Field& field = there.fields[*pairs[i]];
    const Path path = Path::column(field.name);
    field = common_keys(std::move(field), &source.fields[i], path, differing);
  }
  return there;
}

hub::Field without_value_keys(hub::Field field) {
  std::vector<std::string> dropped;
  return common_keys(std::move(field), nullptr, Path(), &dropped);
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
