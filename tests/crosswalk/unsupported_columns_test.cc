#include "xwalk/crosswalk/unsupported_columns.h"

#include <optional>
#include <string>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/crosswalk/random_values.h"
#include "xwalk/arrow/module.h"
#include "xwalk/base/error.h"
#include "xwalk/crosswalk/consent.h"
#include "xwalk/crosswalk/plan.h"
#include "xwalk/hub/array.h"
#include "xwalk/hub/module.h"
#include "xwalk/parquet/module.h"
#include "xwalk/yt/module.h"

// A plan never throws for a column: each that cannot be converted has the verdict `unsupported`
// with its reason, and the others are planned as if it were not there.

namespace xwalk::crosswalk {
namespace {

using hub::Field;
using hub::Kind;
using hub::Schema;
using ::testing::ElementsAre;
using ::testing::HasSubstr;

/// The verdict of each column, and the reason of each that is unsupported: `a exact`,
/// `b unsupported type.no-cast`.
std::vector<std::string> lines_of(const Plan& plan) {
  std::vector<std::string> out;
  const std::vector<hub::Verdict> verdicts = plan.column_verdicts();
  size_t column = 0;
  for (const PathReport& report : plan.paths) {
    if (report.path.size() != 1) continue;
    const hub::Verdict verdict = verdicts.at(column++);
    out.push_back(report.path.text() + " " + std::string(hub::to_string(verdict)));
    if (verdict == hub::Verdict::Unsupported) {
      out.back() += " " + std::string(report.reasons.front().rule);
    }
  }
  return out;
}

/// The paths of `Plan::unsupported`.
std::vector<std::string> paths_of(const Plan& plan) {
  std::vector<std::string> out;
  for (const hub::Finding& finding : plan.unsupported) out.push_back(finding.path.text());
  return out;
}

Field empty_struct(std::string name) { return {std::move(name), hub::struct_({})}; }

TEST(UnsupportedColumns, HaveNoTypeInTheTarget) {
  const Schema source{
      {empty_struct("a"), Field("b", Kind::Int64), Field("c", hub::list(empty_struct("item"))),
       Field("d", hub::struct_({Field("x", Kind::Utf8), empty_struct("y")}))},
      {}};
  const Plan plan = crosswalk::plan(arrow::kModule, source, parquet::kModule);
  EXPECT_THAT(lines_of(plan),
              ElementsAre("a unsupported type.unsupported", "b exact",
                          "c unsupported type.unsupported", "d unsupported type.unsupported"));
  EXPECT_THAT(paths_of(plan), ElementsAre("a", "c[]", "d.y"));
  EXPECT_EQ(plan.verdict(), hub::Verdict::Unsupported);
  EXPECT_EQ(plan.source_hub, source);
  EXPECT_EQ(plan.target_hub.fields.size(), 1U);
  EXPECT_EQ(plan.cast.from().fields.size(), 1U);
  EXPECT_THAT(plan.paths.back().reasons.front().lost,
              HasSubstr("d.y: expected a type that Parquet can store"));
}

TEST(UnsupportedColumns, HaveNoTypeInTheirOwnSystem) {
  const Schema source{{Field("a", Kind::Int64), Field("g", hub::struct_({}), false)}, {}};
  const Plan plan = crosswalk::plan(parquet::kModule, source, yt::kModule);
  EXPECT_THAT(lines_of(plan), ElementsAre("a exact", "g unsupported type.unsupported"));
}

TEST(UnsupportedColumns, MayBeAllColumns) {
  for (const System target : systems()) {
    PlanOptions options;
    const Schema source{{Field("a", Kind::Bool), Field("b", Kind::Bool)}, {}};
    for (const Field& field : source.fields) {
      options.casts.push_back({Path::column(field.name), false, "list<item: int64>"});
    }
    const Plan plan = crosswalk::plan(arrow::kModule, source, target, options);
    EXPECT_THAT(lines_of(plan),
                ElementsAre("a unsupported type.no-cast", "b unsupported type.no-cast"))
        << target->name;
    EXPECT_TRUE(plan.target_hub.fields.empty()) << target->name;
  }
}

TEST(UnsupportedColumns, HaveNoCastToAGivenTarget) {
  const Schema source{
      {Field("a", Kind::Int64, false), Field("b", hub::list(Field("item", Kind::Int64))),
       Field("was", Kind::Bool), Field("d", Kind::Bool, false),
       Field("e", hub::struct_({Field("x", Kind::Int64)}))},
      {}};
  const AnySchema target = parse_schema(
      yt::kModule,
      "[{name=a;type_v3=int64};{name=b;type_v3=int64};{name=is;type_v3=yson};{name=d;type_v3=bool};"
      "{name=e;type_v3={type_name=struct;members=[{name=x;type={type_name=list;item=int64}}]}};"
      "{name=must;type_v3=int64};{name=may;type_v3={type_name=optional;item=int64}};"
      "{name=too;type_v3=int64}]");
  PlanOptions options;
  options.rename.push_back({Path::column("was"), "is"});
  const Plan plan = plan_to(arrow::kModule, source, target, options);
  EXPECT_THAT(lines_of(plan), ElementsAre("a exact", "b unsupported meaning.differs",
                                          "was unsupported meaning.differs", "d exact",
                                          "e unsupported meaning.differs"));
  EXPECT_THAT(paths_of(plan), ElementsAre("b", "was", "e.x", "must", "too"));
  EXPECT_EQ(plan.paths.at(2).target, "Int64");
  EXPECT_EQ(plan.paths.front().values, hub::Values::None);
  EXPECT_EQ(plan.target, target);
}

TEST(UnsupportedColumns, AreRefusedWithTheFirstAndTheNumberOfOthers) {
  const Schema source{{Field("a", Kind::Int64), empty_struct("b"), empty_struct("c")}, {}};
  const Plan plan = crosswalk::plan(arrow::kModule, source, parquet::kModule);
  try {
    ask_consent(plan, /*allow_lossy=*/true);
    FAIL() << "a plan without a column was accepted";
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), ErrorCode::Unsupported);
    EXPECT_EQ(error.place().path.text(), "b");
    EXPECT_EQ(error.message(),
              "expected a type that Parquet can store, found struct<>; 1 more column cannot be "
              "converted");
  }
  EXPECT_THROW(require_all_columns(plan), Error);
  const Plan whole =
      crosswalk::plan(arrow::kModule, {{source.fields.front()}, {}}, parquet::kModule);
  EXPECT_NO_THROW(require_all_columns(whole));
}

