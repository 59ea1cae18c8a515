#include "xwalk/yt/row_spec.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <iterator>
#include <optional>
#include <set>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "xwalk/base/error.h"
#include "xwalk/base/text.h"
#include "xwalk/yson/print.h"
#include "xwalk/yt/short_notation.h"

namespace xwalk::yt {
namespace {

using yson::fail_at;
using yson::Node;

constexpr std::string_view kRowSpec = "_yql_row_spec";
constexpr std::string_view kSchema = "schema";

/// `NativeYtTypeFlags`: types that are stored as such, and not as what stands for them.
enum Flag : uint64_t {
  kComplex = 1 << 0,
  kDate = 1 << 1,
  kNull = 1 << 2,
  kVoid = 1 << 3,
  kFloat = 1 << 4,
  kJson = 1 << 5,
  kDecimal = 1 << 6,
  kBigDate = 1 << 7,
  kUuid = 1 << 8,
  kTzDate = 1 << 9,
  kBigTzDate = 1 << 10,
};
/// What the older flags `UseNativeYtTypes` and `UseTypeV2` mean.
constexpr uint64_t kLegacy = kComplex | kDate | kNull | kVoid;
constexpr uint64_t kAllFlags = 2 * uint64_t{kBigTzDate} - 1;

/// What of a row spec a schema says too.
constexpr std::array<std::string_view, 11> kSpecKeys = {
    "Type",          "TypePatch",         "StrictSchema",
    "UniqueKeys",    "NativeYtTypeFlags", "UseNativeYtTypes",
    "UseTypeV2",     "SortedBy",          "SortMembers",
    "SortedByTypes", "SortDirections"};

/// A YQL type. If the flag is set, YTsaurus has the same type; otherwise it is stored as another.
struct DataRow {
  std::string_view yql;
  TypeKind native;
  uint64_t flag = 0;
  TypeKind stored = native;
};

constexpr DataRow kData[] = {
    {"String", TypeKind::String},
    {"Utf8", TypeKind::Utf8},
    {"Int64", TypeKind::Int64},
    {"Int32", TypeKind::Int32},
    {"Int16", TypeKind::Int16},
    {"Int8", TypeKind::Int8},
    {"Uint64", TypeKind::Uint64},
    {"Uint32", TypeKind::Uint32},
    {"Uint16", TypeKind::Uint16},
    {"Uint8", TypeKind::Uint8},
    {"Double", TypeKind::Double},
    {"Bool", TypeKind::Bool},
    {"Yson", TypeKind::Yson},
    {"Float", TypeKind::Float, kFloat, TypeKind::Double},
    {"Json", TypeKind::Json, kJson, TypeKind::String},
    {"Uuid", TypeKind::Uuid, kUuid, TypeKind::String},
    {"Date", TypeKind::Date, kDate, TypeKind::Uint16},
    {"Datetime", TypeKind::Datetime, kDate, TypeKind::Uint32},
    {"Timestamp", TypeKind::Timestamp, kDate, TypeKind::Uint64},
    {"Interval", TypeKind::Interval, kDate, TypeKind::Int64},
    {"Date32", TypeKind::Date32, kBigDate, TypeKind::Int32},
    {"Datetime64", TypeKind::Datetime64, kBigDate, TypeKind::Int64},
    {"Timestamp64", TypeKind::Timestamp64, kBigDate, TypeKind::Int64},
    {"Interval64", TypeKind::Interval64, kBigDate, TypeKind::Int64},
    {"TzDate", TypeKind::TzDate, kTzDate, TypeKind::String},
    {"TzDatetime", TypeKind::TzDatetime, kTzDate, TypeKind::String},
    {"TzTimestamp", TypeKind::TzTimestamp, kTzDate, TypeKind::String},
    {"TzDate32", TypeKind::TzDate32, kBigTzDate, TypeKind::String},
    {"TzDatetime64", TypeKind::TzDatetime64, kBigTzDate, TypeKind::String},
    {"TzTimestamp64", TypeKind::TzTimestamp64, kBigTzDate, TypeKind::String},
    // No types of YTsaurus: read, and never written.
    {"JsonDocument", TypeKind::String},
    {"DyNumber", TypeKind::String},
    {"Longint", TypeKind::String},
};

/// What is stored for a type of PostgreSQL; a string for those that are not named.
constexpr std::pair<std::string_view, TypeKind> kPg[] = {
    {"bool", TypeKind::Bool},  {"int2", TypeKind::Int16},    {"int4", TypeKind::Int32},
    {"int8", TypeKind::Int64}, {"float8", TypeKind::Double}, {"float4", TypeKind::Float},
    {"text", TypeKind::Utf8},  {"varchar", TypeKind::Utf8},  {"cstring", TypeKind::Utf8},
};

/// Types that YTsaurus keeps as a tag on null.
constexpr std::pair<std::string_view, std::string_view> kEmpty[] = {
    {"EmptyListType", "_EmptyList"}, {"EmptyDictType", "_EmptyDict"}};

const std::string& text_of(const Node& node, std::string_view what) {
  if (!node.is(Node::Kind::String)) {
    fail_at(node, fmt::format("expected {} as a string, found {}", what, kind_name(node.kind())));
  }
  return node.as_string();
}

const Node::List& list_of(const Node& node, std::string_view what) {
  if (!node.is(Node::Kind::List)) {
    fail_at(node, fmt::format("expected {} as a list, found {}", what, kind_name(node.kind())));
  }
  return node.as_list();
}

/// Booleans; older versions wrote numbers, and "true".
bool flag_of(const Node& node, std::string_view what) {
  if (node.is(Node::Kind::Boolean)) return node.as_boolean();
  if (node.is(Node::Kind::Int64)) return node.as_int64() != 0;
  if (node.is(Node::Kind::Uint64)) return node.as_uint64() != 0;
  if (node.is(Node::Kind::String) && node.as_string() == "true") return true;
  if (node.is(Node::Kind::String) && node.as_string() == "false") return false;
  fail_at(node, fmt::format("expected {} as a boolean, found {}", what, kind_name(node.kind())));
}

int digits_of(const Node& node) {
  const std::string& text = text_of(node, "a parameter of Decimal");
  int value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc() || end != text.data() + text.size()) {
    fail_at(node,
            fmt::format("expected a parameter of Decimal as a number, found {}", quoted(text)));
  }
  return value;
}

uint64_t flags_of(const Node& spec) {
  if (const Node* flags = spec.find("NativeYtTypeFlags")) {
    if (flags->is(Node::Kind::Uint64)) return flags->as_uint64();
    if (flags->is(Node::Kind::Int64)) return static_cast<uint64_t>(flags->as_int64());
    fail_at(*flags, fmt::format("expected NativeYtTypeFlags as a number, found {}",
                                kind_name(flags->kind())));
  }
  for (const std::string_view older : {"UseNativeYtTypes", "UseTypeV2"}) {
    if (const Node* flag = spec.find(older)) return flag_of(*flag, older) ? kLegacy : 0;
  }
  return 0;
}

Type optional_yson() { return optional(Type(TypeKind::Yson)); }

/// Reads type nodes as the types that YTsaurus stores for them.
class TypeReader {
 public:
  explicit TypeReader(uint64_t flags) : flags_(flags) {}

