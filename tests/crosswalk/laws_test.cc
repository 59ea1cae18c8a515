#include <algorithm>
#include <set>

#include <gtest/gtest.h>

#include "tests/crosswalk/random_values.h"
#include "tests/hub/values.h"
#include "tests/skiff/random_rows.h"
#include "tests/yt/random_type.h"
#include "xwalk/arrow/room.h"
#include "xwalk/crosswalk/layer.h"
#include "xwalk/crosswalk/plan.h"
#include "xwalk/crosswalk/report_json.h"
#include "xwalk/crosswalk/report_text.h"
#include "xwalk/hub/annotation.h"
#include "xwalk/hub/filter.h"
#include "xwalk/hub/room.h"
#include "xwalk/lance/room.h"
#include "xwalk/parquet/room.h"
#include "xwalk/skiff/room.h"
#include "xwalk/vortex/room.h"
#include "xwalk/yt/room.h"

// Reports are held to the truth: what is observed on the way there and back is what was claimed.

namespace xwalk::crosswalk {
namespace {

using hub::Batch;
using hub::Schema;
using hub::testing::Value;

/// Returns true if the very path is claimed to refuse values.
bool claimed(const Plan& plan, const Path& path) {
  return std::ranges::any_of(plan.paths, [&](const PathReport& report) {
    return report.values != hub::Values::Kept && report.path == path.in_schema();
  });
}

/// The type with other fields at its places, as `children_of` lists them.
hub::Type with_places(const hub::Type& type, std::vector<hub::Field> fields) {
  if (type.kind() == hub::Kind::Map) {
    hub::Field entries = type.child();
    entries.type = hub::struct_(std::move(fields));
    fields = {std::move(entries)};
  }
  return hub::with_children(type, std::move(fields));
}

/// The source's schema with the names that the target knows: what comes back goes by those.
hub::Field called_as_there(hub::Field field, const Path& path, const hub::Renames& renames) {
  const bool encoded = !(without_encoding(field.type) == field.type);
  if (encoded || field.type.children().empty()) return field;
  std::vector<hub::Field> children;
  for (const Child& child : children_of(field.type, path)) {
    children.push_back(called_as_there(*child.field, child.path, renames));
  }
  if (has_names(field.type)) {
    const std::vector<hub::Rename> names = hub::names_of(field.type, path, renames);
    for (size_t i = 0; i < children.size(); ++i) children[i].name = names[i].name;
  }
  field.type = with_places(field.type, std::move(children));
  return field;
}

/// What breaks a law; empty when all hold.
std::string broken_law(const Plan& plan, const std::vector<Value>& rows) {
  const Schema& source = plan.source_hub;
  Batch there = plan.cast.run(hub::testing::make_batch(source, rows));
  std::set<int64_t> refused;
  for (const hub::BadRow& bad : there.bad) {
    refused.insert(bad.index);
    if (!claimed(plan, bad.error.place().path)) {
      return "a row was refused that no finding names: " + bad.error.describe();
    }
  }
  there = hub::drop_bad_rows(std::move(there), plan.target_hub, nullptr);
  const hub::Field wanted =
      called_as_there(hub::Field("", hub::struct_(source.fields), false), Path(), plan.renames);
  const Schema named{{wanted.type.children().begin(), wanted.type.children().end()}, {}};
  const hub::CompiledCast back = hub::compile_cast(plan.target_hub, named);
  Batch here = back.run(std::move(there));
  if (!here.bad.empty()) {
    return "a row that was taken does not come back: " + here.bad[0].error.describe();
  }
  const std::vector<Value> got = hub::testing::read_batch(source, std::move(here));
  size_t next = 0;
  for (size_t i = 0; i < rows.size(); ++i) {
    if (refused.contains(static_cast<int64_t>(i))) continue;
    if (!(got.at(next) == rows[i])) {
      return "row came back as " + to_text(got[next]) + ", was " + to_text(rows[i]);
    }
    ++next;
  }
  return "";
}

/// Claims about the type must hold for the target's written schema, not only for the one in memory.
std::string broken_form(const Plan& plan) {
  for (const hub::WrittenForm& form : plan.target_system->forms) {
    if (!form.parsed || form.name == "short" || plan.target_system == skiff::kRoom) continue;
    std::string text;
    try {
      text = form.print(plan.target);
    } catch (const Error& error) {
      // Names of bytes that are no text have no form in JSON.
      if (error.code() == ErrorCode::Unsupported && form.name == "json") continue;
      throw;
    }
    const AnySchema parsed = parse_schema(plan.target_system, text);
    if (!(to_arrow(parsed) == to_arrow(plan.target))) {
      return "the form " + std::string(form.name) + " does not give the schema back:\n" +
             hub::to_string(to_arrow(parsed)) + "\n" + hub::to_string(to_arrow(plan.target));
    }
  }
  return "";
}

/// Law 3: a path that is `annotated` differs without its annotation.
std::string broken_annotation(const Plan& plan) {
  // Skiff's table schema travels beside its rows, whatever is asked.
  if (!plan.target_system->keeps_metadata) return "";
  PlanOptions plain;
  plain.annotations = false;
  const Plan without =
      crosswalk::plan(plan.source_system, plan.source_hub, plan.target_system, plain);
  for (size_t i = 0; i < plan.paths.size(); ++i) {
    const hub::TypeKept with_type = plan.paths[i].type;
    const hub::TypeKept without_type = without.paths[i].type;
    if (with_type == hub::TypeKept::Noted && without_type != hub::TypeKept::Changed) {
      return plan.paths[i].path.text() + " is annotated and does not need to be";
    }
    if (with_type == hub::TypeKept::Self && without_type != hub::TypeKept::Self) {
      return plan.paths[i].path.text() + " needs its annotation and does not say so";
    }
  }
  return "";
}

/// Returns the field at a path, null for none.
const hub::Field* field_at(const std::vector<Child>& among, const Path& path) {
  for (const Child& child : among) {
    if (child.path == path) return child.field;
    const hub::Field* below =
        field_at(children_of(without_encoding(child.field->type), child.path), path);
    if (below != nullptr) return below;
  }
  return nullptr;
}

/// Whether a system has no way for a layer at all: what its capabilities say, and its format.
bool has_no_way(System target, const hub::Type& type) {
  const bool empty = type.kind() == hub::Kind::Struct && type.children().empty();
  return empty && (target == parquet::kRoom || !target->capabilities.empty_structs);
}

/// Law 4: what is refused is what the target has no way for, at its place.
std::string unjustified(const Error& error, const Schema& source, System target) {
  const hub::Type row = hub::struct_(source.fields);
  const hub::Field* field = field_at(children_of(row, Path()), error.place().path);
  if (field != nullptr && has_no_way(target, without_encoding(field->type))) return "";
  return "refused without need: " + error.describe();
}

/// What a system says of values, and notes of YTsaurus beside them: what goes beyond these is an
/// error in the data, of which no finding tells.
hub::Refine said_of(System from) {
  return [from](const hub::Field& field) {
    const bool noted = from->types() != yt::kRoom && hub::annotation(field, "yt");
    if (noted) return yt::kRoom.refine(field);
    return from->refine == nullptr ? hub::Refinement{} : from->refine(field);
  };
}

std::string broken(System from, const Schema& source, System target, uint64_t seed) {
  try {
    const Plan plan = crosswalk::plan(from, source, target);
    testing::RandomData data(seed);
    const hub::Refine refine = said_of(from);
    std::vector<Value> rows;
    for (int i = 0; i < 20; ++i) {
      std::vector<Value> row;
      for (const hub::Field& field : plan.source_hub.fields) {
        row.push_back(data.value(field, refine));
      }
      rows.emplace_back(std::move(row));
    }
    std::string why = broken_law(plan, rows);
    if (why.empty()) why = broken_form(plan);
    if (why.empty()) why = broken_annotation(plan);
    return why;
  } catch (const Error& error) {
    if (error.code() == ErrorCode::Unsupported) return unjustified(error, source, target);
    return error.describe();
  }
}

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

/// A random schema as rows of a system have it: of random types of Arrow, of YTsaurus, and of the
/// latter with the notes of what they were; for Skiff, of wire types alone as well.
Schema random_schema(System from, uint64_t seed) {
  const uint64_t kind = seed % 4;
  if (kind == 0) {
    const Schema schema{testing::RandomData(seed).fields(3, 2), {}};
    return to_arrow(from_arrow(from, schema).schema);
  }
  if (kind == 1 && from == skiff::kRoom) {
    const skiff::testing::RandomTable table(static_cast<uint32_t>(seed));
    return to_arrow(AnySchema(skiff::kRoom, table.schema()));
  }
  const Schema own = to_arrow(AnySchema(yt::kRoom, yt::testing::RandomTypes(seed).table()));
  if (from == yt::kRoom) return own;
  const Plan there = crosswalk::plan(yt::kRoom, own, from);
  return kind == 1 ? to_arrow(there.target) : there.target_hub;
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
  const Plan plan = crosswalk::plan(arrow::kRoom, schema, yt::kRoom);
  EXPECT_EQ(summary(plan), "2 columns: 1 exact, 1 checked (date)");
  EXPECT_EQ(plan.verdict(), hub::Verdict::Checked);
  const PathReport& date = plan.paths.at(1);
  EXPECT_EQ(date.path.text(), "date");
  EXPECT_EQ(date.reasons.at(0).rule, "range.narrowed");
  EXPECT_NE(date.reasons.at(0).witness, "");
  Check check;
  check.plan = &plan;
  check.name = "flights";
  const std::string text = print_text(check);
  EXPECT_NE(text.find("range.narrowed"), std::string::npos) << text;
  EXPECT_NE(print_json(check).find("\"verdict\": \"checked\""), std::string::npos);
}

TEST(PlanTest, CountsWhatAnnotationsSave) {
  const AnySchema source = parse_schema(
      yt::kRoom,
      "[{name=d;type_v3=date};{name=i;type_v3=int64};{name=t;type_v3={type_name=tagged;"
      "tag=url;item=string}}]");
  const Plan noted = crosswalk::plan(source, parquet::kRoom);
  EXPECT_EQ(noted.column_verdicts(),
            (std::vector{hub::Verdict::Annotated, hub::Verdict::Exact, hub::Verdict::Annotated}));
  PlanOptions plain;
  plain.annotations = false;
  EXPECT_EQ(crosswalk::plan(source, parquet::kRoom, plain).column_verdicts(),
            (std::vector{hub::Verdict::Widened, hub::Verdict::Exact, hub::Verdict::Widened}));
}

TEST(PlanTest, MetadataOfAFileIsKeptWhereTheTargetKeepsIt) {
  Schema schema{{hub::Field("a", hub::Kind::Int64)}, {}};
  schema.metadata.set("who", "me");
  schema.fields[0].metadata.set("doc", "x");
  for (const System target : systems()) {
    if (!target->keeps_metadata) continue;
    const Plan plan = crosswalk::plan(parquet::kRoom, schema, target);
    EXPECT_EQ(plan.verdict(), hub::Verdict::Exact) << target->name;
  }
  const Plan plan = crosswalk::plan(parquet::kRoom, schema, yt::kRoom);
  EXPECT_EQ(plan.verdict(), hub::Verdict::Widened);
  EXPECT_EQ(plan.paths.at(0).labels, std::vector<std::string>{"metadata \"who\""});
  EXPECT_EQ(plan.paths.at(1).labels, std::vector<std::string>{"metadata \"doc\""});
}

TEST(PlanTest, AGivenSchemaSaysItselfWhatItsColumnsAre) {
  const AnySchema two_levels = parse_schema(
      parquet::kRoom, "message m { optional group l (LIST) { repeated int32 array; } }");
  const AnySchema three_levels = parse_schema(
      parquet::kRoom,
      "message m { optional group l (LIST) { repeated group list { required int32 element; } } }");
  const Plan plan = plan_to(parquet::kRoom, to_arrow(two_levels), three_levels);
  EXPECT_EQ(print_schema(plan.target), print_schema(three_levels));
  EXPECT_EQ(hub::annotation(plan.target_hub.fields[0], "parquet"), std::nullopt);
  EXPECT_EQ(plan.paths.at(1).type, hub::TypeKept::Changed);
}

TEST(PlanTest, TakesTenThousandColumns) {
  Schema schema;
  for (int i = 0; i < 10000; ++i) {
    schema.fields.emplace_back("c" + std::to_string(i), hub::Type(hub::Kind::Int64));
  }
  const Plan plan = crosswalk::plan(arrow::kRoom, schema, parquet::kRoom);
  EXPECT_EQ(summary(plan), "10000 columns: 10000 exact");
}

}  // namespace
}  // namespace xwalk::crosswalk
