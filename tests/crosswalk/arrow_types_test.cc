#include "xwalk/crosswalk/arrow_types.h"

#include <gtest/gtest.h>

#include "xwalk/arrow/module.h"
#include "xwalk/crosswalk/plan.h"
#include "xwalk/hub/annotation.h"
#include "xwalk/parquet/module.h"
#include "xwalk/vortex/module.h"

namespace xwalk::crosswalk {
namespace {

hub::Schema parse(std::string_view text) { return to_arrow(parse_schema(arrow::kModule, text)); }

// What Vortex stores otherwise comes back, at every depth, through the notes alone.
TEST(ArrowTypes, ComeBackFromVortex) {
  const hub::Schema source = parse(
      "a: duration[ms]\n"
      "b: fixed_size_binary[16] not null\n"
      "c: month_day_nano_interval\n"
      "d: large_string\n"
      "e: dictionary<values=string, indices=int16, ordered=0>\n"
      "f: large_list<item: duration[ns]>\n"
      "g: struct<x: fixed_size_binary[3], y: int64>\n");
  const Plan plan = crosswalk::plan(arrow::kModule, source, vortex::kModule);
  EXPECT_EQ(plan.verdict(), hub::Verdict::Annotated);
  const hub::Schema back = with_arrow_types(vortex::kModule, plan.target_hub);
  for (size_t i = 0; i < source.fields.size(); ++i) {
    EXPECT_EQ(hub::without_annotations(back.fields[i]).type, source.fields[i].type)
        << hub::to_string(back.fields[i].type);
  }
  PlanOptions plain;
  plain.annotations = false;
  EXPECT_EQ(crosswalk::plan(arrow::kModule, source, vortex::kModule, plain).verdict(),
            hub::Verdict::Widened);
}

// ARROW:schema remembers what Parquet's own types do not say.
TEST(ArrowTypes, ComeBackFromParquet) {
  const hub::Schema source = parse(
      "a: duration[us]\n"
      "b: large_string\n"
      "c: fixed_size_list<item: int8>[2]\n"
      "d: timestamp[us, tz=Europe/Berlin]\n");
  const Plan plan = crosswalk::plan(arrow::kModule, source, parquet::kModule);
  EXPECT_EQ(plan.verdict(), hub::Verdict::Annotated);
  const hub::Schema back = with_arrow_types(parquet::kModule, plan.target_hub);
  for (size_t i = 0; i < source.fields.size(); ++i) {
    EXPECT_EQ(back.fields[i].type.kind(), source.fields[i].type.kind());
  }
  EXPECT_EQ(back.fields[3].type, source.fields[3].type);
}

// pyarrow takes the nulls of a struct for short lists in it, unless the lists may be null as well.
TEST(ArrowTypes, RequiredFixedSizeListsInNullableStructsAreListsForOtherReaders) {
  const hub::Schema source = parse(
      "s: struct<a: fixed_size_list<item: int8>[2] not null, b: fixed_size_list<item: int8>[2]>\n"
      "r: struct<a: fixed_size_list<item: int8>[2] not null> not null\n");
  const Plan plan = crosswalk::plan(arrow::kModule, source, parquet::kModule);
  const hub::Schema told = with_arrow_types(parquet::kModule, plan.target_hub, Restored::InPlace);
  EXPECT_EQ(told.fields[0].type.child(0).type.kind(), hub::Kind::List);
  EXPECT_EQ(told.fields[0].type.child(1).type.kind(), hub::Kind::FixedSizeList);
  EXPECT_EQ(told.fields[1].type.child(0).type.kind(), hub::Kind::FixedSizeList);
  const hub::Schema back = with_arrow_types(parquet::kModule, told);
  EXPECT_EQ(back.fields[0].type.child(0).type.kind(), hub::Kind::FixedSizeList);
}

// An annotation is trusted only if the system would store its type as the existing one.
TEST(ArrowTypes, StaleNotesAreIgnored) {
  const Plan plan = crosswalk::plan(
      arrow::kModule, parse("a: duration[ms]\nb: fixed_size_binary[16]\n"), vortex::kModule);
  hub::Schema changed = plan.target_hub;
  changed.fields[0].type = hub::Kind::Int32;
  changed.fields[1].type = hub::fixed_size_list(hub::Field("item", hub::Kind::Uint8, false), 15);
  EXPECT_EQ(with_arrow_types(vortex::kModule, changed), changed);

  for (const char* note : {"duration", "fixed_size_list[", "fixed_size_list[99999999999]", "",
                           "list", "struct<a: int8>", "large_list", "duration[ms] x"}) {
    hub::Schema wrong{{hub::Field("a", hub::Kind::Int64)}, {}};
    hub::annotate(wrong.fields[0], "arrow", note);
    EXPECT_EQ(with_arrow_types(vortex::kModule, wrong), wrong) << note;
  }
}

}  // namespace
}  // namespace xwalk::crosswalk