  /// The type of a column.
  Type column(const Node& node) const {
    if ((flags_ & (kComplex | kDecimal)) != 0) return type(node, 0);
    // In the older way a column has a simple type, or any.
    const Node::List& parts = list_of(node, "a type of YQL");
    const std::string& word = word_of(node);
    if (word == "OptionalType") {
      expect_parts(node, 2);
      const Type item = simple(parts[1]);
      return is_nullable(item) ? item : optional(item);
    }
    return simple(node);
  }

 private:
  static const std::string& word_of(const Node& node) {
    const Node::List& parts = list_of(node, "a type of YQL");
    if (parts.empty()) fail_at(node, "expected the name of a type of YQL, found an empty list");
    return text_of(parts[0], "the name of a type of YQL");
  }

  static void expect_parts(const Node& node, size_t count) {
    const Node::List& parts = node.as_list();
    if (parts.size() >= count) return;
    fail_at(node, fmt::format("expected {} parts of {}, found {}", count, parts[0].as_string(),
                              parts.size()));
  }

  Type simple(const Node& node) const {
    const std::string& word = word_of(node);
    if (word == "DataType" && node.as_list().size() > 1) {
      if (text_of(node.as_list()[1], "a type of YQL") == "Decimal") return Type(TypeKind::String);
      return data(node);
    }
    if (word == "PgType") return pg(node);
    if (word == "NullType" && (flags_ & kNull) != 0) return Type(TypeKind::Null);
    if (word == "VoidType" && (flags_ & kVoid) != 0) return Type(TypeKind::Void);
    type(node, 0);  // that it is a type at all
    return optional_yson();
  }

