#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string_view>

#include "xwalk/hub/type.h"

// Everything that is known of each type of Arrow, in one table.
namespace xwalk::hub {

/// What a type is made of besides its kind.
enum class Form : uint8_t {
  Plain,  ///< nothing
  FixedSizeBinary,
  Unit,  ///< a unit of time
  Timestamp,
  Decimal,
  List,  ///< the items, in any layout without a size
  FixedSizeList,
  Struct,
  Map,
  Union,
  Dictionary,
  RunEndEncoded,
};

/// The properties of one kind.
struct KindRow {
  Kind kind;
  /// Arrow's name of the kind.
  std::string_view name;
  Form form = Form::Plain;
  /// Bits of every value; 0 if they vary or depend on parameters.
  int bits = 0;
  /// The format string of the C data interface, or what it begins with.
  std::string_view format{};
  /// Example types of the kind in the table of all types. If empty, the name is used.
  std::array<std::string_view, 6> examples{};
};

/// One row per kind, in the order of Kind.
inline constexpr std::array kKindRows = {
    KindRow{Kind::Null, "null", Form::Plain, 0, "n"},
    KindRow{Kind::Bool, "bool", Form::Plain, 1, "b"},
    KindRow{Kind::Int8, "int8", Form::Plain, 8, "c"},
    KindRow{Kind::Int16, "int16", Form::Plain, 16, "s"},
    KindRow{Kind::Int32, "int32", Form::Plain, 32, "i"},
    KindRow{Kind::Int64, "int64", Form::Plain, 64, "l"},
    KindRow{Kind::Uint8, "uint8", Form::Plain, 8, "C"},
    KindRow{Kind::Uint16, "uint16", Form::Plain, 16, "S"},
    KindRow{Kind::Uint32, "uint32", Form::Plain, 32, "I"},
    KindRow{Kind::Uint64, "uint64", Form::Plain, 64, "L"},
    KindRow{Kind::HalfFloat, "halffloat", Form::Plain, 16, "e"},
    KindRow{Kind::Float, "float", Form::Plain, 32, "f"},
    KindRow{Kind::Double, "double", Form::Plain, 64, "g"},
    KindRow{Kind::Utf8, "string", Form::Plain, 0, "u"},
    KindRow{Kind::LargeUtf8, "large_string", Form::Plain, 0, "U"},
    KindRow{Kind::Utf8View, "string_view", Form::Plain, 0, "vu"},
    KindRow{Kind::Binary, "binary", Form::Plain, 0, "z"},
    KindRow{Kind::LargeBinary, "large_binary", Form::Plain, 0, "Z"},
    KindRow{Kind::BinaryView, "binary_view", Form::Plain, 0, "vz"},
    KindRow{Kind::FixedSizeBinary,
            "fixed_size_binary",
            Form::FixedSizeBinary,
            0,
            "w:",
            {"fixed_size_binary[16]"}},
    KindRow{Kind::Date32, "date32", Form::Plain, 32, "tdD"},
    KindRow{Kind::Date64, "date64", Form::Plain, 64, "tdm"},
    KindRow{Kind::Time32, "time32", Form::Unit, 32, "tt", {"time32[s]", "time32[ms]"}},
    KindRow{Kind::Time64, "time64", Form::Unit, 64, "tt", {"time64[us]", "time64[ns]"}},
    KindRow{Kind::Timestamp,
            "timestamp",
            Form::Timestamp,
            64,
            "ts",
            {"timestamp[s]", "timestamp[ms]", "timestamp[us]", "timestamp[ns]",
             "timestamp[us, tz=UTC]", "timestamp[us, tz=Europe/Berlin]"}},
    KindRow{Kind::Duration,
            "duration",
            Form::Unit,
            64,
            "tD",
            {"duration[s]", "duration[us]", "duration[ns]"}},
    KindRow{Kind::IntervalMonths, "month_interval", Form::Plain, 32, "tiM"},
    KindRow{Kind::IntervalDayTime, "day_time_interval", Form::Plain, 64, "tiD"},
    KindRow{Kind::IntervalMonthDayNano, "month_day_nano_interval", Form::Plain, 128, "tin"},
    KindRow{Kind::Decimal32, "decimal32", Form::Decimal, 32, "d:", {"decimal32(9, 2)"}},
    KindRow{Kind::Decimal64, "decimal64", Form::Decimal, 64, "d:", {"decimal64(18, 4)"}},
    KindRow{Kind::Decimal128, "decimal128", Form::Decimal, 128, "d:", {"decimal128(35, 10)"}},
    KindRow{Kind::Decimal256, "decimal256", Form::Decimal, 256, "d:", {"decimal256(76, 38)"}},
    KindRow{Kind::List, "list", Form::List, 0, "+l", {"list<item: int64>"}},
    KindRow{Kind::LargeList, "large_list", Form::List, 0, "+L", {"large_list<item: int64>"}},
    KindRow{Kind::ListView, "list_view", Form::List, 0, "+vl", {"list_view<item: int64>"}},
    KindRow{Kind::LargeListView,
            "large_list_view",
            Form::List,
            0,
            "+vL",
            {"large_list_view<item: int64>"}},
    KindRow{Kind::FixedSizeList,
            "fixed_size_list",
            Form::FixedSizeList,
            0,
            "+w:",
            {"fixed_size_list<item: float>[4]"}},
    KindRow{Kind::Struct, "struct", Form::Struct, 0, "+s", {"struct<a: int64, b: string>"}},
    KindRow{Kind::Map, "map", Form::Map, 0, "+m", {"map<string, int64>"}},
    KindRow{Kind::DenseUnion,
            "dense_union",
            Form::Union,
            0,
            "+ud:",
            {"dense_union<a: int64=0, b: string=1>"}},
    KindRow{Kind::SparseUnion,
            "sparse_union",
            Form::Union,
            0,
            "+us:",
            {"sparse_union<a: int64=0, b: string=1>"}},
    KindRow{Kind::Dictionary,
            "dictionary",
            Form::Dictionary,
            0,
            "",
            {"dictionary<values=string, indices=int32>"}},
    KindRow{Kind::RunEndEncoded,
            "run_end_encoded",
            Form::RunEndEncoded,
            0,
            "+r",
            {"run_end_encoded<run_ends: int32 not null, values: string>"}},
};

constexpr const KindRow& kind_row(Kind kind) { return kKindRows[static_cast<size_t>(kind)]; }

}  // namespace xwalk::hub
