#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "xwalk/iceberg/kinds.h"

namespace xwalk::iceberg {

struct Field;

/// A type: a value. Members are valid for the kinds that their comment names.
struct Type {
  Kind kind = Kind::Unknown;
  int precision = 0;      ///< Decimal: 1 to 38
  int scale = 0;          ///< Decimal: 0 to the precision
  int32_t length = 0;     ///< Fixed: bytes
  std::string crs;        ///< Geometry, Geography: "" for the default, OGC:CRS84
  std::string algorithm;  ///< Geography: "" for the default, spherical
  /// Struct: the fields. List: the element. Map: the key and the value.
  std::vector<Field> children;

  friend bool operator==(const Type& a, const Type& b);
};

/// A field of a struct, the element of a list, the key or the value of a map.
struct Field {
  /// 0 for one that has none yet.
  int32_t id = 0;
  std::string name;
  bool required = false;
  Type type;
  std::optional<std::string> doc;
  /// What rows have that were written before the field was there, and rows whose writer leaves it
  /// out: JSON.
  std::optional<std::string> initial_default;
  std::optional<std::string> write_default;

  friend bool operator==(const Field&, const Field&) = default;
};

/// The names that the elements of lists and maps go by.
inline constexpr std::string_view kElement = "element";
inline constexpr std::string_view kKey = "key";
inline constexpr std::string_view kValue = "value";

struct Schema {
  std::optional<int32_t> schema_id;
  /// Ids of the columns that together tell rows apart.
  std::vector<int32_t> identifier_field_ids;
  std::vector<Field> fields;
  /// The highest id that the table ever gave; 0 where nothing says it.
  int32_t last_column_id = 0;
  /// The version of the table format; 0 where nothing says it.
  int32_t format_version = 0;
  /// The partition spec, the sort order and the names of the properties that a table's metadata
  /// has, by name. They are never written.
  std::vector<std::pair<std::string, std::string>> table = {};
  /// Ids of the fields that the table is partitioned or sorted by.
  std::vector<int32_t> source_ids = {};

  /// The last id, the version and the rest of a table's metadata are the table's.
  friend bool operator==(const Schema& a, const Schema& b) {
    return a.schema_id == b.schema_id && a.identifier_field_ids == b.identifier_field_ids &&
           a.fields == b.fields;
  }
};

/// Returns the highest id that is or was given.
int32_t last_id(const Schema& schema);

/// The highest id that a field may have; those above are reserved for metadata columns.
inline constexpr int32_t kLastFieldId = 2147483447;

/// Gives an id to every field that has none, from `last_id` on, as new tables number theirs: all
/// fields of a struct before their children. After `kLastFieldId` come ids that no field has,
/// unless the table says which it gave: then it throws Error (Unsupported).
void assign_ids(Schema* schema);

/// Returns whether values of a column may be read as another type without rewriting its files
/// (specification, "Schema Evolution"), as the first version of the table format that allows it; 0
/// if they may not. Children are not compared.
int promotes_since(const Type& from, const Type& to);

}  // namespace xwalk::iceberg