  Type data(const Node& node) const {
    expect_parts(node, 2);
    const Node::List& parts = node.as_list();
    const std::string& name = text_of(parts[1], "a type of YQL");
    if (name == "Decimal") {
      expect_parts(node, 4);
      const Type number = decimal(digits_of(parts[2]), digits_of(parts[3]));
      return (flags_ & kDecimal) != 0 ? number : Type(TypeKind::String);
    }
    for (const DataRow& row : kData) {
      if (row.yql != name) continue;
      const TypeKind kind = (flags_ & row.flag) == row.flag ? row.native : row.stored;
      return kind == TypeKind::Yson ? optional_yson() : Type(kind);
    }
    fail_at(parts[1], fmt::format("expected a type of YQL, found {}", quoted(name)));
  }

  Type pg(const Node& node) const {
    expect_parts(node, 2);
    const std::string& name = text_of(node.as_list()[1], "a type of PostgreSQL");
    TypeKind stored = TypeKind::String;
    for (const auto& [known, kind] : kPg) {
      if (known == name) stored = kind;
    }
    if (stored == TypeKind::Float && (flags_ & kFloat) == 0) stored = TypeKind::Double;
    return optional(Type(stored));
  }

  std::vector<Member> members(const Node& node, int depth) const {
    std::vector<Member> out;
    for (const Node& pair : list_of(node, "the members of a struct")) {
      const Node::List& parts = list_of(pair, "a member of a struct");
      if (parts.size() < 2) fail_at(pair, "expected the name and the type of a member");
      out.emplace_back(text_of(parts[0], "the name of a member"), type(parts[1], depth));
    }
    return out;
  }

  std::vector<Type> elements(const Node& node, int depth) const {
    std::vector<Type> out;
    for (const Node& element : list_of(node, "the elements of a tuple")) {
      out.push_back(type(element, depth));
    }
    return out;
  }

