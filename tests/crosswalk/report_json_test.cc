#include <optional>
#include <string>

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "tests/crosswalk/laws.h"
#include "xwalk/base/error.h"
#include "xwalk/base/visible.h"
#include "xwalk/crosswalk/plan.h"
#include "xwalk/report/json.h"

// Paths are printed one by one, and what many of them share is printed once: it is what a tree of
// all would be printed as.

namespace xwalk::crosswalk {
namespace {

using Json = nlohmann::ordered_json;

std::string as_tree(const std::string& text) {
  return visible_json(Json::parse(text).dump(2)) + "\n";
}

/// A text as JSON keeps it: without bytes that are not UTF-8.
std::string kept(const std::string& text) {
  return Json::parse(Json(text).dump(-1, ' ', false, Json::error_handler_t::replace));
}

/// Holds what is printed of each path to the path's report.
void expect_paths(const Json& paths, const Plan& plan) {
  ASSERT_EQ(paths.size(), plan.paths.size());
  for (size_t i = 0; i < plan.paths.size(); ++i) {
    const PathReport& report = plan.paths[i];
    const Json& path = paths[i];
    EXPECT_EQ(path["path"], kept(report.path.text()));
    EXPECT_EQ(path.contains("source"), !report.path.empty());
    if (!report.path.empty()) {
      EXPECT_EQ(path["source"], kept(report.source));
      EXPECT_EQ(path["target"], kept(report.target));
    }
    EXPECT_EQ(path["verdict"], hub::to_string(report.verdict()));
    EXPECT_EQ(path["values"], hub::to_string(report.values));
    EXPECT_EQ(path["type"], hub::to_string(report.type));
    ASSERT_EQ(path["labels"].size(), report.labels.size());
    for (size_t k = 0; k < report.labels.size(); ++k) {
      EXPECT_EQ(path["labels"][k], kept(report.labels[k]));
    }
    ASSERT_EQ(path["reasons"].size(), report.reasons.size());
    for (size_t k = 0; k < report.reasons.size(); ++k) {
      const Reason& reason = report.reasons[k];
      const Json& said = path["reasons"][k];
      EXPECT_EQ(said["rule"], reason.rule);
      EXPECT_EQ(said["values"], hub::to_string(reason.values));
      EXPECT_EQ(said.value("lost", ""), kept(reason.lost));
      EXPECT_EQ(said.value("witness", ""), kept(reason.witness));
    }
  }
}

TEST(ReportJsonTest, PrintsPathsAsATreeDoes) {
  int asked = 0;
  for (const System from : systems()) {
    for (const System target : systems()) {
      for (uint64_t seed = 0; seed < 6; ++seed) {
        std::optional<Plan> planned;
        try {
          hub::Schema schema = testing::random_schema(from, seed);
          // Columns like these again, the last under a name that is escaped.
          const size_t columns = schema.fields.size();
          for (size_t i = 0; i < columns; ++i) {
            schema.fields.push_back(schema.fields[i]);
            schema.fields.back().name += i + 1 == columns ? " \"\\\t\u202e" : "_again";
          }
          planned = crosswalk::plan(from, schema, target);
        } catch (const Error& error) {
          ASSERT_EQ(error.code(), ErrorCode::Unsupported) << error.describe();
          continue;
        }
        const Plan& plan = *planned;
        report::Check check;
        check.plan = &plan;
        check.name = "\n  \"paths\": [ in";
        const std::string text = report::print_json(check);
        ASSERT_EQ(text, as_tree(text)) << from->name << " to " << target->name << ", seed " << seed;
        expect_paths(Json::parse(text)["paths"], plan);
        ++asked;
      }
    }
  }
  EXPECT_GT(asked, 150);
}

}  // namespace
}  // namespace xwalk::crosswalk
