#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string_view>

#include "xwalk/hub/type.h"

// Everything that is known of each kind of logical type, in one table.
namespace xwalk::lance {

/// The kinds of logical types (specification, "Data Types").
enum class Kind : uint8_t {
  Null,
  Bool,
  Int8,
  Int16,
  Int32,
  Int64,
  Uint8,
  Uint16,
  Uint32,
  Uint64,
  HalfFloat,
  Float,
  Double,
  String,
  LargeString,
  Binary,
  LargeBinary,
  FixedSizeBinary,
  Date32,
  Date64,
  Time32,
  Time64,
  Timestamp,
  Duration,
  Decimal,
  FixedSizeList,
  Dictionary,
  /// Only as the element of a fixed-size list.
  BFloat16,
  Struct,
  List,
  ListStruct,
  LargeList,
  LargeListStruct,
  Map,
  Blob,
  Json,
};

/// Types without children between which casts are allowed (specification, "Type Evolution"), with
/// the families of Lance's implementation.
enum class Family : uint8_t {
  None,
  Bool,
  Integer,
  Float,
  Text,
  Bytes,
  Date,
  Time,
  Timestamp,
  Duration,
  Decimal,
};

/// The parameters after the name in the string of a type.
enum class Parameters : uint8_t {
  None,
  Decimal,         ///< bits, precision, scale
  Unit,            ///< s, ms, us or ns
  UnitAndZone,     ///< a unit, and a zone or "-"
  Size,            ///< a number of bytes
  ElementAndSize,  ///< a type, and a number of items
  ValuesAndIndex,  ///< two types
};

/// What the specification's Field message calls a field: LEAF, PARENT, REPEATED.
enum class Node : uint8_t { Leaf, Parent, Repeated };

/// How a field was encoded by the legacy file format; still written (specification, "DEPRECATED").
enum class Encoding : uint8_t { None = 0, Plain = 1, VarBinary = 2, Dictionary = 3, Rle = 4 };

/// The versions of data files, oldest first.
enum class DataVersion : uint8_t { V0_1, V2_0, V2_1, V2_2, V2_3 };

/// The properties of one kind.
struct KindRow {
  Kind kind;
  /// The string of a type without parameters, or what it begins with.
  std::string_view name;
  Parameters parameters = Parameters::None;
  Family family = Family::None;
  /// The Arrow type, if a kind has one without parameters.
  std::optional<hub::Kind> arrow{};
  Encoding encoding = Encoding::Plain;
  Node node = Node::Leaf;
  /// Example types of the kind in the table of all types. If empty, the name is used.
  std::array<std::string_view, 4> examples{};
  /// The first data files that hold values of the kind, and the first that keep nulls of it.
  /// Checked with pylance by `tests/io/lance_versions_test.py`.
  DataVersion since = DataVersion::V0_1;
  DataVersion nulls_since = DataVersion::V2_0;
};

namespace detail {

constexpr KindRow leaf(Kind kind, std::string_view name, Family family, hub::Kind arrow,
                       Encoding encoding = Encoding::Plain) {
  return {.kind = kind, .name = name, .family = family, .arrow = arrow, .encoding = encoding};
}

/// A kind whose nulls every version keeps.
constexpr KindRow with_nulls(KindRow row) {
  row.nulls_since = DataVersion::V0_1;
  return row;
}

constexpr KindRow since(DataVersion version, KindRow row) {
  row.since = row.nulls_since = version;
  return row;
}

constexpr KindRow with_parameters(Kind kind, std::string_view name, Parameters parameters,
                                  Family family, std::array<std::string_view, 4> examples) {
  return {
      .kind = kind, .name = name, .parameters = parameters, .family = family, .examples = examples};
}

constexpr KindRow compound(Kind kind, std::string_view name, std::string_view example) {
  return {.kind = kind, .name = name, .node = Node::Repeated, .examples = {example}};
}

}  // namespace detail

/// One row per kind, in the order of Kind.
inline constexpr std::array kKindRows = {
    detail::with_nulls(
        detail::leaf(Kind::Null, "null", Family::None, hub::Kind::Null, Encoding::None)),
    detail::leaf(Kind::Bool, "bool", Family::Bool, hub::Kind::Bool),
    detail::leaf(Kind::Int8, "int8", Family::Integer, hub::Kind::Int8),
    detail::leaf(Kind::Int16, "int16", Family::Integer, hub::Kind::Int16),
    detail::leaf(Kind::Int32, "int32", Family::Integer, hub::Kind::Int32),
    detail::leaf(Kind::Int64, "int64", Family::Integer, hub::Kind::Int64),
    detail::leaf(Kind::Uint8, "uint8", Family::Integer, hub::Kind::Uint8),
    detail::leaf(Kind::Uint16, "uint16", Family::Integer, hub::Kind::Uint16),
    detail::leaf(Kind::Uint32, "uint32", Family::Integer, hub::Kind::Uint32),
    detail::leaf(Kind::Uint64, "uint64", Family::Integer, hub::Kind::Uint64),
    detail::leaf(Kind::HalfFloat, "halffloat", Family::Float, hub::Kind::HalfFloat),
    detail::leaf(Kind::Float, "float", Family::Float, hub::Kind::Float),
    detail::leaf(Kind::Double, "double", Family::Float, hub::Kind::Double),
    detail::with_nulls(
        detail::leaf(Kind::String, "string", Family::Text, hub::Kind::Utf8, Encoding::VarBinary)),
    detail::with_nulls(detail::leaf(Kind::LargeString, "large_string", Family::Text,
                                    hub::Kind::LargeUtf8, Encoding::VarBinary)),
    detail::with_nulls(detail::leaf(Kind::Binary, "binary", Family::Bytes, hub::Kind::Binary,
                                    Encoding::VarBinary)),
    detail::with_nulls(detail::leaf(Kind::LargeBinary, "large_binary", Family::Bytes,
                                    hub::Kind::LargeBinary, Encoding::VarBinary)),
    detail::with_parameters(Kind::FixedSizeBinary, "fixed_size_binary", Parameters::Size,
                            Family::None, {"fixed_size_binary:16"}),
    detail::leaf(Kind::Date32, "date32:day", Family::Date, hub::Kind::Date32),
    detail::leaf(Kind::Date64, "date64:ms", Family::Date, hub::Kind::Date64),
    detail::with_parameters(Kind::Time32, "time32", Parameters::Unit, Family::Time,
                            {"time32:s", "time32:ms"}),
    detail::with_parameters(Kind::Time64, "time64", Parameters::Unit, Family::Time,
                            {"time64:us", "time64:ns"}),
    detail::with_parameters(
        Kind::Timestamp, "timestamp", Parameters::UnitAndZone, Family::Timestamp,
        {"timestamp:s:-", "timestamp:ms:UTC", "timestamp:us:UTC", "timestamp:ns:Europe/Berlin"}),
    detail::with_parameters(Kind::Duration, "duration", Parameters::Unit, Family::Duration,
                            {"duration:s", "duration:us", "duration:ns"}),
    detail::with_parameters(Kind::Decimal, "decimal", Parameters::Decimal, Family::Decimal,
                            {"decimal:128:20:4", "decimal:256:60:4"}),
    detail::with_parameters(Kind::FixedSizeList, "fixed_size_list", Parameters::ElementAndSize,
                            Family::None, {"fixed_size_list:float:128"}),
    KindRow{.kind = Kind::Dictionary,
            .name = "dict",
            .parameters = Parameters::ValuesAndIndex,
            .encoding = Encoding::Dictionary,
            .examples = {"dict:string:int32:false"}},
    KindRow{.kind = Kind::BFloat16,
            .name = "lance.bfloat16",
            .examples = {"fixed_size_list:lance.bfloat16:4"}},
    KindRow{.kind = Kind::Struct,
            .name = "struct",
            .encoding = Encoding::None,
            .node = Node::Parent,
            .examples = {"struct<a: int64, b: string>"},
            .nulls_since = DataVersion::V2_1},
    detail::compound(Kind::List, "list", "list<item: int64>"),
    detail::compound(Kind::ListStruct, "list.struct", "list.struct<item: struct<a: int64>>"),
    detail::compound(Kind::LargeList, "large_list", "large_list<item: int64>"),
    detail::compound(Kind::LargeListStruct, "large_list.struct",
                     "large_list.struct<item: struct<a: int64>>"),
    detail::since(
        DataVersion::V2_2,
        detail::compound(Kind::Map, "map", "map<entries: struct<key: string, value: int64>>")),
    detail::with_nulls({.kind = Kind::Blob, .name = "blob", .encoding = Encoding::VarBinary}),
    detail::with_nulls({.kind = Kind::Json, .name = "json", .encoding = Encoding::VarBinary}),
};

constexpr const KindRow& kind_row(Kind kind) { return kKindRows[static_cast<size_t>(kind)]; }

constexpr bool is_integer(Kind kind) { return kind_row(kind).family == Family::Integer; }
/// List, ListStruct, LargeList, LargeListStruct.
constexpr bool is_list(Kind kind) {
  return kind_row(kind).node == Node::Repeated && kind != Kind::Map;
}

}  // namespace xwalk::lance
