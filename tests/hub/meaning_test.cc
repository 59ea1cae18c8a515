#include "xwalk/hub/meaning.h"

#include <algorithm>

#include <gtest/gtest.h>

#include "xwalk/hub/extension.h"
#include "xwalk/hub/geospatial.h"

namespace xwalk::hub {
namespace {

struct Case {
  Field from;
  Field to;
  Fit fit;
};

Field of(Type type) { return {"x", std::move(type)}; }
Field geometry(std::string crs, std::string edges = {}) {
  return with_geospatial(of(Kind::Binary), {std::move(crs), std::move(edges)});
}
Field tensor(std::string_view shape) {
  const Type items = fixed_size_list(Field("item", Kind::Float, false), 4);
  return with_extension(of(items), kFixedTensorExtension, shape);
}

std::vector<Case> cases() {
  const Field uuid = with_extension(of(fixed_size_binary(16)), kUuidExtension);
  const Field json = with_extension(of(Kind::Utf8), kJsonExtension);
  const Field local = of(timestamp(TimeUnit::Micro));
  const Field instant = of(timestamp(TimeUnit::Micro, "UTC"));
  const Field words = of(dictionary(Kind::Int32, Kind::Utf8));
  const auto box = [](Type value) { return of(struct_({Field("value", std::move(value))})); };
  const Type pair = struct_({Field("a", Kind::Int64), Field("b", Kind::Utf8)});
  const Type more = struct_({Field("value", Kind::Int64), Field("b", Kind::Utf8)});
  return {
      {of(Kind::Int64), of(Kind::Int8), Fit::Same},
      {of(Kind::Int64), of(decimal(128, 10, 2)), Fit::Same},
      {of(Kind::Double), of(Kind::Int32), Fit::Same},
      {words, of(Kind::LargeUtf8), Fit::Same},
      {of(Kind::Null), uuid, Fit::Same},
      {of(Kind::Date32), of(Kind::Date64), Fit::Same},
      {of(timestamp(TimeUnit::Second)), local, Fit::Same},
      {of(timestamp(TimeUnit::Second, "Europe/Berlin")), instant, Fit::Same},
      {of(duration(TimeUnit::Second)), of(duration(TimeUnit::Nano)), Fit::Same},
      {geometry("EPSG:3857"), geometry("EPSG:3857"), Fit::Same},
      {tensor(R"({"shape":[2,2]})"), tensor(R"({ "shape": [2, 2] })"), Fit::Same},
      {of(Kind::Utf8), of(Kind::Binary), Fit::Within},
      {of(Kind::Binary), json, Fit::Within},
      {of(Kind::Utf8), of(decimal(128, 10, 2)), Fit::ByValue},
      {of(Kind::Binary), of(Kind::Int64), Fit::ByValue},
      {local, of(Kind::Utf8), Fit::ByValue},
      {of(Kind::Bool), of(Kind::Int8), Fit::ByValue},
      {of(Kind::Date32), local, Fit::ByValue},
      {of(Kind::Int64), local, Fit::Stored},
      {local, instant, Fit::Stored},
      {of(Kind::Int32), of(Kind::Date32), Fit::Stored},
      {of(decimal(128, 38, 0)), uuid, Fit::Stored},
      {of(fixed_size_binary(16)), uuid, Fit::Stored},
      {of(Kind::Binary), geometry(""), Fit::Within},
      {of(Kind::Utf8), geometry(""), Fit::Stored},
      {geometry("EPSG:3857"), geometry(""), Fit::Stored},
      {geometry(""), geometry("", "spherical"), Fit::Stored},
      {tensor(R"({"shape":[2,2]})"), tensor(R"({"shape":[4,1]})"), Fit::Stored},
      {with_extension(of(Kind::Int64), "a"), with_extension(of(Kind::Int64), "b"), Fit::Stored},
      {with_extension(of(Kind::Int64), "a"), of(Kind::Int64), Fit::Stored},
      {of(Kind::Date32), of(duration(TimeUnit::Second)), Fit::None},
      {of(Kind::Double), local, Fit::None},
      {of(Kind::Int64), of(list(Field("item", Kind::Int64))), Fit::None},
      // A struct of one member called `value` is a box, except next to a struct that has it too.
      {box(Kind::Int64), of(Kind::Int64), Fit::Same},
      {of(pair), box(pair), Fit::Same},
      {box(Kind::Int64), of(more), Fit::Same},
      {of(more), box(Kind::Int64), Fit::Same},
      {of(pair), box(Kind::Int64), Fit::None},
  };
}

Fit worst(const Disagreements& found) {
  Fit out = Fit::Same;
  for (const Disagreement& one : found) out = std::max(out, one.fit);
  return out;
}

TEST(Meaning, TypesAreJudgedByWhatTheirValuesAre) {
  for (const Case& c : cases()) {
    SCOPED_TRACE(to_string(c.from) + " to " + to_string(c.to));
    EXPECT_EQ(worst(judge(c.from, c.to, Path::column("x"))), c.fit);
    EXPECT_TRUE(judge(c.to, c.to, Path::column("x")).empty());
  }
}

TEST(Meaning, ThePlaceOfADifferenceIsNamedAtEveryDepth) {
  for (const Case& c : cases()) {
    if (c.fit < Fit::ByValue) continue;
    SCOPED_TRACE(to_string(c.from) + " to " + to_string(c.to));
    const auto nested = [](Field field) {
      field.name = "m";
      return of(list(Field("item", struct_({std::move(field)}))));
    };
    const Disagreements found = judge(nested(c.from), nested(c.to), Path::column("x"));
    ASSERT_EQ(found.size(), 1U);
    EXPECT_EQ(found.front().path.text(), "x[].m");
    EXPECT_EQ(found.front().fit, c.fit);
  }
}

TEST(Meaning, WhatASystemSaysOfAFieldCounts) {
  const Field local = of(timestamp(TimeUnit::Nano));
  const Field instant = of(timestamp(TimeUnit::Micro, "UTC"));
  const auto says = [](const Refinement& refinement) {
    return [refinement](const Field&) { return refinement; };
  };
  const auto fit = [](const Field& from, const Field& to, const JudgeOptions& options) {
    return worst(judge(from, to, Path::column("x"), options));
  };
  // A time without a flag, such as INT96, takes local times and instants, and is read as it says.
  Refinement either;
  either.clock = Clock::Any;
  EXPECT_EQ(fit(instant, local, {.from = {}, .to = says(either)}), Fit::Within);
  EXPECT_EQ(fit(local, local, {.from = {}, .to = says(either)}), Fit::Same);
  EXPECT_EQ(fit(local, instant, {.from = says(either), .to = {}}), Fit::Stored);
  EXPECT_EQ(fit(of(Kind::Int64), local, {.from = {}, .to = says(either)}), Fit::Stored);
  Refinement utc;
  utc.clock = Clock::Utc;
  Refinement of_wall;
  of_wall.clock = Clock::Local;
  const Field time = of(time64(TimeUnit::Micro));
  EXPECT_EQ(fit(time, time, {.from = says(utc), .to = says(of_wall)}), Fit::Stored);
  EXPECT_EQ(fit(time, time, {.from = {}, .to = says(of_wall)}), Fit::Same);
  // An extension that is only a layout, such as that of a blob, is what it stores.
  Refinement layout;
  layout.is_layout = true;
  const Type parts = struct_({Field("data", Kind::LargeBinary), Field("uri", Kind::Utf8)});
  const Field blob = with_extension(of(parts), "a.blob");
  EXPECT_EQ(fit(of(parts), blob, {.from = {}, .to = says(layout)}), Fit::Same);
  EXPECT_EQ(fit(of(parts), blob, {}), Fit::Stored);
}

TEST(Meaning, ABoxIsComparedByItsValue) {
  const Field box = of(struct_({Field("value", Kind::Int64)}));
  const Field pair = of(struct_({Field("a", Kind::Int64)}));
  const Disagreements found = judge(box, pair, Path::column("x"));
  ASSERT_EQ(found.size(), 1U);
  EXPECT_EQ(found.front().path.text(), "x.value");
  EXPECT_EQ(found.front().reason, "a number (int64) is not a struct");
  // Unless a member has another name there.
  const Renames renames = {{"x.value", {{"a", "", true}}}};
  EXPECT_TRUE(
      judge(box, pair, Path::column("x"), {.from = {}, .to = {}, .renames = &renames}).empty());
}

TEST(Meaning, ATimeWithItsZoneIsComparedWithAllItsMembers) {
  const auto zoned = [](Type time) {
    return of(struct_({Field("time", std::move(time)), Field("zone", Kind::Utf8)}));
  };
  const Type instant = timestamp(TimeUnit::Micro, "UTC");
  const Field by_offset = with_extension(of(struct_({Field("timestamp", instant, false),
                                                     Field("offset_minutes", Kind::Int16, false)})),
                                         "arrow.timestamp_with_offset");
  const Field less = of(struct_({Field("time", instant)}));
  const Field more =
      of(struct_({Field("time", instant), Field("zone", Kind::Utf8), Field("c", Kind::Utf8)}));
  const auto names = [](const Field& field) {
    Refinement out;
    out.zone_names = field.type.kind() == Kind::Struct;
    return out;
  };
  const auto fit = [&](const Field& from, const Field& to, bool is_plain) {
    return worst(judge(from, to, Path::column("x"),
                       {.from = names, .to = is_plain ? Refine{} : Refine{names}}));
  };
  EXPECT_EQ(fit(zoned(instant), zoned(instant), true), Fit::Same);
  EXPECT_EQ(fit(zoned(instant), zoned(Kind::Date32), false), Fit::ByValue);
  EXPECT_EQ(fit(zoned(instant), by_offset, true), Fit::Same);
  EXPECT_EQ(fit(zoned(Kind::Date32), by_offset, true), Fit::ByValue);
  for (const Field& other : {less, more, of(struct_({}))}) {
    EXPECT_EQ(fit(zoned(instant), other, true), Fit::None);
  }
}

TEST(Meaning, AReasonNamesBothMeanings) {
  const Disagreements found =
      judge(of(Kind::Int64), of(timestamp(TimeUnit::Micro, "UTC")), Path::column("x"));
  ASSERT_EQ(found.size(), 1U);
  EXPECT_EQ(found.front().reason, "a number (int64) is not an instant (timestamp[us, tz=UTC])");
}

}  // namespace
}  // namespace xwalk::hub
