#include "xwalk/crosswalk/alike.h"

#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "tests/crosswalk/laws.h"
#include "xwalk/base/error.h"
#include "xwalk/crosswalk/plan.h"

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

std::vector<size_t> firsts(const Schema& schema, const hub::Findings& findings = {},
                           const hub::Renames& renames = {}) {
  const hub::Findings none;
  const AlikeColumns alike({schema, schema, renames, {&findings, &none, &none}});
  std::vector<size_t> out;
  for (size_t i = 0; i < schema.fields.size(); ++i) out.push_back(alike.first(i));
  return out;
}

TEST(AlikeColumnsTest, AreEqualInAllButTheirNames) {
  const hub::Field plain("a", hub::Kind::Int64);
  hub::Field noted("e", hub::Kind::Int64);
  noted.metadata.set("doc", "x");
  hub::Field noted_too = noted;
  noted_too.name = "f";
  EXPECT_EQ(firsts(table({plain,
                          {"b", hub::Kind::Int64},
                          {"c", hub::Kind::Int64, false},
                          {"d", hub::Kind::Int32},
                          noted,
                          noted_too})),
            (std::vector<size_t>{0, 0, 2, 3, 4, 4}));
}

TEST(AlikeColumnsTest, HaveNamesThatMeanNothing) {
  const auto named = [](const std::string& name) { return hub::Field(name, hub::Kind::Int64); };
  EXPECT_EQ(firsts(table({named("a"), named("$b"), named(""), named("d"), named("_e"), named("f"),
                          named("f"), named("h.i")})),
            (std::vector<size_t>{0, 1, 2, 0, 4, 5, 6, 7}));
  const hub::Renames renames = {{"b", {{"x", "as requested", true}}}};
  EXPECT_EQ(firsts(table({named("a"), named("b"), named("c")}), {}, renames),
            (std::vector<size_t>{0, 1, 0}));
}

TEST(AlikeColumnsTest, HaveNoIdsOrKeys) {
  hub::Field one("a", hub::Kind::Int64);
  one.metadata.set("PARQUET:field_id", "7");
  hub::Field other = one;
  other.name = "b";
  EXPECT_EQ(firsts(table({one, other})), (std::vector<size_t>{0, 1}));
  const auto group = [&](const std::string& name) { return hub::Field(name, hub::struct_({one})); };
  EXPECT_EQ(firsts(table({group("a"), group("b")})), (std::vector<size_t>{0, 1}));
}

TEST(AlikeColumnsTest, MayGetIdsInTheTarget) {
  const auto numbered = [](const std::string& name, hub::Type type, int id) {
    hub::Field field(name, std::move(type));
    field.metadata.set("PARQUET:field_id", std::to_string(id));
    return field;
  };
  const auto list = [](hub::Field item) { return hub::list(std::move(item)); };
  const hub::Kind integer = hub::Kind::Int64;
  const Schema source = table({{"a", integer},
                               {"b", list({"item", integer})},
                               {"c", integer},
                               {"d", list({"item", integer})},
                               {"e", integer}});
  const Schema target =
      table({numbered("a", integer, 1), numbered("b", list(numbered("item", integer, 6)), 2),
             numbered("c", integer, 3), numbered("d", list(numbered("item", integer, 7)), 4),
             numbered("e", hub::Kind::Int32, 5)});
  const hub::Findings none;
  const hub::Renames renames;
  const AlikeColumns alike({source, target, renames, {&none, &none, &none}});
  std::vector<size_t> firsts;
  for (size_t i = 0; i < source.fields.size(); ++i) firsts.push_back(alike.first(i));
  EXPECT_EQ(firsts, (std::vector<size_t>{0, 1, 0, 1, 4}));
  EXPECT_EQ(alike.of_target(target).fields.at(1), target.fields.at(1));
}

TEST(AlikeColumnsTest, HaveTheSameFindings) {
  const Schema schema = table({{"a", hub::list({"item", hub::Kind::Int64})},
                               {"b", hub::list({"item", hub::Kind::Int64})},
                               {"c", hub::list({"item", hub::Kind::Int64})},
                               {"d", hub::list({"item", hub::Kind::Int64})}});
  const auto found = [](const Path& path, const std::string& lost) {
    hub::Finding finding;
    finding.rule = "range.narrowed";
    finding.path = path;
    finding.lost = lost;
    return finding;
  };
  const Path a = Path::column("a");
  const Path b = Path::column("b");
  const Path c = Path::column("c");
  const Path d = Path::column("d");
  EXPECT_EQ(firsts(schema, {found(a.item(), "x"), found(b.item(), "x"), found(c, "x"),
                            found(d.item(), "y")}),
            (std::vector<size_t>{0, 0, 2, 3}));
  EXPECT_EQ(firsts(schema, {found(a, "x"), found(a, "y"), found(b, "y"), found(b, "x"),
                            found(c, "x"), found(d, "x"), found(d, "y")}),
            (std::vector<size_t>{0, 1, 2, 0}));
}

TEST(AlikeColumnsTest, AreNamedInFindings) {
  const Schema schema = table({{"one", hub::Kind::Int64},
                               {"three", hub::Kind::Int64},
                               {"four", hub::Kind::Int64},
                               {"five", hub::Kind::Int64}});
  hub::Findings findings;
  const auto add = [&](const std::string& column, const std::string& lost) {
    hub::Finding finding;
    finding.rule = "spec.version";
    finding.path = Path::column(column);
    finding.lost = lost;
    findings.push_back(std::move(finding));
  };
  add("one", "new (at one.value)");
  add("three", "new (at three.value)");
  add("four", "new (at three.value)");
  add("five", "new (at five.key)");
  const hub::Findings none;
  const hub::Renames renames;
  const AlikeColumns alike({schema, schema, renames, {&none, &findings, &none}});
  std::vector<size_t> firsts;
  for (size_t i = 0; i < schema.fields.size(); ++i) firsts.push_back(alike.first(i));
  EXPECT_EQ(firsts, (std::vector<size_t>{0, 0, 2, 3}));
  EXPECT_EQ(alike.finding_text(1, "new (at one.value)"), "new (at three.value)");
  EXPECT_EQ(alike.finding_text(0, "new (at one.value)"), "new (at one.value)");
  EXPECT_EQ(alike.finding_text(1, "at one"), "at one");
}

}  // namespace
}  // namespace xwalk::crosswalk
