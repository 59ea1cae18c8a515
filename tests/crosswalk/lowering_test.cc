#include <gtest/gtest.h>

#include "tests/crosswalk/random_values.h"
#include "tests/hub/values.h"
#include "xwalk/arrow/module.h"
#include "xwalk/crosswalk/arrow_types.h"
#include "xwalk/crosswalk/plan.h"
#include "xwalk/hub/annotation.h"
#include "xwalk/hub/module.h"
#include "xwalk/lance/module.h"
#include "xwalk/parquet/module.h"
#include "xwalk/vortex/module.h"
#include "xwalk/yt/module.h"

// What lowering stores in the place of a type, at every depth, comes back as that type by itself.

namespace xwalk::crosswalk {
namespace {

using hub::Batch;
using hub::Schema;
using hub::testing::Value;

constexpr System kWithoutUnions[] = {parquet::kModule, lance::kModule, vortex::kModule};

constexpr const char* kUnions[] = {
    "Variant<'Foo':Int64,'Bar':Utf8>",
    "Variant<'Foo':Int64,'Bar':Utf8>?",
    "Variant<'Foo':Int64,'Bar':Utf8>??",
    "Variant<Int64,Utf8?>?",
    "Variant<Int64,Null>",
    "Variant<'value':Int64>?",
    "Variant<'value':Int64?>",
    "Tagged<Variant<'Foo':Int64,'Bar':Utf8>,'t'>",
    "Tagged<Variant<'Foo':Int64,'Bar':Utf8>,'t'>?",
    "Optional<Tagged<Variant<Int64,Utf8>,'t'>>",
    "List<Variant<'Foo':Int64,'Bar':Utf8>?>",
    "List<Variant<'Foo':Int64,'Bar':List<Utf8?>?>>",
    "Struct<'a':Variant<'Foo':Int64,'Bar':Utf8>?,'b':Int8>",
    "Tuple<Variant<'Foo':Int64,'Bar':Utf8>?,Date>",
    "Variant<'Foo':Variant<Int64,Date>,'Bar':Variant<Int8,Utf8>?>",
    "Variant<'Foo':Interval?,'Bar':Struct<'x':Datetime>>?",
};

std::vector<Value> random_rows(const Schema& schema, uint64_t seed) {
  testing::RandomData data(seed);
  const hub::Refine refine = yt::kModule.refine;
  std::vector<Value> rows;
  for (int i = 0; i < 40; ++i) {
    std::vector<Value> row;
    for (const hub::Field& field : schema.fields) row.push_back(data.value(field, refine));
    rows.emplace_back(std::move(row));
  }
  return rows;
}

/// Rows of a stored schema, read as its reader restores it and taken on by a plan.
std::vector<Value> read_on(const Schema& stored, const Plan& back, Batch batch) {
  batch = hub::compile_cast(stored, back.source_hub).run(std::move(batch));
  EXPECT_TRUE(batch.bad.empty());
  batch = back.cast.run(std::move(batch));
  EXPECT_TRUE(batch.bad.empty());
  return hub::testing::read_batch(back.target_hub, std::move(batch));
}

TEST(Lowering, AUnionComesBackByItself) {
  for (const System target : kWithoutUnions) {
    for (const char* text : kUnions) {
      SCOPED_TRACE(std::string(target->name) + " " + text);
      const AnySchema source = parse_type(yt::kModule, text);
      const Plan there = plan(source, target);
      EXPECT_EQ(there.verdict(), hub::Verdict::Annotated);
      const Plan back = plan(target, with_arrow_types(target, there.target_hub), yt::kModule);
      EXPECT_EQ(print_schema(back.target, "short"), print_schema(source, "short"));
      EXPECT_EQ(back.verdict(), hub::Verdict::Exact);

      const std::vector<Value> rows = random_rows(there.source_hub, 7);
      Batch batch = there.cast.run(hub::testing::make_batch(there.source_hub, rows));
      EXPECT_TRUE(batch.bad.empty());
      EXPECT_EQ(read_on(there.target_hub, back, std::move(batch)), rows);
    }
  }
}

// Parquet's maps have no key twice; what they do have comes back.
TEST(Lowering, AUnionInADictComesBackByItself) {
  const AnySchema source = parse_type(yt::kModule, "Dict<Utf8,Variant<'Foo':Int64,'Bar':Utf8>?>");
  for (const System target : kWithoutUnions) {
    SCOPED_TRACE(target->name);
    const Plan there = plan(source, target);
    EXPECT_EQ(there.verdict(),
              target == parquet::kModule ? hub::Verdict::Checked : hub::Verdict::Annotated);
    const Plan back = plan(target, with_arrow_types(target, there.target_hub), yt::kModule);
    EXPECT_EQ(print_schema(back.target, "short"), print_schema(source, "short"));
    const Value chosen = hub::testing::alternative(1, "x");
    const std::vector<Value> rows = {Value(std::vector<Value>{std::vector<Value>{
                                         std::vector<Value>{"a", std::vector<Value>{chosen}},
                                         std::vector<Value>{"b", Value()}}}),
                                     Value(std::vector<Value>{std::vector<Value>{}})};
    Batch batch = there.cast.run(hub::testing::make_batch(there.source_hub, rows));
    EXPECT_TRUE(batch.bad.empty());
    EXPECT_EQ(read_on(there.target_hub, back, std::move(batch)), rows);
  }
}

TEST(Lowering, AnArrowUnionKeepsItsCodesAndKind) {
  for (const System target : kWithoutUnions) {
    for (const char* text :
         {"u: dense_union<a: int64=5, b: string not null=3> not null\n",
          "u: sparse_union<a: int64 not null=0, b: duration[ms]=1> not null\n"}) {
      SCOPED_TRACE(std::string(target->name) + " " + text);
      const Schema source = parse_schema(arrow::kModule, text).as<Schema>();
      const Plan there = plan(arrow::kModule, source, target);
      const Schema read = with_arrow_types(target, there.target_hub);
      EXPECT_EQ(hub::without_annotations(read.fields[0]).type, source.fields[0].type);
    }
  }
}

TEST(Lowering, WithoutAnnotationsAUnionIsAStruct) {
  PlanOptions plain;
  plain.annotations = false;
  for (const System target : kWithoutUnions) {
    for (const char* text : kUnions) {
      SCOPED_TRACE(std::string(target->name) + " " + text);
      const AnySchema source = parse_type(yt::kModule, text);
      const Plan there = plan(source, target, plain);
      EXPECT_EQ(there.verdict(), hub::Verdict::Widened);
      const Schema read = with_arrow_types(target, there.target_hub);
      EXPECT_EQ(read, there.target_hub);
      // Rows go on as what they are stored as, none is altered.
      EXPECT_LE(plan(target, read, yt::kModule).verdict(), hub::Verdict::Checked);
    }
  }
}

// Others change a column and keep its metadata; then it is what it is, and nothing is null.
TEST(Lowering, AStaleNoteLeavesTheStruct) {
  const AnySchema source = parse_type(yt::kModule, "Variant<'Foo':Int64,'Bar':Utf8>?");
  for (const System target : kWithoutUnions) {
    Schema stored = plan(source, target).target_hub;
    hub::Field inner = stored.fields[0].type.child();
    for (const char* note : {"dense_union[0]", "dense_union[0,1,2]", "dense_union[0,1?]",
                             "dense_union[0,0]", "dense_union[", "dense_union[]",
                             "dense_union[-1,0]", "dense_union[0,1]x", "dense_union[0,999]"}) {
      hub::annotate(inner, "arrow", note);
      stored.fields[0].type = hub::struct_({inner});
      EXPECT_EQ(with_arrow_types(target, stored), stored) << note;
      const Plan back = plan(target, stored, yt::kModule);
      EXPECT_LE(back.verdict(), hub::Verdict::Widened) << note;
      EXPECT_EQ(
          print_schema(back.target, "short"),
          "'value': Optional<Struct<'value':Struct<'Foo':Optional<Int64>,'Bar':Optional<Utf8>>>>"
          "\n");
    }
  }
}

// The annotation of a list's length is at the list, also within the wrapper of an alternative.
TEST(Lowering, NotesWithinWrappersStandOnTheirOwnLayer) {
  const AnySchema source = parse_schema(
      arrow::kModule, "u: dense_union<a: list<item: fixed_size_list<item: int8>[2]>=0> not null\n");
  const Plan there = plan(source, parquet::kModule);
  const hub::Field& wrapper = there.target_hub.fields[0].type.child();
  const hub::Field& list = wrapper.type.child();
  EXPECT_EQ(hub::annotation(wrapper, "arrow"), std::nullopt);
  EXPECT_EQ(hub::annotation(list, "arrow"), std::nullopt);
  EXPECT_EQ(hub::annotation(list.type.child(), "arrow"), "fixed_size_list[2]");
  const Schema read = with_arrow_types(parquet::kModule, there.target_hub);
  EXPECT_EQ(read.fields[0].type.kind(), hub::Kind::DenseUnion);
}

TEST(Lowering, MetadataOfAnAlternativeStandsOnce) {
  Schema source{
      {hub::Field(
          "u", hub::union_({hub::Field("a", hub::Kind::Int64, true, {{"PARQUET:field_id", "7"}})}),
          false)},
      {}};
  const Plan there = plan(arrow::kModule, source, parquet::kModule);
  EXPECT_EQ(print_schema(there.target).find("= 7"), print_schema(there.target).rfind("= 7"));
  const hub::Field& wrapper = there.target_hub.fields[0].type.child();
  EXPECT_TRUE(wrapper.metadata.empty());
  EXPECT_EQ(wrapper.type.child().metadata.find("PARQUET:field_id"), "7");
}

// A number that only a note of the file makes a duration: a target without durations does not have
// the type by itself.
TEST(Lowering, WhatTheReaderRestoredIsNotedWhereTheTargetLacksIt) {
  const AnySchema source = parse_schema(parquet::kModule, "message schema { optional int64 d; }");
  Schema shown = to_arrow(source);
  shown.fields[0].type = hub::duration(hub::TimeUnit::Micro);
  for (const auto& [target, kept] :
       {std::pair<System, hub::TypeKept>(vortex::kModule, hub::TypeKept::Noted),
        std::pair<System, hub::TypeKept>(lance::kModule, hub::TypeKept::Self)}) {
    const Plan there = plan(parquet::kModule, shown, target);
    EXPECT_EQ(there.paths.at(1).type, kept);
  }
}

// A null struct is no union: its rows are rejected, not taken as the first alternative.
TEST(Lowering, ANullStructIsNoAlternative) {
  const Schema stored{{hub::Field("u", hub::struct_({hub::Field("a", hub::Kind::Int64)}), true)},
                      {}};
  const Schema wanted{
      {hub::Field("u", hub::union_({hub::Field("a", hub::Kind::Int64, false)}), false)}, {}};
  const std::vector<Value> rows = {Value(std::vector<Value>{Value()})};
  const Batch out = hub::compile_cast(stored, wanted).run(hub::testing::make_batch(stored, rows));
  EXPECT_EQ(out.bad.size(), 1U);
}

}  // namespace
}  // namespace xwalk::crosswalk