  Type type(const Node& node, int depth) const {
    const std::string& word = word_of(node);
    if (depth > kMaxTypeDepth) fail_at(node, "type exceeds depth limit during parsing");
    const Node::List& parts = node.as_list();
    if (word == "DataType") return data(node);
    if (word == "PgType") return pg(node);
    if (word == "NullType") {
      const Type null(TypeKind::Null);
      return (flags_ & kNull) != 0 ? null : tagged("_Null", null);
    }
    if (word == "VoidType") {
      return (flags_ & kVoid) != 0 ? Type(TypeKind::Void) : tagged("_Void", Type(TypeKind::Null));
    }
    for (const auto& [name, tag] : kEmpty) {
      if (word == name) return tagged(std::string(tag), Type(TypeKind::Null));
    }
    if (word == "OptionalType") {
      expect_parts(node, 2);
      const Type item = type(parts[1], depth + 1);
      // A bare Yson stands for what only an optional holds.
      const bool is_bare =
          parts[1].as_list()[0].as_string() == "DataType" && item == optional_yson();
      return is_bare ? item : optional(item);
    }
    if (word == "ListType") {
      expect_parts(node, 2);
      return list(type(parts[1], depth + 1));
    }
    if (word == "StructType") {
      expect_parts(node, 2);
      return struct_(members(parts[1], depth + 1));
    }
    if (word == "TupleType") {
      expect_parts(node, 2);
      return tuple(elements(parts[1], depth + 1));
    }
    if (word == "DictType") {
      expect_parts(node, 3);
      return dict(type(parts[1], depth + 1), type(parts[2], depth + 1));
    }
    if (word == "TaggedType") {
      expect_parts(node, 3);
      return tagged(text_of(parts[1], "a tag"), type(parts[2], depth + 1));
    }
    if (word == "VariantType") {
      expect_parts(node, 2);
      const std::string& base = word_of(parts[1]);
      expect_parts(parts[1], 2);
      const Node& inner = parts[1].as_list()[1];
      if (base == "TupleType") return variant_of(elements(inner, depth + 1));
      if (base == "StructType") return variant(members(inner, depth + 1));
      fail_at(parts[1], fmt::format("expected TupleType or StructType in a VariantType, found {}",
                                    quoted(base)));
    }
    fail_at(parts[0],
            fmt::format("expected a type of YQL that tables hold, found {}", quoted(word)));
  }

