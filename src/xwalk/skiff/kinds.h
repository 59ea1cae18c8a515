#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string_view>

#include "xwalk/yt/kinds.h"

// Everything that is known of each wire type, in one table.
namespace xwalk::skiff {

/// How a node of a schema is encoded. All numbers are little-endian.
enum class WireType : uint8_t {
  Boolean,  ///< one byte, 0 or 1
  Int8,
  Int16,
  Int32,
  Int64,
  Int128,
  Int256,
  Uint8,
  Uint16,
  Uint32,
  Uint64,
  Uint128,
  Uint256,
  Double,
  String32,  ///< a uint32 length, then the bytes
  Yson32,    ///< a uint32 length, then one YSON value
  Nothing,   ///< no bytes
  Tuple,     ///< the children, one after another
  Variant8,  ///< a uint8 tag, then the child of that index
  Variant16,
  RepeatedVariant8,   ///< variants one after another, ended by the tag 0xFF
  RepeatedVariant16,  ///< the same with uint16 tags, ended by 0xFFFF
};

/// What a wire type carries.
enum class WireGroup : uint8_t {
  Nothing,
  Boolean,
  Signed,
  Unsigned,
  Double,
  String,
  Yson,
  Tuple,
  Variant,
  Repeated,
};

/// The properties of one wire type.
struct WireRow {
  WireType wire;
  /// The name in a schema.
  std::string_view name;
  WireGroup group;
  /// Bytes of every value of a simple type; nothing for strings and compound types.
  std::optional<size_t> width{};
  /// Bytes of the tag, 0 for types without one.
  size_t tag_width = 0;
  /// The type of a value that no table schema describes. Wide integers are bytes then; compound
  /// types follow their children.
  yt::TypeKind natural = yt::TypeKind::Null;
  /// The written specification lists it as a type of columns.
  bool in_text = false;
  /// Example types of the kind in the table of all types. If empty, the name is used.
  std::array<std::string_view, 2> examples{};
};

namespace detail {

constexpr WireRow integer(WireType wire, std::string_view name, WireGroup group, size_t width,
                          yt::TypeKind natural) {
  return {.wire = wire,
          .name = name,
          .group = group,
          .width = width,
          .natural = natural,
          .in_text = width == 8};
}

constexpr WireRow tagged(WireType wire, std::string_view name, WireGroup group, size_t tag_width,
                         std::array<std::string_view, 2> examples) {
  return {.wire = wire, .name = name, .group = group, .tag_width = tag_width, .examples = examples};
}

inline constexpr WireRow kRows[] = {
    {.wire = WireType::Boolean,
     .name = "boolean",
     .group = WireGroup::Boolean,
     .width = 1,
     .natural = yt::TypeKind::Bool,
     .in_text = true},
    integer(WireType::Int8, "int8", WireGroup::Signed, 1, yt::TypeKind::Int8),
    integer(WireType::Int16, "int16", WireGroup::Signed, 2, yt::TypeKind::Int16),
    integer(WireType::Int32, "int32", WireGroup::Signed, 4, yt::TypeKind::Int32),
    integer(WireType::Int64, "int64", WireGroup::Signed, 8, yt::TypeKind::Int64),
    integer(WireType::Int128, "int128", WireGroup::Signed, 16, yt::TypeKind::String),
    integer(WireType::Int256, "int256", WireGroup::Signed, 32, yt::TypeKind::String),
    integer(WireType::Uint8, "uint8", WireGroup::Unsigned, 1, yt::TypeKind::Uint8),
    integer(WireType::Uint16, "uint16", WireGroup::Unsigned, 2, yt::TypeKind::Uint16),
    integer(WireType::Uint32, "uint32", WireGroup::Unsigned, 4, yt::TypeKind::Uint32),
    integer(WireType::Uint64, "uint64", WireGroup::Unsigned, 8, yt::TypeKind::Uint64),
    integer(WireType::Uint128, "uint128", WireGroup::Unsigned, 16, yt::TypeKind::String),
    integer(WireType::Uint256, "uint256", WireGroup::Unsigned, 32, yt::TypeKind::String),
    {.wire = WireType::Double,
     .name = "double",
     .group = WireGroup::Double,
     .width = 8,
     .natural = yt::TypeKind::Double,
     .in_text = true},
    {.wire = WireType::String32,
     .name = "string32",
     .group = WireGroup::String,
     .natural = yt::TypeKind::String,
     .in_text = true},
    {.wire = WireType::Yson32,
     .name = "yson32",
     .group = WireGroup::Yson,
     .natural = yt::TypeKind::Yson,
     .in_text = true,
     .examples = {"variant8<nothing;yson32>"}},
    {.wire = WireType::Nothing, .name = "nothing", .group = WireGroup::Nothing, .width = 0},
    {.wire = WireType::Tuple,
     .name = "tuple",
     .group = WireGroup::Tuple,
     .examples = {"tuple<'a':int64;'b':string32>"}},
    tagged(WireType::Variant8, "variant8", WireGroup::Variant, 1,
           {"variant8<nothing;int64>", "variant8<int64;string32>"}),
    tagged(WireType::Variant16, "variant16", WireGroup::Variant, 2, {"variant16<int64;string32>"}),
    tagged(WireType::RepeatedVariant8, "repeated_variant8", WireGroup::Repeated, 1,
           {"repeated_variant8<int64>", "repeated_variant8<int64;string32>"}),
    tagged(WireType::RepeatedVariant16, "repeated_variant16", WireGroup::Repeated, 2,
           {"repeated_variant16<int64>", "repeated_variant16<int64;string32>"}),
};

}  // namespace detail

/// One row per wire type, in the order of WireType.
inline constexpr std::span<const WireRow> kWireRows = detail::kRows;

constexpr const WireRow& wire_row(WireType wire) {
  return detail::kRows[static_cast<size_t>(wire)];
}

/// Returns the name in a schema: "repeated_variant8".
constexpr std::string_view wire_name(WireType wire) { return wire_row(wire).name; }
/// Returns true for the types without children.
constexpr bool is_simple(WireType wire) { return wire < WireType::Tuple; }
/// Variant8, Variant16.
constexpr bool is_variant(WireType wire) { return wire_row(wire).group == WireGroup::Variant; }
/// RepeatedVariant8, RepeatedVariant16.
constexpr bool is_repeated(WireType wire) { return wire_row(wire).group == WireGroup::Repeated; }
/// Int8 … Int256.
constexpr bool is_signed_integer(WireType wire) {
  return wire_row(wire).group == WireGroup::Signed;
}
/// Uint8 … Uint256.
constexpr bool is_unsigned_integer(WireType wire) {
  return wire_row(wire).group == WireGroup::Unsigned;
}
/// Bytes of every value of a simple type; nothing for strings and compound types.
constexpr std::optional<size_t> fixed_width(WireType wire) { return wire_row(wire).width; }
/// The tag that ends a repeated_variant16.
inline constexpr uint16_t kEndTag16 = 0xFFFF;

/// Bytes of the tag: 1 or 2; 0 for types without a tag.
constexpr size_t tag_width(WireType wire) { return wire_row(wire).tag_width; }

}  // namespace xwalk::skiff