TEST(UnsupportedColumns, OfOneNameAreToldApart) {
  const Schema source{{Field("a", Kind::Int64), empty_struct("a"), Field("a", Kind::Utf8)}, {}};
  const Plan plan = crosswalk::plan(arrow::kModule, source, parquet::kModule);
  ASSERT_EQ(plan.column_verdicts().size(), 3U);
  EXPECT_EQ(plan.column_verdicts()[1], hub::Verdict::Unsupported);
  EXPECT_LT(plan.column_verdicts()[0], hub::Verdict::Unsupported);
  EXPECT_LT(plan.column_verdicts()[2], hub::Verdict::Unsupported);
}

TEST(UnsupportedColumns, LeaveErrorsAboutOptionsAlone) {
  const Schema source{{empty_struct("a"), Field("b", Kind::Int64)}, {}};
  PlanOptions unknown;
  unknown.rename.push_back({Path::column("none"), "x"});
  PlanOptions alike;
  alike.rename.push_back({Path::column("a"), "b"});
  for (const PlanOptions& options : {unknown, alike}) {
    try {
      (void)crosswalk::plan(arrow::kModule, source, parquet::kModule, options);
      FAIL() << "contradictory options were accepted";
    } catch (const Error& error) {
      EXPECT_EQ(error.code(), ErrorCode::Usage) << error.describe();
    }
  }
}

/// The exact mapping refuses in one step every column that it refuses alone, with the same reason.
class RefusedColumns : public ::testing::TestWithParam<System> {};

