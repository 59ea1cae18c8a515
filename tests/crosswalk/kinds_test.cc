#include "xwalk/hub/kinds.h"

#include <algorithm>
#include <set>

#include <gtest/gtest.h>

#include "xwalk/arrow/module.h"
#include "xwalk/crosswalk/consent.h"
#include "xwalk/crosswalk/plan.h"
#include "xwalk/crosswalk/schema.h"
#include "xwalk/hub/finding.h"
#include "xwalk/hub/module.h"
#include "xwalk/iceberg/module.h"
#include "xwalk/lance/kinds.h"
#include "xwalk/lance/module.h"
#include "xwalk/lance/schema.h"
#include "xwalk/parquet/kinds.h"
#include "xwalk/parquet/module.h"
#include "xwalk/parquet/type.h"
#include "xwalk/skiff/kinds.h"
#include "xwalk/skiff/module.h"
#include "xwalk/skiff/schema.h"
#include "xwalk/vortex/kinds.h"
#include "xwalk/vortex/module.h"
#include "xwalk/vortex/type.h"
#include "xwalk/yt/kinds.h"
#include "xwalk/yt/module.h"
#include "xwalk/yt/schema.h"

namespace xwalk::crosswalk {
namespace {

// Every kind of every system has a plan to every target that convert carries out by itself.
TEST(KindsTest, EveryKindHasAWayToEverySystem) {
  for (const System from : systems()) {
    for (const std::string_view words : from->kinds()) {
      SCOPED_TRACE(std::string(from->name) + " " + std::string(words));
      AnySchema schema;
      ASSERT_NO_THROW(schema = parse_type(from, words));
      ASSERT_EQ(to_arrow(schema).fields.size(), 1U);
      for (const System target : systems()) {
        SCOPED_TRACE(target->name);
        const Plan plan = crosswalk::plan(schema, target);
        EXPECT_EQ(plan.paths.at(1).path.steps().size(), 1U);
        // Data files of Iceberg have no column of the type unknown.
        const bool is_stored =
            from != iceberg::kModule || target != parquet::kModule || words != "unknown";
        EXPECT_EQ(plan.paths.at(1).target.empty(), !is_stored);
        EXPECT_EQ(to_arrow(plan.target).fields.size(), is_stored ? 1U : 0U);
        EXPECT_FALSE(objection_to(plan, false));
        if (from == target) {
          // A map of Parquet may repeat a key, which is rejected unless the options keep every
          // pair.
          PlanOptions every_pair;
          every_pair.cast.duplicate_keys = hub::DuplicateKeys::Keep;
          const Plan itself = crosswalk::plan(schema, target, every_pair);
          // INT96 and INTERVAL hold more times than the Arrow types that they are read as.
          const bool is_wider = std::ranges::any_of(itself.paths, [](const PathReport& path) {
            return std::ranges::any_of(path.reasons, [](const Reason& reason) {
              return reason.rule == "range.narrowed" || reason.rule == "unit.coarser";
            });
          });
          EXPECT_LE(itself.verdict(), is_wider ? hub::Verdict::Checked : hub::Verdict::Annotated);
          const bool is_time =
              words.find("int96") != words.npos || words.find("INTERVAL") != words.npos;
          EXPECT_TRUE(!is_wider || is_time) << words;
        }
      }
    }
  }
}

template <typename Kind>
void count_kinds(const hub::Field& field, std::set<Kind>* seen) {
  seen->insert(field.type.kind());
  for (const hub::Field& child : field.type.children()) count_kinds(child, seen);
}

TEST(KindsTest, ListsEveryKindOfArrow) {
  std::set<hub::Kind> seen;
  for (const std::string_view words : arrow::kModule.kinds()) {
    for (const hub::Field& field : to_arrow(parse_type(arrow::kModule, words)).fields) {
      count_kinds(field, &seen);
    }
  }
  EXPECT_EQ(seen.size(), static_cast<size_t>(hub::Kind::RunEndEncoded) + 1);
}

TEST(KindsTest, ListsEveryKindOfYt) {
  std::set<yt::TypeKind> seen;
  for (const std::string_view words : yt::kModule.kinds()) {
    const auto table = parse_type(yt::kModule, words).as<yt::TableSchema>();
    seen.insert(table.columns.at(0).type.kind());
  }
  seen.insert(yt::TypeKind::Yson);  // a column of it is optional<yson>
  EXPECT_EQ(seen.size(), yt::kKindRows.size());
}

TEST(KindsTest, ListsEveryWireTypeOfSkiff) {
  std::set<skiff::WireType> seen;
  for (const std::string_view words : skiff::kModule.kinds()) {
    const auto schema = parse_type(skiff::kModule, words).as<skiff::Schema>();
    const skiff::Type& type = schema.format.tables.at(0).child(0);
    seen.insert(type.wire());
    for (const skiff::Type& child : type.children()) seen.insert(child.wire());
  }
  EXPECT_EQ(seen.size(), skiff::kWireRows.size());
}

void count_kinds(const parquet::Node& node, std::set<parquet::LogicalType::Kind>* annotations,
                 std::set<parquet::PhysicalType>* types) {
  annotations->insert(node.logical().kind());
  if (!node.is_group()) types->insert(node.physical());
  if (!node.is_group()) return;
  for (const parquet::Node& child : node.children()) count_kinds(child, annotations, types);
}

TEST(KindsTest, ListsEveryAnnotationAndTypeOfParquet) {
  using Kind = parquet::LogicalType::Kind;
  std::set<Kind> annotations;
  std::set<parquet::PhysicalType> types;
  for (const std::string_view words : parquet::kModule.kinds()) {
    const auto schema = parse_type(parquet::kModule, words).as<parquet::Schema>();
    count_kinds(schema.root(), &annotations, &types);
  }
  for (const parquet::LogicalRow& row : parquet::kLogicalRows) {
    if (row.kind == Kind::File) break;
    EXPECT_TRUE(annotations.contains(row.kind)) << row.name;
  }
  EXPECT_EQ(types.size(), parquet::kPhysicalRows.size());
}

void count_kinds(const lance::Field& field, std::set<lance::Kind>* seen) {
  seen->insert(field.type.kind());
  if (field.type.kind() == lance::Kind::FixedSizeList) seen->insert(field.type.element().kind());
  for (const lance::Field& child : field.children) count_kinds(child, seen);
}

TEST(KindsTest, ListsEveryKindOfLance) {
  std::set<lance::Kind> seen;
  for (const std::string_view words : lance::kModule.kinds()) {
    const auto schema = parse_type(lance::kModule, words).as<lance::Schema>();
    for (const lance::Field& field : schema.fields) count_kinds(field, &seen);
  }
  EXPECT_EQ(seen.size(), lance::kKindRows.size());
}

TEST(KindsTest, ListsEveryKindOfVortex) {
  std::set<vortex::Kind> seen;
  for (const std::string_view words : vortex::kModule.kinds()) {
    const auto row = parse_type(vortex::kModule, words).as<vortex::DType>();
    seen.insert(row.kind());
    seen.insert(row.members()[0].type.kind());
  }
  EXPECT_EQ(seen.size(), vortex::kKindRows.size());
}

// The words that `type` prints are words that it reads.
TEST(KindsTest, WordsAreReadAsTheyArePrinted) {
  static constexpr System kExact[] = {yt::kModule, parquet::kModule, lance::kModule,
                                      vortex::kModule};
  for (const System system : kExact) {
    for (const std::string_view words : system->kinds()) {
      SCOPED_TRACE(std::string(system->name) + " " + std::string(words));
      const std::string printed = system->type_text(parse_type(system, words));
      EXPECT_EQ(system->type_text(parse_type(system, printed)), printed);
    }
  }
}

TEST(KindsTest, WordsOfLanceThatBreakOffAreRefused) {
  for (const std::string_view words : {"", "list<", "list<item", "list<item: ", "list<item: int8",
                                       "list<item: int8>>", "int8, int8", "list<item: int8>,"}) {
    EXPECT_THROW((void)parse_type(lance::kModule, words), Error) << words;
  }
}

}  // namespace
}  // namespace xwalk::crosswalk
