#include "xwalk/crosswalk/alike.h"

#include <cstdint>
#include <string>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/crosswalk/laws.h"
#include "tests/hub/values.h"
#include "xwalk/arrow/module.h"
#include "xwalk/base/error.h"
#include "xwalk/crosswalk/plan.h"
#include "xwalk/hub/module.h"
#include "xwalk/iceberg/module.h"
#include "xwalk/parquet/module.h"
#include "xwalk/skiff/module.h"
#include "xwalk/vortex/module.h"
#include "xwalk/yt/module.h"

// Columns that equal others are reported on once. The same columns with names that are not plain
// words are reported on one by one. Except for the names, both results are the same.

namespace xwalk::crosswalk {
namespace {

using hub::Schema;
using testing::random_schema;

/// Copies the columns of a schema several times under new names.
Schema repeated(const Schema& schema, const std::string& name) {
  Schema out = schema;
  out.fields.clear();
  for (int copy = 0; copy < 3; ++copy) {
    for (const hub::Field& column : schema.fields) {
      out.fields.push_back(column);
      out.fields.back().name = name + std::to_string(out.fields.size());
    }
  }
  return out;
}

std::string words_of(const PathReport& report) {
  std::string out = report.path.text() + " | " + report.source + " | " + report.target + " | " +
                    std::string(hub::to_string(report.values)) + " | " +
                    std::string(hub::to_string(report.type));
  for (const std::string& label : report.labels) out += " | " + label;
  for (const Reason& reason : report.reasons) {
    out += "\n  " + std::string(reason.rule) + " | " + std::string(hub::to_string(reason.values)) +
           " | " + reason.label + " | " + reason.lost + " | " + reason.witness + " | " +
           reason.hint;
  }
  return out + "\n";
}

/// The text of a plan for all paths, with one name replaced by the other.
std::string words_of(const Plan& plan, const std::string& name, const std::string& other) {
  std::string out;
  for (const PathReport& report : plan.paths) out += words_of(report);
  for (size_t at = 0; (at = out.find(name, at)) != std::string::npos; at += other.size()) {
    out.replace(at, name.size(), other);
  }
  return out;
}

TEST(AlikeColumnsTest, AreReportedOnAsTheyAreOneByOne) {
  int asked = 0;
  for (const System from : systems()) {
    for (const System target : systems()) {
      for (uint64_t seed = 0; seed < 10; ++seed) {
        Schema schema;
        try {
          schema = random_schema(from, seed);
        } catch (const Error& error) {
          ASSERT_EQ(error.code(), ErrorCode::Unsupported) << error.describe();
          continue;
        }
        PlanOptions options;
        options.annotations = seed % 3 != 0;
        if (seed % 4 == 0) options.special_decimals_as_null = true;
        const auto said = [&](const std::string& name) -> std::string {
          try {
            const Plan plan = crosswalk::plan(from, repeated(schema, name), target, options);
            return words_of(plan, name, "column");
          } catch (const Error& error) {
            return std::string("refused: ") + error.message();
          }
        };
        ASSERT_EQ(said("w0rd"), said("_w0rd"))
            << from->name << " to " << target->name << ", seed " << seed;
        ++asked;
      }
    }
  }
  EXPECT_GT(asked, 300);
}

Schema table(std::vector<hub::Field> fields) { return {std::move(fields), {}}; }

hub::Field int64(const std::string& name) { return {name, hub::Kind::Int64}; }

/// Returns how many of the columns are distinct. The last one always is.
size_t distinct(const Schema& schema, const PlanOptions& options = {}) {
  const AlikeColumns alike(schema, options);
  return alike.any() ? alike.distinct().fields.size() : schema.fields.size();
}

TEST(AlikeColumnsTest, AreEqualInAllButTheirNames) {
  hub::Field noted("e", hub::Kind::Int64);
  noted.metadata.set("doc", "x");
  hub::Field noted_too = noted;
  noted_too.name = "f";
  const Schema schema = table({int64("a"),
                               int64("b"),
                               {"c", hub::Kind::Int64, false},
                               {"d", hub::Kind::Int32},
                               noted,
                               noted_too,
                               int64("g"),
                               int64("h")});
  const AlikeColumns alike(schema, {});
  const std::vector<hub::Field>& fields = alike.distinct().fields;
  ASSERT_EQ(fields.size(), 5);
  EXPECT_EQ(fields.at(1), schema.fields.at(2));
  EXPECT_EQ(fields.at(2), schema.fields.at(3));
  EXPECT_EQ(fields.at(3).metadata, noted.metadata);
  EXPECT_EQ(fields.at(4), int64("h"));
  EXPECT_EQ(alike.all(alike.distinct(), {}), schema);
  EXPECT_EQ(alike.all(table({fields.at(0), fields.at(4)}), {1, 2, 3}),
            table({int64("a"), int64("b"), int64("g"), int64("h")}));
}

TEST(AlikeColumnsTest, HaveNamesThatMeanNothing) {
  EXPECT_EQ(distinct(table({int64("a"), int64("b"), int64("z")})), 2);
  for (const std::string name : {"$b", "", "_e", "h.i", "a", "A"}) {
    EXPECT_EQ(distinct(table({int64("a"), int64(name), int64("z")})), 3) << name;
  }
  EXPECT_EQ(distinct(table({int64("a"), int64(std::string(41, 'b')), int64("z")})), 3);
}

TEST(AlikeColumnsTest, AreNotMentioned) {
  const Schema schema = table({int64("a"), int64("b"), int64("c"), int64("z")});
  PlanOptions options;
  EXPECT_EQ(distinct(schema, options), 2);
  options.rename = {{Path::column("b"), "C"}};
  EXPECT_EQ(distinct(schema, options), 4);
  options.rename = {{Path::column("z"), "b"}};
  EXPECT_EQ(distinct(schema, options), 3);
  options = {};
  options.casts = {{Path::column("b"), false, "int32"}};
  EXPECT_EQ(distinct(schema, options), 3);
  options.casts.front().pattern = true;
  EXPECT_EQ(distinct(schema, options), 4);
  Schema noted = schema;
  noted.metadata.set("xwalk:yt", "<deleted_columns=[{stable_name=c}]>[]");
  EXPECT_EQ(distinct(noted), 3);
}

TEST(AlikeColumnsTest, HaveNoIdsOrKeys) {
  hub::Field one = int64("a");
  one.metadata.set("PARQUET:field_id", "7");
  hub::Field other = one;
  other.name = "b";
  EXPECT_EQ(distinct(table({one, other, int64("z")})), 3);
  const auto group = [&](const std::string& name) { return hub::Field(name, hub::struct_({one})); };
  EXPECT_EQ(distinct(table({group("a"), group("b"), int64("z")})), 3);
}

TEST(AlikeColumnsTest, GetIdsOfTheirOwnInTheTarget) {
  const hub::Type list = hub::list({"item", hub::Kind::Int64});
  const Schema source = table({int64("a"), {"b", list}, int64("c"), {"d", list}, int64("e")});
  const Plan plan = crosswalk::plan(arrow::kModule, source, iceberg::kModule, {});
  std::vector<std::string> ids;
  for (const hub::Field& field : plan.target_hub.fields) {
    ids.emplace_back(*field.metadata.find("PARQUET:field_id"));
    for (const hub::Field& item : field.type.children()) {
      ids.emplace_back(*item.metadata.find("PARQUET:field_id"));
    }
  }
  EXPECT_EQ(ids, (std::vector<std::string>{"1", "2", "6", "3", "4", "7", "5"}));
}

TEST(AlikeColumnsTest, AreNamedInFindings) {
  const Schema schema =
      table({int64("one"), int64("three"), {"four", hub::Kind::Utf8}, int64("z")});
  const AlikeColumns alike(schema, {});
  hub::Findings findings;
  findings.push_back({.rule = "order.changed", .path = Path()});
  findings.push_back({.rule = "spec.version", .path = Path::column("four"), .lost = "at four"});
  findings.push_back({.rule = "spec.version",
                      .path = Path::column("one"),
                      .lost = "new (at one.a.<list-element>); one (at one)"});
  std::vector<std::string> texts;
  for (const hub::Finding& finding : alike.all(findings)) {
    texts.push_back(finding.path.text() + ": " + finding.lost);
  }
  EXPECT_EQ(texts, (std::vector<std::string>{"one: new (at one.a.<list-element>); one (at one)",
                                             "three: new (at three.a.<list-element>); one (at one)",
                                             "four: at four", ": "}));
}

TEST(AlikeColumnsTest, KeepTheirNamesIfOthersDoNot) {
  const Schema source = table({int64("a"), int64("b"), int64("$z")});
  const Plan plan = crosswalk::plan(vortex::kModule, source, yt::kModule, {});
  EXPECT_EQ(plan.target_hub, table({int64("a"), int64("b"), int64("_z")}));
  EXPECT_EQ(plan.renames.at("a").front().name, "a");
  EXPECT_EQ(plan.renames.at("b").front().name, "b");
  EXPECT_EQ(plan.cast.options().renames.at("b").front().name, "b");
}

TEST(AlikeColumnsTest, AreCalledByTheirNamesInErrors) {
  std::vector<hub::Field> fields;
  for (int i = 0; i < 40'000; ++i) fields.push_back(int64("c" + std::to_string(i)));
  const Schema schema = table(fields);
  const Schema few = table({fields.begin(), fields.begin() + 9});
  PlanOptions member;
  member.rename.push_back({Path::column("c1").field("none"), "x"});
  PlanOptions cast;
  cast.casts.push_back({.path = Path::column("c1").field("none"), .type = "int32"});
  PlanOptions missing;
  missing.rename.push_back({Path::column("none"), "x"});
  const auto said = [](const Schema& source, System target, const PlanOptions& options) {
    try {
      (void)crosswalk::plan(arrow::kModule, source, target, options);
    } catch (const Error& error) {
      return error.describe();
    }
    return std::string("accepted");
  };
  for (const PlanOptions& options : {member, cast, missing}) {
    EXPECT_THAT(said(few, parquet::kModule, options), ::testing::HasSubstr("c0, c1, c2"));
  }
  EXPECT_EQ(said(schema, parquet::kModule, {}), "accepted");
  for (const System system : {System(yt::kModule), System(skiff::kModule)}) {
    EXPECT_THAT(said(schema, system, {}), ::testing::HasSubstr("40000"));
  }
}

TEST(AlikeColumnsTest, AreCastEachAtItsPath) {
  const Schema source = table({int64("a"), int64("b"), int64("z")});
  const Plan same = crosswalk::plan(yt::kModule, source, parquet::kModule, {});
  EXPECT_TRUE(same.cast.is_identity());
  EXPECT_EQ(same.cast.from(), source);
  const hub::Type wide = hub::timestamp(hub::TimeUnit::Micro, "UTC");
  const Schema times = table({{"a", wide}, {"b", wide}, {"z", wide}});
  const Plan checked = crosswalk::plan(arrow::kModule, times, yt::kModule, {});
  ASSERT_FALSE(checked.cast.is_identity());
  EXPECT_EQ(checked.cast.from(), times);
  const hub::testing::Value row = hub::testing::items({0, INT64_MIN, 0});
  const hub::Batch out = checked.cast.run(hub::testing::make_batch(times, {row}));
  ASSERT_EQ(out.bad.size(), 1);
  EXPECT_EQ(out.bad.front().error.place().path, Path::column("b"));
}

}  // namespace
}  // namespace xwalk::crosswalk