  uint64_t flags_;
};

/// Columns by name and type, in the order of the struct.
std::vector<ColumnSchema> columns_of(const Node& struct_node, const TypeReader& types) {
  const Node::List& parts = list_of(struct_node, "the type of a row");
  if (parts.size() < 2 || text_of(parts[0], "the name of a type of YQL") != "StructType") {
    fail_at(struct_node, "expected the type of a row as a StructType");
  }
  std::vector<ColumnSchema> columns;
  for (const Node& pair : list_of(parts[1], "the columns of a row")) {
    const Node::List& column = list_of(pair, "a column");
    if (column.size() < 2) fail_at(pair, "expected the name and the type of a column");
    columns.emplace_back(text_of(column[0], "the name of a column"), types.column(column[1]));
  }
  return columns;
}

/// Puts the key columns first, including sort columns that are not members of the row.
void sort_columns(const Node& spec, const TypeReader& types, std::vector<ColumnSchema>* columns) {
  const Node* by = spec.find("SortedBy");
  if (by == nullptr) return;
  const Node* by_types = spec.find("SortedByTypes");
  const Node* directions = spec.find("SortDirections");
  std::vector<ColumnSchema> keys;
  const Node::List& names = list_of(*by, "SortedBy");
  for (size_t i = 0; i < names.size(); ++i) {
    const std::string& name = text_of(names[i], "a column of SortedBy");
    bool descending = false;
    if (directions != nullptr) {
      const Node::List& all = list_of(*directions, "SortDirections");
      if (i >= all.size()) fail_at(*directions, "expected as many SortDirections as SortedBy");
      descending = !flag_of(all[i], "a direction");
    }
    const auto found = std::ranges::find(*columns, name, &ColumnSchema::name);
    if (found != columns->end()) {
      keys.push_back(*found);
      columns->erase(found);
    } else {
      const Node::List* all = by_types == nullptr ? nullptr : &list_of(*by_types, "SortedByTypes");
      if (all == nullptr || i >= all->size()) {
        fail_at(names[i],
                fmt::format("expected a type of {} in SortedByTypes, found none", quoted(name)));
      }
      keys.emplace_back(name, types.column((*all)[i]));
      descending = false;
    }
    keys.back().sort_order = descending ? SortOrder::Descending : SortOrder::Ascending;
  }
  columns->insert(columns->begin(), keys.begin(), keys.end());
}

void read_table_flags(const Node& spec, TableSchema* schema) {
  if (const Node* strict = spec.find("StrictSchema")) {
    schema->strict = flag_of(*strict, "StrictSchema");
  }
  if (const Node* unique = spec.find("UniqueKeys")) {
    schema->unique_keys = flag_of(*unique, "UniqueKeys");
  }
}

/// Returns what a row spec says and a schema does not.
std::vector<RowSpecDifference> beyond_schema(const Node& spec) {
  std::vector<RowSpecDifference> out;
  for (const auto& [key, value] : spec.as_map()) {
    if (std::ranges::find(kSpecKeys, key) != kSpecKeys.end()) continue;
    out.push_back({"", fmt::format("the row spec has {}, which a schema cannot store", key)});
  }
  if (const uint64_t flags = flags_of(spec) & ~kAllFlags; flags != 0) {
    out.push_back({"", fmt::format("the row spec has bits of NativeYtTypeFlags that are not known "
                                   "here: {:#x}",
                                   flags)});
  }
  return out;
}

/// Returns what a row spec says with a schema beside it, of which it may only patch some types.
TableSchema with_schema(const Node& spec, const TableSchema& schema) {
  const Node* patch = spec.find("TypePatch");
  if (patch == nullptr) return parse_row_spec(spec);
  TableSchema out = schema;
  for (const ColumnSchema& column : columns_of(*patch, TypeReader(flags_of(spec)))) {
    const auto found = std::ranges::find(out.columns, column.name, &ColumnSchema::name);
    if (found == out.columns.end()) {
      fail_at(*patch, fmt::format("expected a column of the schema in TypePatch, found {}",
                                  quoted(column.name)));
    }
    found->type = column.type;
  }
  read_table_flags(spec, &out);
  return out;
}

std::string key_text(const TableSchema& schema) {
  std::vector<std::string> keys;
  for (const ColumnSchema& column : schema.columns) {
    if (!column.sort_order) continue;
    const bool down = *column.sort_order == SortOrder::Descending;
    keys.push_back(quoted(column.name) + (down ? " descending" : ""));
  }
  if (keys.empty()) return "by nothing";
  return "by " + join(keys, ", ") + (schema.unique_keys ? ", unique" : "");
}

std::vector<RowSpecDifference> differences(const TableSchema& schema, const TableSchema& spec) {
  std::vector<RowSpecDifference> out;
  if (schema.strict != spec.strict) {
    out.push_back({"", fmt::format("the schema is {}strict, the row spec says it is {}strict",
                                   schema.strict ? "" : "not ", spec.strict ? "" : "not ")});
  }
  if (key_text(schema) != key_text(spec)) {
    out.push_back({"", fmt::format("rows are sorted {}, the row spec says {}", key_text(schema),
                                   key_text(spec))});
  }
  const auto by_name = [](const TableSchema& table) {
    std::unordered_map<std::string_view, const ColumnSchema*> columns;
    for (const ColumnSchema& column : table.columns) columns.try_emplace(column.name, &column);
    return columns;
  };
  const auto in_spec = by_name(spec);
  const auto in_schema = by_name(schema);
  for (const ColumnSchema& column : schema.columns) {
    const auto found = in_spec.find(column.name);
    if (found == in_spec.end()) {
      out.push_back({column.name, "the row spec does not have it: YQL does not see it"});
    } else if (found->second->type != column.type) {
      out.push_back(
          {column.name, fmt::format("{} in the schema, {} by the row spec",
                                    print_short(column.type), print_short(found->second->type))});
    }
  }
  for (const ColumnSchema& column : spec.columns) {
    if (!in_schema.contains(column.name)) {
      out.push_back({column.name, "only the row spec has it"});
    }
  }
  return out;
}

Node text(std::string_view word) { return Node::string(std::string(word)); }

Node type_node(std::string_view word) {
  Node node = Node::list();
  node.add(text(word));
  return node;
}

/// Prints types as type nodes, and gathers the flags that they need and what they leave out.
class TypePrinter {
 public:
  Node print(const Type& type) {
    switch (kind_row(type.kind()).composition) {
      case Composition::None:
        return scalar(type);
      case Composition::Optional: {
        // In the older way an optional null is a null.
        if (!type.item().is_simple() || is_nullable(type.item())) flags_ |= kComplex;
        Node node = type_node("OptionalType");
        node.add(print(type.item()));
        return node;
      }
      case Composition::List: {
        Node node = compound("ListType");
        node.add(print(type.item()));
        return node;
      }
      case Composition::Struct: {
        Node node = compound("StructType");
        node.add(named(type));
        return node;
      }
      case Composition::Tuple: {
        Node node = compound("TupleType");
        node.add(unnamed(type));
        return node;
      }
      case Composition::Variant: {
        Node base = type_node(type.is_named() ? "StructType" : "TupleType");
        base.add(type.is_named() ? named(type) : unnamed(type));
        Node node = compound("VariantType");
        node.add(std::move(base));
        return node;
      }
      case Composition::Dict: {
        Node node = compound("DictType");
        node.add(print(type.key()));
        node.add(print(type.value()));
        return node;
      }
      case Composition::Tagged: {
        for (const auto& [name, tag] : kEmpty) {
          if (type.tag() == tag && type.item().is(TypeKind::Null)) return compound(name);
        }
        Node node = compound("TaggedType");
        node.add(text(type.tag()));
        node.add(print(type.item()));
        return node;
      }
    }
    return {};
  }

