#include "xwalk/crosswalk/kinds.h"

#include <array>
#include <vector>

#include "xwalk/lance/kinds.h"
#include "xwalk/parquet/kinds.h"
#include "xwalk/skiff/kinds.h"
#include "xwalk/vortex/kinds.h"
#include "xwalk/yt/kinds.h"

namespace xwalk::crosswalk {
namespace {

using Words = std::string_view;

/// Adds the examples of a row, or its own name.
void add_examples(const auto& row, Words name, std::vector<Words>* out) {
  if (row.examples[0].empty()) out->push_back(name);
  for (Words words : row.examples) {
    if (!words.empty()) out->push_back(words);
  }
}

std::vector<Words> examples(const auto& rows, auto name) {
  std::vector<Words> out;
  for (const auto& row : rows) add_examples(row, row.*name, &out);
  return out;
}

std::vector<Words> parquet_examples() {
  std::vector<Words> out;
  for (const parquet::PhysicalRow& row : parquet::kPhysicalRows) out.push_back(row.example);
  for (const parquet::LogicalRow& row : parquet::kLogicalRows) {
    // Some have no form of their own: FILE, and the parts of other types.
    if (!row.examples[0].empty()) add_examples(row, row.name, &out);
  }
  return out;
}

std::vector<Words> vortex_examples() {
  std::vector<Words> out;
  for (const vortex::KindRow& row : vortex::kKindRows) {
    if (row.kind == vortex::Kind::Primitive) {
      for (const vortex::PrimitiveRow& primitive : vortex::kPrimitiveRows) {
        out.push_back(primitive.name);
      }
    }
    add_examples(row, row.name, &out);
  }
  return out;
}

constexpr std::array kArrow = {Words("null"),
                               Words("bool"),
                               Words("int8"),
                               Words("int16"),
                               Words("int32"),
                               Words("int64"),
                               Words("uint8"),
                               Words("uint16"),
                               Words("uint32"),
                               Words("uint64"),
                               Words("halffloat"),
                               Words("float"),
                               Words("double"),
                               Words("string"),
                               Words("large_string"),
                               Words("string_view"),
                               Words("binary"),
                               Words("large_binary"),
                               Words("binary_view"),
                               Words("fixed_size_binary[16]"),
                               Words("date32"),
                               Words("date64"),
                               Words("time32[s]"),
                               Words("time32[ms]"),
                               Words("time64[us]"),
                               Words("time64[ns]"),
                               Words("timestamp[s]"),
                               Words("timestamp[ms]"),
                               Words("timestamp[us]"),
                               Words("timestamp[ns]"),
                               Words("timestamp[us, tz=UTC]"),
                               Words("timestamp[us, tz=Europe/Berlin]"),
                               Words("duration[s]"),
                               Words("duration[us]"),
                               Words("duration[ns]"),
                               Words("month_interval"),
                               Words("day_time_interval"),
                               Words("month_day_nano_interval"),
                               Words("decimal32(9, 2)"),
                               Words("decimal64(18, 4)"),
                               Words("decimal128(35, 10)"),
                               Words("decimal256(76, 38)"),
                               Words("list<item: int64>"),
                               Words("large_list<item: int64>"),
                               Words("list_view<item: int64>"),
                               Words("large_list_view<item: int64>"),
                               Words("fixed_size_list<item: float>[4]"),
                               Words("struct<a: int64, b: string>"),
                               Words("map<string, int64>"),
                               Words("dense_union<a: int64=0, b: string=1>"),
                               Words("sparse_union<a: int64=0, b: string=1>"),
                               Words("dictionary<values=string, indices=int32>"),
                               Words("run_end_encoded<run_ends: int32 not null, values: string>")};

}  // namespace

std::span<const std::string_view> kinds(System system) {
  switch (system) {
    case System::Yt: {
      static const std::vector<Words> kYt = examples(yt::kKindRows, &yt::KindRow::short_name);
      return kYt;
    }
    case System::Skiff: {
      static const std::vector<Words> kSkiff = examples(skiff::kWireRows, &skiff::WireRow::name);
      return kSkiff;
    }
    case System::Parquet: {
      static const std::vector<Words> kParquet = parquet_examples();
      return kParquet;
    }
    case System::Lance: {
      static const std::vector<Words> kLance = examples(lance::kKindRows, &lance::KindRow::name);
      return kLance;
    }
    case System::Vortex: {
      static const std::vector<Words> kVortex = vortex_examples();
      return kVortex;
    }
    case System::Arrow:
      return kArrow;
  }
  return {};
}

}  // namespace xwalk::crosswalk
