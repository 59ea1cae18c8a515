#include "xwalk/crosswalk/kinds.h"

#include <vector>

#include "xwalk/hub/kinds.h"
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
    case System::Arrow: {
      static const std::vector<Words> kArrow = examples(hub::kKindRows, &hub::KindRow::name);
      return kArrow;
    }
  }
  return {};
}

}  // namespace xwalk::crosswalk