  uint64_t flags() const { return flags_; }
  /// Returns what the types printed since the last call have, and type nodes have not.
  std::set<std::string_view> take_lost() { return std::exchange(lost_, {}); }

 private:
  Node compound(std::string_view word) {
    flags_ |= kComplex;
    return type_node(word);
  }

  Node named(const Type& type) {
    Node out = Node::list();
    if (!type.removed_members().empty()) lost_.insert("removed_members of a struct");
    for (const Member& member : type.members()) {
      if (member.stable_name != member.name) lost_.insert("stable_name of a member");
      Node pair = Node::list();
      pair.add(text(member.name));
      pair.add(print(member.type));
      out.add(std::move(pair));
    }
    return out;
  }

  Node unnamed(const Type& type) {
    Node out = Node::list();
    for (const Member& member : type.members()) out.add(print(member.type));
    return out;
  }

  Node scalar(const Type& type) {
    if (type.is(TypeKind::Null)) {
      flags_ |= kNull;
      return type_node("NullType");
    }
    if (type.is(TypeKind::Void)) {
      flags_ |= kVoid;
      return type_node("VoidType");
    }
    Node node = type_node("DataType");
    if (type.is(TypeKind::Decimal)) {
      flags_ |= kDecimal;
      node.add(text("Decimal"));
      node.add(text(std::to_string(type.precision())));
      node.add(text(std::to_string(type.scale())));
      return node;
    }
    const auto row = std::ranges::find(kData, type.kind(), &DataRow::native);
    flags_ |= row->flag;
    node.add(text(row->yql));
    return node;
  }

  uint64_t flags_ = 0;
  std::set<std::string_view> lost_;
};

void add_lost(const Path& path, std::string_view what, hub::Findings* lost) {
  if (lost == nullptr) return;
  lost->push_back({.rule = "metadata.lost",
                   .path = path,
                   .lost = fmt::format("a row spec cannot store {}", what)});
}

/// Reports attributes of a table or a column that a row spec cannot hold.
void add_lost(const Path& path, const Node::Map& attributes, hub::Findings* lost) {
  for (const auto& [key, value] : attributes) {
    const bool is_kept = key == "strict" || key == "unique_keys" || key == "sort_order";
    if (!is_kept) add_lost(path, key, lost);
  }
}

const Node* attribute_of(const Node& node, std::string_view key) {
  const Node* value = node.is(Node::Kind::Map) ? node.find(key) : node.find_attribute(key);
  return value != nullptr && value->is(Node::Kind::Entity) && !value->has_attributes() ? nullptr
                                                                                       : value;
}

}  // namespace

