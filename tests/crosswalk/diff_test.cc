#include "xwalk/crosswalk/diff.h"

#include <algorithm>
#include <map>

#include <gtest/gtest.h>

#include "tests/crosswalk/random_values.h"
#include "tests/yt/random_type.h"
#include "xwalk/arrow/module.h"
#include "xwalk/crosswalk/readers.h"
#include "xwalk/lance/module.h"
#include "xwalk/parquet/module.h"
#include "xwalk/parquet/type.h"
#include "xwalk/report/html.h"
#include "xwalk/yt/module.h"

namespace xwalk::crosswalk {
namespace {

using hub::Field;
using hub::Kind;
using hub::Schema;

using crosswalk::diff;

Diff diff(const Schema& left, const Schema& right, const DiffOptions& options = {}) {
  return diff(arrow::kModule, left, arrow::kModule, right, options);
}

/// The differences as short lines: `c renamed b → c`.
std::vector<std::string> words(const Diff& diff) {
  std::vector<std::string> out;
  for (const DiffLine& line : diff.lines) {
    for (const Difference& difference : line.differences) {
      const std::string path = (line.in_right() ? line.right : line.left).path.text();
      out.push_back(path + " " + std::string(to_string(difference.change)) + " " + difference.from +
                    " → " + difference.to);
    }
  }
  return out;
}

Field with_id(Field field, int id) {
  field.metadata.set("PARQUET:field_id", std::to_string(id));
  return field;
}

using Words = std::vector<std::string>;

TEST(DiffTest, TakesAnnotationsThatNobodyReads) {
  hub::Schema schema{{hub::Field("a", hub::Kind::Int64)}, {}};
  schema.fields[0].metadata.set("xwalk:yt", "{\"type_name\"=\"taggedt;");
  hub::Schema other = schema;
  EXPECT_TRUE(diff(arrow::kModule, schema, arrow::kModule, other).same());
  other.fields[0].metadata.set("xwalk:yt", "}");
  EXPECT_FALSE(diff(arrow::kModule, schema, arrow::kModule, other).same());
}

TEST(DiffTest, PairsByIdAcrossParents) {
  const Schema left{{with_id(Field("a", Kind::Int64), 1), with_id(Field("b", Kind::Double), 2),
                     with_id(Field("s", hub::struct_({with_id(Field("x", Kind::Int8), 4)})), 3)},
                    {}};
  const Schema right{{with_id(Field("s", hub::struct_({with_id(Field("inner", Kind::Double), 2),
                                                       with_id(Field("x", Kind::Int8), 4)})),
                              3),
                      with_id(Field("a", Kind::Int32), 1)},
                     {}};
  EXPECT_EQ(words(diff(left, right)),
            (Words{"s moved place 2 → place 0", "s.inner renamed b → inner",
                   "s.inner moved b → s.inner", "a retyped int64 → int32"}));
}

TEST(DiffTest, IdsThatStandTwicePairNobody) {
  const Schema left{{with_id(Field("a", Kind::Int64), 1), with_id(Field("b", Kind::Utf8), 1)}, {}};
  const Schema right{{with_id(Field("c", Kind::Int64), 1)}, {}};
  const Diff found = diff(left, right);
  EXPECT_EQ(words(found), (Words{"c renamed a → c", "b removed string → "}));
  EXPECT_EQ(found.lines.at(1).by, PairedBy::Guess);
}

TEST(DiffTest, GuessesOnlyWhatIsTheOnlyOneOfItsType) {
  const Schema left{{Field("a", Kind::Int64), Field("b", Kind::Int64), Field("c", Kind::Utf8)}, {}};
  const Schema right{{Field("x", Kind::Int64), Field("y", Kind::Int64), Field("z", Kind::Utf8)},
                     {}};
  EXPECT_EQ(words(diff(left, right)),
            (Words{"x added  → int64", "y added  → int64", "a removed int64 → ",
                   "b removed int64 → ", "z renamed c → z"}));
  EXPECT_EQ(words(diff(left, right, {.guess_renames = false})).size(), 6U);
}

TEST(DiffTest, SameNamesPairInTheirOrder) {
  const Schema twice{{Field("a", Kind::Int64), Field("a", Kind::Utf8)}, {}};
  EXPECT_TRUE(diff(twice, twice).same());
}

TEST(DiffTest, TagsAndMetadataAlwaysShow) {
  const AnySchema left = parse_schema(
      yt::kModule,
      "[{name=a;type_v3={type_name=tagged;tag=\"t1\";item=utf8};sort_order=ascending}]");
  const AnySchema right =
      parse_schema(yt::kModule,
                   "[{name=a;type_v3={type_name=optional;item={type_name=tagged;"
                   "tag=\"t2\";item=utf8}}}]");
  EXPECT_EQ(words(diff(left, right)),
            (Words{"a annotation tag \"t1\" → tag \"t2\"", "a nullability not null → nullable",
                   "a keys sort_order=\"ascending\" → "}));
}

TEST(DiffTest, AcrossSystemsValuesCount) {
  const AnySchema left =
      parse_schema(yt::kModule, "[{name=t;type_v3=timestamp};{name=i;type_v3=int64}]");
  const AnySchema right =
      parse_schema(parquet::kModule,
                   "message m { required int64 t (TIMESTAMP(MICROS,true)); required int64 i; }");
  const Diff found = diff(left, right);
  ASSERT_EQ(words(found).size(), 1U);
  EXPECT_EQ(found.lines.at(1).differences.at(0).change, Change::Retyped);
  EXPECT_EQ(found.lines.at(1).differences.at(0).detail, "holds all values and more");
}

/// A schema is like itself in every system, and the way back of a difference is its mirror.
class DiffLaws : public ::testing::TestWithParam<System> {};

TEST_P(DiffLaws, HoldForRandomSchemas) {
  const System system = GetParam();
  std::optional<AnySchema> last;
  for (uint64_t seed = 0; seed < 200; ++seed) {
    AnySchema schema;
    try {
      schema = system == yt::kModule
                   ? AnySchema(yt::kModule, yt::testing::RandomTypes(seed).table())
                   : from_arrow(system, {testing::RandomData(seed).fields(4, 2), {}}).schema;
    } catch (const Error& error) {
      ASSERT_EQ(error.code(), ErrorCode::Unsupported) << error.describe();
      continue;
    }
    const Diff self = diff(schema, schema);
    ASSERT_TRUE(self.same()) << "seed " << seed << ": " << words(self).front();
    if (last) {
      const Diff there = diff(*last, schema, {.guess_renames = false});
      const Diff back = diff(schema, *last, {.guess_renames = false});
      ASSERT_EQ(there.lines.size(), back.lines.size()) << "seed " << seed;
      std::map<Change, int> counts;
      for (const DiffLine& line : there.lines) {
        for (const Difference& one : line.differences) ++counts[one.change];
      }
      for (const DiffLine& line : back.lines) {
        for (const Difference& one : line.differences) {
          --counts[one.change == Change::Added     ? Change::Removed
                   : one.change == Change::Removed ? Change::Added
                                                   : one.change];
        }
      }
      for (const auto& [change, count] : counts) {
        ASSERT_EQ(count, 0) << "seed " << seed << ": " << to_string(change);
      }
    }
    last = std::move(schema);
  }
}

INSTANTIATE_TEST_SUITE_P(Systems, DiffLaws, ::testing::ValuesIn(systems().begin(), systems().end()),
                         [](const auto& system) { return std::string(system.param->name); });

TEST(ReportHtmlTest, EveryNodeOfBothSchemasHasALine) {
  const AnySchema source =
      parse_schema(yt::kModule,
                   "[{name=s;type_v3={type_name=struct;members=[{name=\"<i>\";type=int64};{name=b;"
                   "type={type_name=optional;item={type_name=optional;item=utf8}}}]}}]");
  const Plan plan = crosswalk::plan(source, lance::kModule);
  report::Check check;
  check.plan = &plan;
  check.name = "<script>x";
  const report::Report report = report_of(check);
  Words lefts;
  for (const report::ReportLine& line : report.lines) {
    if (line.left) lefts.push_back(line.left->path);
  }
  Words paths;
  for (const PathReport& path : plan.paths) {
    if (!path.path.empty()) paths.push_back(path.path.text());
  }
  EXPECT_EQ(lefts, paths);
  const std::string page = report::print_html(report);
  EXPECT_EQ(page.find("<i>\""), std::string::npos);
  EXPECT_EQ(page.find("<script>x"), std::string::npos);
  EXPECT_NE(page.find("&lt;script&gt;x"), std::string::npos);
}

TEST(ReadersTest, WhatIsStandardIsMisreadByTypeAlone) {
  const AnySchema schema = parse_schema(
      parquet::kModule,
      "message m { required int64 a; optional group l (LIST) { repeated group list { optional "
      "binary element (STRING); } } required int64 t (TIMESTAMP(MICROS,true)); required "
      "fixed_len_byte_array(16) d (DECIMAL(38,2)); }");
  std::string told;
  for (const ReaderRemark& remark : misreadings(schema, hub::Schema()).remarks) {
    told += remark.path.text() + " " + remark.reader + "\n";
  }
  // pyarrow, DuckDB, DataFusion, Polars and Spark read every column correctly.
  EXPECT_EQ(told,
            "l fastparquet\nl ClickHouse\nl[] upload_parquet\nt upload_parquet\nt attach_table\nt "
            "ClickHouse\n"
            "t fastparquet\nt hyparquet\nd upload_parquet\nd attach_table\nd fastparquet\n"
            "d hyparquet\nd hyparquet\nd carquet\n");
}

}  // namespace
}  // namespace xwalk::crosswalk
