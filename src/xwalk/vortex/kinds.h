#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>

#include "xwalk/hub/type.h"

// Everything that is known of each variant of a DType and of each primitive type, in two tables.
namespace xwalk::vortex {

/// The variants of a DType. The numbers are those of the FlatBuffers union and of the Protobuf
/// oneof (specification, "Type system overview"); Union and Map are the living system's.
enum class Kind : uint8_t {
  Null = 1,
  Bool = 2,
  Primitive = 3,
  Decimal = 4,
  Utf8 = 5,
  Binary = 6,
  Struct = 7,
  List = 8,
  Extension = 9,
  FixedSizeList = 10,
  Variant = 11,
  Union = 12,
  Map = 13,
};

/// The editions of the core family that vortex-data writes, oldest first. An edition is the set of
/// formats that a file may hold.
enum class Edition : uint8_t {
  Core2025_05_0,
  Core2025_06_0,
  Core2025_10_0,
  Core2026_08_0,
  Core2026_08_1,
  Core2026_08_2,
  Core2026_08_3,
};

/// The properties of one variant.
struct KindRow {
  Kind kind;
  /// The word in text and in JSON.
  std::string_view name;
  /// It has no parameters but its nullability.
  bool plain = false;
  /// Example types of the kind in the table of all types. If empty, the name is used.
  std::array<std::string_view, 7> examples{};
  /// The first edition that has it. Checked with vortex-data by `tests/io/vortex_editions_test.py`.
  Edition since = Edition::Core2025_05_0;
};

/// The fixed-width numbers (specification, "Primitive numeric types"). The numbers are those of
/// FlatBuffers and Protobuf.
enum class PType : uint8_t { U8, U16, U32, U64, I8, I16, I32, I64, F16, F32, F64 };

enum class Number : uint8_t { Unsigned, Signed, Float };

/// The properties of one primitive type.
struct PrimitiveRow {
  PType ptype;
  std::string_view name;
  Number number;
  int bits;
  hub::Kind arrow;
};

/// One row per variant, in the order of Kind.
inline constexpr std::array kKindRows = {
    KindRow{Kind::Null, "null", true},
    KindRow{Kind::Bool, "bool", true},
    KindRow{Kind::Primitive, "primitive", false, {"i64?"}},
    KindRow{Kind::Decimal, "decimal", false, {"decimal(9,2)", "decimal(60,4)"}},
    KindRow{Kind::Utf8, "utf8", true},
    KindRow{Kind::Binary, "binary", true},
    KindRow{Kind::Struct, "struct", false, {"{a=i64, b=utf8?}"}},
    KindRow{Kind::List, "list", false, {"list(i32?)"}},
    KindRow{Kind::Extension,
            "extension",
            false,
            {"vortex.date[days](i32)", "vortex.time[us](i64)", "vortex.timestamp[us, tz=UTC](i64)",
             "vortex.timestamp[ns](i64)", "vortex.uuid(fixed_size_list(u8)[16])",
             "vortex.json(utf8)", "my.extension(i64)"}},
    KindRow{Kind::FixedSizeList,
            "fixed_size_list",
            false,
            {"fixed_size_list(f32)[4]"},
            Edition::Core2025_10_0},
    KindRow{Kind::Variant, "variant", true, {}, Edition::Core2026_08_3},
    KindRow{Kind::Union, "union", false, {"union(a=i64, b=utf8)"}},
    KindRow{Kind::Map, "map", false, {"map(utf8, i64, keys_sorted=false)"}, Edition::Core2026_08_2},
};

/// One row per primitive type, in the order of PType.
inline constexpr std::array kPrimitiveRows = {
    PrimitiveRow{PType::U8, "u8", Number::Unsigned, 8, hub::Kind::Uint8},
    PrimitiveRow{PType::U16, "u16", Number::Unsigned, 16, hub::Kind::Uint16},
    PrimitiveRow{PType::U32, "u32", Number::Unsigned, 32, hub::Kind::Uint32},
    PrimitiveRow{PType::U64, "u64", Number::Unsigned, 64, hub::Kind::Uint64},
    PrimitiveRow{PType::I8, "i8", Number::Signed, 8, hub::Kind::Int8},
    PrimitiveRow{PType::I16, "i16", Number::Signed, 16, hub::Kind::Int16},
    PrimitiveRow{PType::I32, "i32", Number::Signed, 32, hub::Kind::Int32},
    PrimitiveRow{PType::I64, "i64", Number::Signed, 64, hub::Kind::Int64},
    PrimitiveRow{PType::F16, "f16", Number::Float, 16, hub::Kind::HalfFloat},
    PrimitiveRow{PType::F32, "f32", Number::Float, 32, hub::Kind::Float},
    PrimitiveRow{PType::F64, "f64", Number::Float, 64, hub::Kind::Double},
};

constexpr const KindRow& kind_row(Kind kind) {
  return kKindRows[static_cast<size_t>(kind) - static_cast<size_t>(Kind::Null)];
}
constexpr const PrimitiveRow& primitive_row(PType ptype) {
  return kPrimitiveRows[static_cast<size_t>(ptype)];
}

/// Returns "u8" … "f64".
constexpr std::string_view ptype_name(PType ptype) { return primitive_row(ptype).name; }

}  // namespace xwalk::vortex