TEST_P(RefusedColumns, AreThoseThatAreRefusedAlone) {
  const System system = GetParam();
  size_t refused = 0;
  for (uint64_t seed = 0; seed < 300; ++seed) {
    testing::RandomData data(seed);
    const Schema schema{data.fields(6, 3), {}};
    hub::Refused all;
    hub::FromArrow<AnySchema> mapped = system->from_arrow(schema, &all);
    ASSERT_FALSE(all.whole) << all.whole->describe();
    refused += all.columns.size();
    for (size_t i = 0; i < schema.fields.size(); ++i) {
      hub::Refused alone;
      system->from_arrow({{schema.fields[i]}, {}}, &alone);
      ASSERT_EQ(all.columns.contains(i), !alone.empty()) << "seed " << seed << ", column " << i;
      if (alone.empty()) continue;
      EXPECT_EQ(all.columns.at(i).describe(), alone.columns.at(0).describe());
      EXPECT_EQ(all.columns.at(i).place().path.steps().front()->name, schema.fields[i].name);
    }
    if (all.empty()) {
      EXPECT_EQ(mapped.schema, system->from_arrow(schema, nullptr).schema) << "seed " << seed;
      continue;
    }
    try {
      system->from_arrow(schema, nullptr);
      FAIL() << "seed " << seed;
    } catch (const Error& error) {
      EXPECT_EQ(error.describe(), all.columns.begin()->second.describe()) << "seed " << seed;
    }
  }
  EXPECT_TRUE(system->is_hub || refused > 100) << refused;
}

INSTANTIATE_TEST_SUITE_P(Systems, RefusedColumns,
                         ::testing::ValuesIn(systems().begin(), systems().end()),
                         [](const auto& of) { return std::string(of.param->name); });

/// Returns the reports on a column, without its name.
std::string words_of(const Plan& plan, size_t column) {
  std::string out;
  size_t met = 0;
  for (const PathReport& report : plan.paths) {
    if (report.path.size() == 1) ++met;
    if (met != column + 1) continue;
    out += report.source + " | " + report.target + " | " +
           std::string(hub::to_string(report.verdict())) + "\n";
  }
  return out;
}

/// Columns to given targets of random types: in one plan each has the verdict that it has alone.
class TotalPlan : public ::testing::TestWithParam<System> {};

TEST_P(TotalPlan, SaysOfEachColumnWhatItSaysOfItAlone) {
  const System system = GetParam();
  int asked = 0;
  int unsupported = 0;
  for (uint64_t seed = 0; seed < 150; ++seed) {
    testing::RandomData data(seed);
    const Schema source{data.fields(4, 2), {}};
    Schema wanted{data.fields(5, 2), {}};
    AnySchema target;
    try {
      target = from_arrow(system, wanted).schema;
    } catch (const Error& error) {
      ASSERT_EQ(error.code(), ErrorCode::Unsupported) << error.describe();
      continue;
    }
    const Schema there = to_arrow(target);
    ASSERT_EQ(there.fields.size(), wanted.fields.size());
    std::optional<Plan> plan;
    ASSERT_NO_THROW(plan = plan_to(arrow::kModule, source, target)) << seed;
    ++asked;
    for (size_t i = 0; i < source.fields.size(); ++i) {
      const AnySchema one = from_arrow(system, {{wanted.fields[i]}, {}}).schema;
      const Plan alone = plan_to(arrow::kModule, {{source.fields[i]}, {}}, one);
      ASSERT_EQ(words_of(*plan, i), words_of(alone, 0)) << "seed " << seed << ", column " << i;
      if (!alone.unsupported.empty()) ++unsupported;
    }
    const Field& last = there.fields.back();
    const bool may_be_null =
        last.type.kind() == Kind::Null || (last.nullable && hub::has_validity(last.type.kind()));
    EXPECT_EQ(plan->paths.front().values == hub::Values::None, !may_be_null) << "seed " << seed;
  }
  EXPECT_GT(asked, 50);
  EXPECT_GT(unsupported, 50);
}

INSTANTIATE_TEST_SUITE_P(Systems, TotalPlan,
                         ::testing::ValuesIn(systems().begin(), systems().end()),
                         [](const auto& of) { return std::string(of.param->name); });

}  // namespace
}  // namespace xwalk::crosswalk
