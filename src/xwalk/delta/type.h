#pragma once

#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "xwalk/delta/kinds.h"

namespace xwalk::delta {

struct Field;

/// A type: a value. Members are valid for the kinds that their comment names.
struct Type {
  Kind kind = Kind::Void;
  int precision = 0;  ///< Decimal: 1 to 38
  int scale = 0;      ///< Decimal: 0 to the precision
  /// Struct: the fields. Array: the element. Map: the key and the value.
  std::vector<Field> children;

  friend bool operator==(const Type& a, const Type& b);
};

/// A field of a struct, the element of an array, the key or the value of a map.
struct Field {
  std::string name;
  bool nullable = true;
  Type type;
  /// What its metadata has, sorted by key: JSON. Elements, keys and values have none.
  std::vector<std::pair<std::string, std::string>> metadata;

  friend bool operator==(const Field&, const Field&) = default;
};

/// The names that the elements of arrays and the parts of maps go by.
inline constexpr std::string_view kElement = "element";
inline constexpr std::string_view kKey = "key";
inline constexpr std::string_view kValue = "value";

/// Keys of metadata: the description of a column, and what tells its data apart when it is renamed
/// ("Column Mapping").
inline constexpr std::string_view kComment = "comment";
inline constexpr std::string_view kMappingId = "delta.columnMapping.id";
inline constexpr std::string_view kPhysicalName = "delta.columnMapping.physicalName";

struct Schema {
  std::vector<Field> fields;
  /// The columns that the table is partitioned by and the names of its properties, by name, if the
  /// schema is of a table's metadata. They are never written.
  std::vector<std::pair<std::string, std::string>> table = {};

  /// The rest of a table's metadata is the table's.
  friend bool operator==(const Schema& a, const Schema& b) { return a.fields == b.fields; }
};

/// Returns the JSON of a key of a field's metadata; null if it has none.
const std::string* metadata_of(const Field& field, std::string_view key);

}  // namespace xwalk::delta
