// Readers and casts name the places of values as the plan does, so that the reason for a rejected
// row has its own line in the report.

#include <algorithm>
#include <set>

#include <gtest/gtest.h>

#include "tests/crosswalk/random_values.h"
#include "tests/skiff/memory_stream.h"
#include "xwalk/arrow/module.h"
#include "xwalk/base/text.h"
#include "xwalk/crosswalk/layer.h"
#include "xwalk/crosswalk/path_reports.h"
#include "xwalk/crosswalk/plan.h"
#include "xwalk/hub/annotation.h"
#include "xwalk/parquet/hub.h"
#include "xwalk/parquet/module.h"
#include "xwalk/skiff/module.h"
#include "xwalk/vortex/module.h"
#include "xwalk/yt/forms.h"
#include "xwalk/yt/hub.h"
#include "xwalk/yt/module.h"
#include "xwalk/yt/row_decoder.h"

namespace xwalk::crosswalk {
namespace {

using hub::Schema;

/// A column of every shape around an integer `N`.
constexpr std::string_view kColumns =
    "[{name=n;type_v3=N};"
    "{name=list;type_v3={type_name=list;item={type_name=struct;members=[{name=x;type=N}]}}};"
    "{name=box;type_v3={type_name=optional;item={type_name=optional;item=N}}};"
    "{name=boxes;type_v3={type_name=list;item={type_name=optional;item={type_name=optional;"
    "item=N}}}};"
    "{name=dict;type_v3={type_name=dict;key=string;value=N}};"
    "{name=keys;type_v3={type_name=dict;key={type_name=tuple;elements=[{type=N};{type=utf8}]};"
    "value=bool}};"
    "{name=pairs;type_v3={type_name=dict;key={type_name=optional;item=string};value=N}};"
    "{name=one;type_v3={type_name=variant;members=[{name=a;type=N};{name=b;type=utf8}]}};"
    "{name=maybe;type_v3={type_name=optional;item={type_name=variant;elements=[{type=utf8};"
    "{type=N}]}}}]";

struct Case {
  const char* row;
  const char* path;
};

/// One row for each place, with 300 there.
const std::vector<Case> kCases = {
    {"n=300", "n"},
    {"list=[[1];[300]]", "list[].x"},
    {"box=[300]", "box.value"},
    {"boxes=[[1];#;[300]]", "boxes[].value"},
    {"dict=[[k;300]]", "dict{value}"},
    {"keys=[[[300;k];%true]]", "keys{key}.0"},
    {"pairs=[[#;300]]", "pairs[].value"},
    {"one=[a;300]", "one<a>"},
    {"maybe=[1;300]", "maybe.value<1>"},
};

yt::TableSchema table_of(std::string_view integer) {
  std::string text(kColumns);
  for (size_t at = 0; (at = text.find('N', at)) != std::string::npos;) {
    text.replace(at, 1, integer);
    at += integer.size();
  }
  return yt::parse_table_schema(text);
}

/// All columns of one row, the named one from the case and the others with what fits.
std::string row_of(const Case& one) {
  const std::vector<std::string> plain = {"n=1",     "list=[]",  "box=#",     "boxes=[]", "dict=[]",
                                          "keys=[]", "pairs=[]", "one=[a;1]", "maybe=#"};
  const std::string_view text = one.row;
  std::string out = "{";
  for (const std::string& column : plain) {
    const std::string begin = column.substr(0, column.find('=') + 1);
    out += (text.starts_with(begin) ? std::string(text) : column) + ";";
  }
  return out + "}";
}

yt::ReadOptions read_options() {
  yt::ReadOptions read;
  read.skip_bad_rows = true;
  read.values.complex_type_mode = yt::ComplexTypeMode::Named;
  return read;
}

void expect_lines(const std::vector<hub::BadRow>& bad, const AnySchema& source, System target) {
  ASSERT_EQ(bad.size(), kCases.size());
  const Plan plan = crosswalk::plan(source, target);
  for (size_t i = 0; i < bad.size(); ++i) {
    const Path path = bad[i].error.place().path.in_schema();
    EXPECT_EQ(path.text(), kCases[i].path) << bad[i].error.describe();
    EXPECT_TRUE(std::ranges::any_of(plan.paths,
                                    [&](const PathReport& report) { return report.path == path; }))
        << path.text() << " is no line of the report";
  }
}

std::string rows_text() {
  std::string rows;
  for (const Case& one : kCases) {
    std::string row = row_of(one);
    const size_t at = row.find("list=[[1];[300]]");
    if (at != std::string::npos) row.replace(at, 16, "list=[{x=1};{x=300}]");
    rows += row + ";\n";
  }
  return rows;
}

TEST(Paths, OfYsonRowsAreThoseOfTheReport) {
  const yt::TableSchema table = table_of("int8");
  const hub::Batch batch = yt::RowDecoder(table, read_options()).decode(rows_text(), 0);
  for (const System target : systems()) expect_lines(batch.bad, {yt::kModule, table}, target);
}

TEST(Paths, OfSkiffRowsAreThoseOfTheReport) {
  const yt::TableSchema wide = table_of("int64");
  hub::Batch batch = yt::RowDecoder(wide, read_options()).decode(rows_text(), 0);
  ASSERT_TRUE(batch.bad.empty()) << batch.bad[0].error.describe();
  auto schema =
      crosswalk::from_arrow(skiff::kModule, yt::to_arrow(wide)).schema.as<skiff::Schema>();
  std::string bytes;
  auto writer = skiff::write_rows(std::make_unique<skiff::testing::MemorySink>(&bytes), schema);
  writer->write(std::move(batch));
  writer->finish();

  schema.table_schemas = {table_of("int8")};
  skiff::ReadOptions read;
  read.skip_bad_rows = true;
  auto reader =
      skiff::read_rows(std::make_unique<skiff::testing::MemorySource>(bytes, 0), schema, read);
  const std::optional<hub::Batch> found = reader->next();
  ASSERT_TRUE(found);
  expect_lines(found->bad, {skiff::kModule, schema}, parquet::kModule);
}

void add_paths(const parquet::Resolved& part, std::vector<Path>* out) {
  out->push_back(part.path);
  for (const parquet::Resolved& child : part.children) add_paths(child, out);
}

TEST(Paths, OfParquetColumnsAreThoseOfTheReport) {
  for (uint64_t seed = 0; seed < 100; ++seed) {
    const Schema random{testing::RandomData(seed).fields(3, 3), {}};
    AnySchema source;
    try {
      source = crosswalk::from_arrow(parquet::kModule, random).schema;
    } catch (const Error& error) {
      ASSERT_EQ(error.code(), ErrorCode::Unsupported);
      continue;
    }
    std::vector<Path> paths;
    for (const parquet::Resolved& column : parquet::resolve(source.as<parquet::Schema>()).columns) {
      add_paths(column, &paths);
    }
    const Plan plan = crosswalk::plan(source, arrow::kModule);
    for (const Path& path : paths) {
      EXPECT_TRUE(std::ranges::any_of(
          plan.paths, [&](const PathReport& report) { return report.path == path; }))
          << path.text() << " is no line of the report";
    }
  }
}

/// The casts' own places: values of a struct's member, an entry and a box that the target refuses.
TEST(Paths, OfRefusedValuesAreThoseOfTheReport) {
  const yt::TableSchema table = table_of("int64");
  const Schema source = yt::to_arrow(table);
  const Plan plan = plan_to(yt::kModule, source, {yt::kModule, table_of("int8")});
  hub::Batch batch = yt::RowDecoder(table, read_options()).decode(rows_text(), 0);
  expect_lines(plan.cast.run(std::move(batch)).bad, {yt::kModule, table}, vortex::kModule);
  std::set<std::string> checked;
  for (const PathReport& report : plan.paths) {
    if (report.values == hub::Values::Checked) checked.insert(report.path.text());
  }
  for (const Case& one : kCases) EXPECT_TRUE(checked.contains(one.path)) << one.path;
}

/// The findings about values are what a conversion then does to them.
TEST(Paths, AStaleNotePromisesNothing) {
  const hub::Type micros = hub::timestamp(hub::TimeUnit::Micro, "UTC");
  hub::Field field("d", micros, false);
  hub::annotate(field, yt::kSystem, "date");
  const Plan plan = crosswalk::plan(arrow::kModule, Schema{{field}, {}}, yt::kModule);
  ASSERT_EQ(plan.paths.size(), 2U);
  EXPECT_EQ(plan.paths[1].values, hub::Values::Checked);
}

TEST(Paths, RowsThatAreNullAreRefused) {
  Schema schema{{hub::Field("a", hub::Kind::Int8)}, {}};
  schema.nullable_rows = true;
  for (const System target : systems()) {
    const Plan plan = crosswalk::plan(vortex::kModule, schema, target);
    EXPECT_EQ(plan.verdict(), hub::Verdict::Checked) << target->name;
    EXPECT_EQ(plan.paths.front().values, hub::Values::Checked) << target->name;
  }
}

TEST(Paths, EveryNewNameIsWidenedAtItsOwnNode) {
  const hub::Field twice("a", hub::Kind::Int8);
  const hub::Type members = hub::struct_({twice, twice});
  const Schema schema{{twice, twice, hub::Field("s", members), hub::Field("\xff", hub::Kind::Int8),
                       hub::Field("", hub::Kind::Int8), hub::Field("b.c`d", hub::Kind::Int8),
                       hub::Field("_rowid", hub::Kind::Int8)},
                      {}};
  for (const System target : systems()) {
    const Plan plan = crosswalk::plan(arrow::kModule, schema, target);
    const Schema written = crosswalk::to_arrow(plan.target);
    const std::vector<hub::Verdict> verdicts = plan.column_verdicts();
    for (size_t i = 0; i < schema.fields.size(); ++i) {
      const bool renamed = written.fields[i].name != schema.fields[i].name;
      if (!renamed) continue;
      EXPECT_GE(verdicts[i], hub::Verdict::Widened) << target->name << " " << i;
    }
    for (const PathReport& report : plan.paths) {
      for (const Reason& reason : report.reasons) {
        if (reason.rule != "name.changed") continue;
        EXPECT_EQ(report.type, hub::TypeKept::Changed) << target->name << report.path.text();
      }
    }
  }
}

/// Names of which one system or another cannot hold some, twins among them.
hub::Type of_odd_names(bool as_union, const hub::Type& type) {
  std::vector<hub::Field> members;
  for (const char* name : {"`a`", "", "$x", "b.c", "_rowid", "twin", "twin", "Twin", "\xff"}) {
    members.emplace_back(name, type, !as_union);
  }
  members.emplace_back(std::string(300, 'n'), type, !as_union);
  return as_union ? hub::union_(std::move(members)) : hub::struct_(std::move(members));
}

/// Checks each node against the name that its member is restored with.
void expect_names_told(const Plan& plan, const hub::Field& was, const hub::Field& is_now,
                       const Path& path) {
  const std::vector<Child> before = children_of(was.type, path);
  const std::vector<Child> after = children_of(is_now.type, path);
  ASSERT_EQ(before.size(), after.size()) << path.text();
  for (size_t i = 0; i < before.size(); ++i) {
    const bool renamed =
        before[i].path.last().is_named() && before[i].field->name != after[i].field->name;
    const auto report = std::ranges::find(plan.paths, before[i].path, &PathReport::path);
    ASSERT_NE(report, plan.paths.end()) << before[i].path.text();
    if (renamed) {
      EXPECT_EQ(report->type, hub::TypeKept::Changed)
          << plan.source_system->name << " to " << plan.target_system->name << ": "
          << before[i].path.text() << " comes back as " << after[i].field->name;
      EXPECT_NE(std::ranges::find(report->reasons, "name.changed", &Reason::rule),
                report->reasons.end())
          << before[i].path.text();
    }
    expect_names_told(plan, *before[i].field, *after[i].field, before[i].path);
  }
}

TEST(Paths, NamesThatTheSourcesOwnSystemChangesDoNotComeBack) {
  const hub::Type members = of_odd_names(false, hub::Kind::Int8);
  const hub::Type nested = of_odd_names(false, of_odd_names(false, hub::Kind::Utf8));
  const Schema schema{{hub::Field("s", members), hub::Field("deep", nested),
                       hub::Field("list", hub::list(hub::Field("item", members)))},
                      {}};
  const Schema with_union{{hub::Field("u", of_odd_names(true, hub::Kind::Int8), false)}, {}};
  for (const System source : systems()) {
    for (const System target : systems()) {
      for (const bool alternatives : {false, true}) {
        if (alternatives && !source->capabilities.unions) continue;
        const Schema& asked = alternatives ? with_union : schema;
        const Plan plan = crosswalk::plan(source, asked, target);
        const Schema back = schema_back(source, plan.target_hub, true);
        for (size_t i = 0; i < asked.fields.size(); ++i) {
          expect_names_told(plan, asked.fields[i], back.fields[i],
                            Path::column(asked.fields[i].name));
        }
      }
    }
  }
}

}  // namespace
}  // namespace xwalk::crosswalk
