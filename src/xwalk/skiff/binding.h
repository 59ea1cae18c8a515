#pragma once

#include <optional>
#include <string_view>
#include <vector>

#include "xwalk/base/path.h"
#include "xwalk/skiff/schema.h"
#include "xwalk/skiff/table.h"
#include "xwalk/skiff/type.h"
#include "xwalk/yt/schema.h"

namespace xwalk::skiff {

/// How one node of a skiff schema carries values of one logical type.
enum class Form : uint8_t {
  Nothing,  ///< no bytes, the value is null
  Boolean,
  Signed,    ///< int8 … int64
  Unsigned,  ///< uint8 … uint64
  Double,
  String,   ///< string32 of string, utf8, json, uuid and the types with a time zone
  Yson,     ///< yson32 of an arbitrary value
  YsonOf,   ///< yson32 of a value of a simple type or a decimal
  Uuid,     ///< uint128: the 16 bytes reversed
  Decimal,  ///< int32, int64, int128, int256
  Wide,     ///< 128 and 256 bits without a logical type: bytes as stored
  Zone,     ///< tuple<int;uint16> of a type with a time zone: the instant, the zone's number
  Optional,
  Present,  ///< a level of optional without bytes: the value is always there
  List,
  Dict,
  Tuple,  ///< of a struct or a tuple
  Variant,
};

/// Which way values go: `Read` is from Skiff, `Write` is to Skiff.
enum class Flow : uint8_t { Read, Write };

/// A skiff node matched with a logical type, and its children.
struct Binding {
  Form form = Form::Nothing;
  Type wire;
  /// The logical type, without tags at this level.
  yt::Type type;
  std::vector<Binding> children;
  /// Tuple: the member of the struct or tuple for each child, or -1 for a child of the skiff schema
  /// alone, which is an optional that is always absent.
  std::vector<int> members;
  /// Optional over a type that is not: an absent value is rejected.
  bool required = false;
  /// A value of the type `yson` (any) carried by a simple wire type; or a node without a logical
  /// type. It is not checked against one.
  bool any = false;
  /// A variant whose tag is that of the repeated variant around it.
  bool shares_tag = false;

  /// Returns true for an element of a tuple that has no bytes though it is more than null: it is
  /// not written, as `fit` tells.
  bool is_left_out() const;
};

/// A column of a table in Skiff.
struct BoundColumn {
  std::string name;
  /// The type of the column as its values are presented: that of the table schema, or what the
  /// wire type stands for.
  yt::Type type;
  Binding binding;
  Role role = Role::Dense;
  /// Tag among the sparse columns.
  uint16_t tag = 0;
  /// Whether the type admits null.
  bool nullable = true;
};

/// A table's skiff schema with the logical type of each column.
struct BoundTable {
  TableLayout layout;
  /// Dense columns in the order of the root, then the sparse ones by tag. `$other_columns` and the
  /// other special columns are not among them.
  std::vector<BoundColumn> columns;
  /// What `$other_columns` holds: the columns of the table schema without their own place and,
  /// unless that is strict, any others.
  yt::TableSchema others;
  /// Place among `columns` of each slot of the layout; -1 for special ones.
  std::vector<int> column_of_slot;
  size_t dense_columns = 0;
};

/// Matches a skiff node with a nested logical type, as the living system does: optional levels
/// exactly, lists, dicts, structs and tuples by their shape. Throws Error (Unsupported) with the
/// path for a pair that does not fit.
Binding bind_nested(const yt::Type& type, const Type& wire, Flow flow, const Path& path = {});

/// Matches a column: one optional level may be on one side only, and a sparse column needs none.
Binding bind_column(const yt::Type& type, const Type& wire, Flow flow, bool sparse,
                    const Path& path = {});

/// Returns what a node stands for without a table schema: `variant8<nothing;T>` is optional,
/// repeated variants are lists, 128 and 256 bits are strings of 16 and 32 bytes.
Binding bind_alone(const Type& wire);
yt::Type natural_type(const Type& wire);
/// Returns the columns of a table: its table schema, else those derived from its wire types, which
/// are not strict if there is `$other_columns`.
yt::TableSchema columns_of(const Schema& schema, size_t table);

/// Matches a whole table. A column that the table schema does not have counts as optional<yson>,
/// one that only the table schema has goes into `$other_columns`, if there is one; without a table
/// schema, columns stand for their wire types. Throws Error (Unsupported) with the
/// path for a column that does not fit.
BoundTable bind_table(const Type& root, const yt::TableSchema* schema, Flow flow);

/// Binds every table.
std::vector<BoundTable> bind(const Schema& schema, Flow flow);

/// Sets the contents of `$other_columns` of a table: the columns of `rows` without their own place.
/// A table without a table schema gets one, as strict as `rows`, with the types derived from its
/// wire types. Changes nothing if the table has no `$other_columns`, its table schema is strict, or
/// there are no other columns.
void describe_others(Schema* schema, size_t table, const yt::TableSchema& rows);

}  // namespace xwalk::skiff
