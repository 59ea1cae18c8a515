#include "tests/crosswalk/laws.h"

#include <gtest/gtest.h>

#include "xwalk/arrow/module.h"
#include "xwalk/crosswalk/plan.h"
#include "xwalk/hub/annotation.h"
#include "xwalk/hub/module.h"
#include "xwalk/parquet/module.h"
#include "xwalk/report/json.h"
#include "xwalk/report/text.h"
#include "xwalk/yt/module.h"

// The laws of laws.h, for random schemas of all pairs of systems.

namespace xwalk::crosswalk {
namespace {

using hub::Schema;
using testing::broken;
using testing::random_schema;
using testing::with_places;

/// Fields with one thing less than this: a member, or a child in its parent's place.
std::vector<hub::Field> smaller(const hub::Field& field) {
  std::vector<hub::Field> out;
  const bool encoded = !(without_encoding(field.type) == field.type);
  const std::vector<Child> children =
      encoded ? std::vector<Child>() : children_of(field.type, Path());
  std::vector<hub::Field> fields;
  for (const Child& child : children) fields.push_back(*child.field);
  for (hub::Field alone : fields) {
    alone.name = field.name;
    out.push_back(std::move(alone));
  }
  const auto add = [&](std::vector<hub::Field> others) {
    hub::Field less = field;
    less.type = with_places(field.type, std::move(others));
    out.push_back(std::move(less));
  };
  for (size_t i = 0; i < fields.size(); ++i) {
    // The members of unions have codes, whose number is the type's own.
    if (field.type.kind() == hub::Kind::Struct) {
      std::vector<hub::Field> others = fields;
      others.erase(others.begin() + static_cast<std::ptrdiff_t>(i));
      hub::Field less = field;
      less.type = hub::struct_(std::move(others));
      out.push_back(std::move(less));
    }
    for (hub::Field& child : smaller(fields[i])) {
      std::vector<hub::Field> others = fields;
      child.name = others[i].name;
      others[i] = std::move(child);
      add(std::move(others));
    }
  }
  return out;
}

/// Takes things away while some law stays broken, and says what is left.
std::string shrunk(System from, Schema schema, System target, uint64_t seed, std::string why) {
  const auto still = [&](const Schema& less) {
    try {
      std::string found = broken(from, less, target, seed);
      if (found.empty()) return false;
      why = std::move(found);
      return true;
    } catch (const std::exception&) {
      return false;
    }
  };
  for (bool again = true; again;) {
    again = false;
    for (size_t i = 0; i < schema.fields.size() && schema.fields.size() > 1 && !again; ++i) {
      Schema less = schema;
      less.fields.erase(less.fields.begin() + static_cast<std::ptrdiff_t>(i));
      again = still(less);
      if (again) schema = std::move(less);
    }
    for (size_t i = 0; i < schema.fields.size() && !again; ++i) {
      for (hub::Field& field : smaller(schema.fields[i])) {
        Schema less = schema;
        less.fields[i] = std::move(field);
        again = still(less);
        if (!again) continue;
        schema = std::move(less);
        break;
      }
    }
  }
  return why + "\n" + hub::to_string(schema);
}

class LawsTest : public ::testing::TestWithParam<std::pair<System, System>> {};

TEST_P(LawsTest, HoldForRandomSchemas) {
  const auto [from, target] = GetParam();
  int failures = 0;
  int asked = 0;
  for (uint64_t seed = 0; seed < 150 && failures < 3; ++seed) {
    Schema source;
    try {
      source = random_schema(from, seed);
    } catch (const Error& error) {
      // Why the system has no such schema is the question of the pairs that lead to it.
      ASSERT_EQ(error.code(), ErrorCode::Unsupported) << error.describe();
      continue;
    }
    ++asked;
    const std::string why = broken(from, source, target, seed);
    if (why.empty()) continue;
    ++failures;
    ADD_FAILURE() << "seed " << seed << ": " << shrunk(from, source, target, seed, why);
  }
  EXPECT_GT(asked, failures == 3 ? 0 : 100);
}

std::vector<std::pair<System, System>> pairs() {
  std::vector<std::pair<System, System>> out;
  for (const System from : systems()) {
    for (const System target : systems()) out.emplace_back(from, target);
  }
  return out;
}

INSTANTIATE_TEST_SUITE_P(AllPairs, LawsTest, ::testing::ValuesIn(pairs()), [](const auto& pair) {
  return std::string(pair.param.first->name) + "_to_" + std::string(pair.param.second->name);
});

TEST(PlanTest, NamesWhatIsNarrowedWithAWitness) {
  const Schema schema{{hub::Field("date", hub::timestamp(hub::TimeUnit::Micro)),
                       hub::Field("delay", hub::Kind::Int32)},
                      {}};
  const Plan plan = crosswalk::plan(arrow::kModule, schema, yt::kModule);
  EXPECT_EQ(report::summary(plan), "2 columns: 1 exact, 1 checked (date)");
  EXPECT_EQ(plan.verdict(), hub::Verdict::Checked);
  const PathReport& date = plan.paths.at(1);
  EXPECT_EQ(date.path.text(), "date");
  EXPECT_EQ(date.reasons.at(0).rule, "range.narrowed");
  EXPECT_NE(date.reasons.at(0).witness, "");
  report::Check check;
  check.plan = &plan;
  check.name = "flights";
  const std::string text = report::print_text(check);
  EXPECT_NE(text.find("range.narrowed"), std::string::npos) << text;
  EXPECT_NE(report::print_json(check).find("\"verdict\": \"checked\""), std::string::npos);
}

TEST(PlanTest, CountsWhatAnnotationsSave) {
  const AnySchema source = parse_schema(
      yt::kModule,
      "[{name=d;type_v3=date};{name=i;type_v3=int64};{name=t;type_v3={type_name=tagged;"
      "tag=url;item=string}}]");
  const Plan noted = crosswalk::plan(source, parquet::kModule);
  EXPECT_EQ(noted.column_verdicts(),
            (std::vector{hub::Verdict::Annotated, hub::Verdict::Exact, hub::Verdict::Annotated}));
  PlanOptions plain;
  plain.annotations = false;
  EXPECT_EQ(crosswalk::plan(source, parquet::kModule, plain).column_verdicts(),
            (std::vector{hub::Verdict::Widened, hub::Verdict::Exact, hub::Verdict::Widened}));
}

TEST(PlanTest, MetadataOfAFileIsKeptWhereTheTargetKeepsIt) {
  Schema schema{{hub::Field("a", hub::Kind::Int64)}, {}};
  schema.metadata.set("who", "me");
  schema.fields[0].metadata.set("doc", "x");
  for (const System target : systems()) {
    if (!target->keeps_metadata) continue;
    const Plan plan = crosswalk::plan(parquet::kModule, schema, target);
    EXPECT_EQ(plan.verdict(), hub::Verdict::Exact) << target->name;
  }
  const Plan plan = crosswalk::plan(parquet::kModule, schema, yt::kModule);
  EXPECT_EQ(plan.verdict(), hub::Verdict::Widened);
  EXPECT_EQ(plan.paths.at(0).labels, std::vector<std::string>{"metadata \"who\""});
  EXPECT_EQ(plan.paths.at(1).labels, std::vector<std::string>{"metadata \"doc\""});
}

TEST(PlanTest, LabelsThatNobodyReadAreMetadataOfOthers) {
  Schema schema{{hub::Field("a", hub::Kind::Int64)}, {}};
  schema.fields[0].metadata.set(yt::kModule.labels_key, "{broken");
  schema.metadata.set(hub::annotation_key("yt"), "<broken");
  for (const System from : systems()) {
    for (const System target : systems()) {
      EXPECT_NO_THROW(crosswalk::plan(from, schema, target)) << from->name << target->name;
    }
  }
}

TEST(PlanTest, AGivenSchemaSaysItselfWhatItsColumnsAre) {
  const AnySchema two_levels = parse_schema(
      parquet::kModule, "message m { optional group l (LIST) { repeated int32 array; } }");
  const AnySchema three_levels = parse_schema(
      parquet::kModule,
      "message m { optional group l (LIST) { repeated group list { required int32 element; } } }");
  const Plan plan = plan_to(parquet::kModule, to_arrow(two_levels), three_levels);
  EXPECT_EQ(print_schema(plan.target), print_schema(three_levels));
  EXPECT_EQ(hub::annotation(plan.target_hub.fields[0], "parquet"), std::nullopt);
  EXPECT_EQ(plan.paths.at(1).type, hub::TypeKept::Changed);
}

TEST(PlanTest, TakesTenThousandColumns) {
  Schema schema;
  for (int i = 0; i < 10000; ++i) {
    schema.fields.emplace_back("c" + std::to_string(i), hub::Type(hub::Kind::Int64));
  }
  const Plan plan = crosswalk::plan(arrow::kModule, schema, parquet::kModule);
  EXPECT_EQ(report::summary(plan), "10000 columns: 10000 exact");
}

}  // namespace
}  // namespace xwalk::crosswalk