bool is_row_spec(const Node& node) {
  if (!node.is(Node::Kind::Map)) return false;
  const Node* type = node.find("Type");
  const Node* patch = node.find("TypePatch");
  return (type != nullptr && type->is(Node::Kind::List)) ||
         (patch != nullptr && patch->is(Node::Kind::List));
}

bool is_table_attributes(const Node& node) {
  if (node.is(Node::Kind::Map) && node.find("name") != nullptr) return false;
  if (!node.is(Node::Kind::Map) && !node.is(Node::Kind::Entity)) return false;
  return attribute_of(node, kRowSpec) != nullptr || attribute_of(node, kSchema) != nullptr;
}

TableSchema parse_row_spec(const Node& node) {
  const Node* type = node.find("Type");
  if (type == nullptr) {
    fail_at(node, "expected Type in a row spec without a table schema, found none");
  }
  const TypeReader types(flags_of(node));
  TableSchema schema;
  schema.columns = columns_of(*type, types);
  sort_columns(node, types, &schema.columns);
  read_table_flags(node, &schema);
  schema.row_spec_differences = beyond_schema(node);
  return schema;
}

TableSchema parse_table_attributes(const Node& node) {
  const Node* schema_node = attribute_of(node, kSchema);
  const Node* spec = attribute_of(node, kRowSpec);
  if (spec != nullptr && !is_row_spec(*spec)) {
    fail_at(*spec, "expected a row spec of YQL, a map with Type, found another value");
  }
  if (schema_node == nullptr) return parse_row_spec(*spec);
  TableSchema schema = parse_table_schema(*schema_node);
  if (spec != nullptr) {
    schema.row_spec_differences = differences(schema, with_schema(*spec, schema));
    std::ranges::move(beyond_schema(*spec), std::back_inserter(schema.row_spec_differences));
  }
  return schema;
}

Node row_spec_node(const TableSchema& schema, hub::Findings* lost) {
  TypePrinter types;
  Node columns = Node::list();
  Node sorted_by = Node::list();
  Node sorted_by_types = Node::list();
  Node directions = Node::list();
  add_lost(Path(), attributes_node(schema).attributes(), lost);
  for (const ColumnSchema& column : schema.columns) {
    Node type = types.print(column.type);
    const Path path = Path::column(column.name);
    for (const std::string_view what : types.take_lost()) add_lost(path, what, lost);
    add_lost(path, column_attributes_node(column).as_map(), lost);
    if (column.sort_order) {
      sorted_by.add(text(column.name));
      sorted_by_types.add(type);
      directions.add(Node::int64(*column.sort_order == SortOrder::Ascending ? 1 : 0));
    }
    Node pair = Node::list();
    pair.add(text(column.name));
    pair.add(std::move(type));
    columns.add(std::move(pair));
  }
  Node row = type_node("StructType");
  row.add(std::move(columns));
  Node spec = Node::map();
  spec.add("Type", std::move(row));
  spec.add("StrictSchema", Node::boolean(schema.strict));
  spec.add("NativeYtTypeFlags", Node::uint64(types.flags()));
  if (sorted_by.as_list().empty()) return spec;
  spec.add("SortMembers", sorted_by);
  spec.add("SortedBy", std::move(sorted_by));
  spec.add("SortedByTypes", std::move(sorted_by_types));
  spec.add("SortDirections", std::move(directions));
  if (schema.unique_keys) spec.add("UniqueKeys", Node::boolean(true));
  return spec;
}

}  // namespace xwalk::yt
