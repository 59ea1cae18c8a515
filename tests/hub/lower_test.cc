#include "xwalk/hub/lower.h"

#include <gtest/gtest.h>

#include "xwalk/hub/annotation.h"

namespace xwalk::hub {
namespace {

/// A system that has nothing that it can do without.
constexpr Capabilities kBare = {
    .system = "bare",
    .unions = false,
    .nullable_keys = false,
    .sorted_keys = false,
    .fixed_lists = false,
    .list_views = false,
    .run_ends = false,
    .bool8 = false,
    .half_floats = false,
    .date64 = false,
    .time_of_day = false,
    .timestamps = one_unit(TimeUnit::Micro),
    .durations = 0,
    .fixed_binary = FixedBinary::UuidOnly,
    .intervals = false,
    .narrow_decimals = false,
    .least_scale = 0,
    .scale_beyond_precision = false,
    .distinct_columns = true,
    .distinct_members = true,
    .has_zone = [](std::string_view zone) { return zone == "UTC"; },
};

struct Row {
  Field field;
  const char* lowered;
  std::vector<std::string> found;  ///< rule and path
};

std::vector<std::string> found_in(const Findings& findings) {
  std::vector<std::string> out;
  for (const Finding& finding : findings) {
    out.push_back(std::string(finding.rule) + " " + finding.path.text());
  }
  return out;
}

TEST(Lower, GivesNamesAndSaysWhich) {
  const Type twice = struct_({Field("m", Kind::Int8), Field("m", Kind::Utf8)});
  const Type union_twice = union_({Field("x", Kind::Int8, false), Field("x", Kind::Utf8, true)});
  const Schema schema{{Field("a", Kind::Int8), Field("a", twice), Field("u", union_twice),
                       Field("\xff", Kind::Int8), Field("old", Kind::Int8)},
                      {}};
  const Lowered out = lower(schema, kBare, nullptr, {{"old", {{"new", "as requested", true}}}});
  std::vector<std::string> names;
  for (const Field& field : out.schema.fields) names.push_back(field.name);
  EXPECT_EQ(names, (std::vector<std::string>{"a", "a_2", "u", "\\xFF", "new"}));
  EXPECT_EQ(out.schema.fields[1].type.child(1).name, "m_2");
  EXPECT_EQ(out.schema.fields[2].type.child(1).name, "x_2");
  const auto pairs =
      pair_members(struct_(schema.fields), struct_(out.schema.fields), Path(), out.renames);
  for (size_t i = 0; i < pairs.size(); ++i) EXPECT_EQ(pairs[i], i);
  const auto below =
      pair_members(union_twice, out.schema.fields[2].type, Path::column("u"), out.renames);
  EXPECT_EQ(below, (std::vector<std::optional<size_t>>{0, 1}));
  EXPECT_EQ(out.renames.at("old").front().why, "as requested");
}

TEST(Lower, RewritesWhatASystemLacks) {
  const Field item("item", Kind::HalfFloat);
  const std::vector<Row> rows = {
      {Field("c", Kind::Int64), "c: int64\n", {}},
      {Field("c", Kind::HalfFloat), "c: float\n", {"type.widened c"}},
      {with_extension(Field("c", Kind::Int8), "arrow.bool8"), "c: bool\n", {"type.widened c"}},
      {Field("c", fixed_size_binary(16)), "c: binary\n", {"size.lost c"}},
      {with_extension(Field("c", fixed_size_binary(16)), "arrow.uuid"),
       "c: fixed_size_binary[16] [arrow.uuid]\n",
       {}},
      {Field("c", Kind::Date64), "c: date32\n", {"unit.coarser c"}},
      {Field("c", time64(TimeUnit::Nano)), "c: int64\n", {"type.as-storage c"}},
      {Field("c", timestamp(TimeUnit::Nano, "Asia/Tokyo")),
       "c: timestamp[us, tz=UTC]\n",
       {"unit.coarser c", "zone.dropped c"}},
      {Field("c", timestamp(TimeUnit::Second)),
       "c: timestamp[us, tz=UTC]\n",
       {"type.widened c", "zone.assumed c"}},
      {Field("c", duration(TimeUnit::Milli)), "c: int64\n", {"type.as-storage c"}},
      {Field("c", Kind::IntervalDayTime),
       "c: struct<days: int32 not null, milliseconds: int32 not null>\n",
       {"type.as-storage c"}},
      {Field("c", decimal(32, 5, -2)), "c: decimal128(7, 0)\n", {"type.widened c"}},
      {Field("c", decimal(64, 5, 2)), "c: decimal128(5, 2)\n", {"layout.flattened c"}},
      {Field("c", decimal(256, 76, -15)), "c: string\n", {"type.widened c", "type.as-storage c"}},
      {Field("c", fixed_size_list(item, 2)),
       "c: list<item: float>\n",
       {"size.lost c", "type.widened c[]"}},
      {Field("c", list(item, Kind::LargeListView)),
       "c: large_list<item: float>\n",
       {"layout.flattened c", "type.widened c[]"}},
      {Field("c", dictionary(Kind::Int8, Kind::Utf8)),
       "c: dictionary<values=string, indices=int8, ordered=0>\n",
       {}},
      {Field("c", dictionary(Kind::Int8, Kind::HalfFloat)),
       "c: float\n",
       {"layout.flattened c", "type.widened c"}},
      {Field("c", run_end_encoded(Kind::Int32, Field("values", Kind::Utf8)), false),
       "c: string\n",
       {"layout.flattened c"}},
      {Field("c", map(Field("key", Kind::Utf8), item, true)),
       "c: list<item: struct<key: string, value: float> not null>\n",
       {"order.changed c", "type.widened c{value}", "type.as-storage c"}},
      {Field("c", struct_({Field("x", Kind::Int8), Field("x", Kind::HalfFloat)})),
       "c: struct<x: int8, x_2: float>\n",
       {"type.widened c.x", "name.changed c.x"}},
      {Field("c", union_({Field("a", Kind::HalfFloat, false), Field("b", list(item))}), false),
       "c: struct<a: float, b: struct<value: list<item: float>>> not null\n",
       {"type.widened c<a>", "type.widened c<b>[]", "union.lowered c"}},
  };
  for (const Row& row : rows) {
    SCOPED_TRACE(to_string(row.field));
    const Lowered out = lower({{row.field}, {}}, kBare);
    EXPECT_EQ(to_string(out.schema), row.lowered);
    EXPECT_EQ(found_in(out.findings), row.found);
    // What a system takes is left alone.
    EXPECT_EQ(lower(out.schema, kBare).schema, out.schema);
    EXPECT_EQ(lower({{row.field}, {}}, {}).schema.fields[0], row.field);
  }
}

TEST(Lower, ColumnsGetNamesOfTheirOwn) {
  const Lowered out = lower(
      {{Field("a", Kind::Int8), Field("a", Kind::Int8), Field("a_2", Kind::Int8)}, {}}, kBare);
  EXPECT_EQ(to_string(out.schema), "a: int8\na_3: int8\na_2: int8\n");
  EXPECT_EQ(found_in(out.findings), std::vector<std::string>{"name.changed a"});
}

TEST(Lower, PathsOfTheLoweredSchemaAreKnownAsTheyWere) {
  const Field deep("b", list(Field("item", Kind::Utf8)));
  const Lowered out = lower(
      {{Field("u", union_({Field("a", Kind::Int8, false), deep})),
        Field("m", map(Field("key", Kind::Utf8), Field("value", list(Field("item", Kind::Int8)))))},
       {}},
      kBare);
  const Path u = Path::column("u");
  EXPECT_EQ(out.as_it_was(u.field("a")).text(), "u<a>");
  EXPECT_EQ(out.as_it_was(u.field("b")).text(), "u<b>");
  EXPECT_EQ(out.as_it_was(u.field("b").field("value").item()).text(), "u<b>[]");
  const Path m = Path::column("m");
  EXPECT_EQ(out.as_it_was(m).text(), "m");
  EXPECT_EQ(out.as_it_was(m.item().field("key")).text(), "m{key}");
  EXPECT_EQ(out.as_it_was(m.item().field("value").item()).text(), "m{value}[]");
}

TEST(Lower, AnnotationsOfARewrittenLayerAreNotedOrDropped) {
  Field field("c", duration(TimeUnit::Micro), true, {{"doc", "x"}});
  annotate(field, "yt", "\"interval\"");
  field.metadata.set("xwalk:yt.column", "{sort_order=ascending;}");
  const Field dropped = lower({{field}, {}}, kBare).schema.fields[0];
  EXPECT_EQ(dropped.metadata,
            (Metadata{{"doc", "x"}, {"xwalk:yt.column", "{sort_order=ascending;}"}}));
  const NoteText words = [](const Field& was) { return std::optional(to_string(was.type)); };
  const Field noted = lower({{field}, {}}, kBare, words).schema.fields[0];
  EXPECT_EQ(annotation(noted, "yt"), "\"interval\"");
  EXPECT_EQ(annotation(noted, "arrow"), "duration[us]");
  // A column that is not rewritten needs no annotation, and an old one is ignored.
  annotate(field, "arrow", "duration[s]");
  field.type = Kind::Int64;
  EXPECT_EQ(annotation(lower({{field}, {}}, kBare, words).schema.fields[0], "arrow"), std::nullopt);
}

}  // namespace
}  // namespace xwalk::hub
