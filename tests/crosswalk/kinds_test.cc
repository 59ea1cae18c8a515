#include "xwalk/crosswalk/kinds.h"

#include <set>

#include <gtest/gtest.h>

#include "xwalk/crosswalk/plan.h"
#include "xwalk/hub/finding.h"

namespace xwalk::crosswalk {
namespace {

// Every kind of every system against every target has a row in the table.
TEST(KindsTest, EveryKindHasAWayToEverySystem) {
  for (const System from : kSystems) {
    for (const std::string_view words : kinds(from)) {
      SCOPED_TRACE(std::string(to_string(from)) + " " + std::string(words));
      AnySchema schema;
      ASSERT_NO_THROW(schema = parse_type(from, words));
      ASSERT_EQ(to_arrow(schema).fields.size(), 1U);
      for (const System target : kSystems) {
        try {
          const Plan plan = crosswalk::plan(schema, target);
          EXPECT_EQ(plan.paths.at(1).path.steps().size(), 1U);
          EXPECT_FALSE(plan.paths.at(1).target.empty());
          if (from == target) {
            EXPECT_LE(plan.verdict(), hub::Verdict::Annotated);
          }
        } catch (const Error& error) {
          EXPECT_EQ(error.code(), ErrorCode::Unsupported) << error.describe();
          EXPECT_NE(from, target) << error.describe();
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
  for (const std::string_view words : kinds(System::Arrow)) {
    for (const hub::Field& field : to_arrow(parse_type(System::Arrow, words)).fields) {
      count_kinds(field, &seen);
    }
  }
  EXPECT_EQ(seen.size(), static_cast<size_t>(hub::Kind::RunEndEncoded) + 1);
}

TEST(KindsTest, ListsEveryKindOfYt) {
  std::set<yt::TypeKind> seen;
  for (const std::string_view words : kinds(System::Yt)) {
    const auto table = std::get<yt::TableSchema>(parse_type(System::Yt, words));
    seen.insert(table.columns.at(0).type.kind());
  }
  seen.insert(yt::TypeKind::Yson);  // a column of it is optional<yson>
  EXPECT_EQ(seen.size(), static_cast<size_t>(yt::TypeKind::Decimal) + 1);
}

TEST(KindsTest, ListsEveryWireTypeOfSkiff) {
  std::set<skiff::WireType> seen;
  for (const std::string_view words : kinds(System::Skiff)) {
    const auto schema = std::get<skiff::Schema>(parse_type(System::Skiff, words));
    const skiff::Type& type = schema.format.tables.at(0).child(0);
    seen.insert(type.wire());
    for (const skiff::Type& child : type.children()) seen.insert(child.wire());
  }
  EXPECT_EQ(seen.size(), static_cast<size_t>(skiff::kWireTypeCount));
}

}  // namespace
}  // namespace xwalk::crosswalk
