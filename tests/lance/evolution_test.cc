#include "xwalk/lance/evolution.h"

#include <gtest/gtest.h>

#include "xwalk/base/error.h"
#include "xwalk/lance/evolution_diff.h"
#include "xwalk/lance/evolution_text.h"
#include "xwalk/lance/text.h"

namespace xwalk::lance {
namespace {

/// a:0 s:1(x:2 y:3) l:4(item:5) b:6, as pylance writes it.
EvolutionState start() {
  EvolutionState state;
  state.schema = parse_text(R"(
    Field { name: "a" type: "int32" nullable: false }
    Field { name: "s" type: "struct" children: [
      Field { name: "x" type: "int32" } Field { name: "y" type: "string" } ] }
    Field { name: "l" type: "list" children: [ Field { name: "item" type: "int32" } ] }
    Field { name: "b" type: "string" })");
  state.data_files = {{0, 2, 3, 5, 6}};
  state.has_rows = true;
  return state;
}

Field field_of(std::string_view text) { return parse_text(text).fields.at(0); }

std::string ids(const std::vector<Field>& fields) {
  std::string out;
  for (const Field& field : fields) {
    out += (out.empty() ? "" : " ") + field.name + ":" + std::to_string(field.id);
    if (!field.children.empty()) out += "(" + ids(field.children) + ")";
  }
  return out;
}

std::string message_of(const Operation& operation) {
  try {
    evolve(start(), {operation});
  } catch (const Error& error) {
    return error.message();
  }
  return "";
}

TEST(FieldPaths, ParseAndPrint) {
  struct Case {
    const char* text;
    FieldPath path;
  };
  const Case kCases[] = {{"a", {"a"}},
                         {"a.b.c", {"a", "b", "c"}},
                         {"`a.b`.c", {"a.b", "c"}},
                         {"`tick``s`", {"tick`s"}},
                         {"``", {""}},
                         {"s.`odd name`", {"s", "odd name"}}};
  for (const Case& sample : kCases) {
    EXPECT_EQ(parse_field_path(sample.text), sample.path) << sample.text;
    EXPECT_EQ(print_field_path(sample.path), sample.text);
  }
  for (const char* text : {"", ".", "a.", ".a", "a..b", "`a", "`a`b", "a`b`"}) {
    EXPECT_THROW(parse_field_path(text), Error) << text;
  }
}

TEST(Evolution, IdsAreThoseOfTheLivingSystem) {
  // Each line ran on a real dataset.
  Evolution out = evolve(
      start(),
      {AddField{{}, field_of("Field { name: \"c\" type: \"int64\" }"), true},
       AddField{{}, field_of("Field { name: \"n\" type: \"int64\" }"), false}, DropField{{"n"}},
       AddField{{}, field_of("Field { name: \"n2\" type: \"int64\" }"), false}, DropField{{"c"}},
       AddField{{},
                field_of("Field { name: \"n3\" type: \"struct\" children: [ Field { name: "
                         "\"k\" type: \"int8\" } Field { name: \"m\" type: \"int8\" } ] }"),
                false},
       CastField{{"a"}, field_of("Field { name: \"\" type: \"int64\" }")},
       CastField{{"s", "x"}, field_of("Field { name: \"\" type: \"int64\" }")},
       CastField{{"l"},
                 field_of("Field { name: \"\" type: \"list\" children: [ Field { "
                          "name: \"item\" type: \"int64\" } ] }")},
       RenameField{{"a"}, "A"}});
  EXPECT_EQ(ids(out.state.schema.fields),
            "A:12 s:1(x:13 y:3) l:14(item:15) b:6 n2:8 n3:9(k:10 m:11)");
  EXPECT_EQ(out.state.data_files,
            (std::vector<std::vector<int32_t>>{{0, 2, 3, 5, 6}, {12}, {13}, {15}}));
  EXPECT_EQ(out.work[0].written_ids, std::vector<int32_t>{7});
  EXPECT_TRUE(out.work[1].metadata_only());
  EXPECT_EQ(out.work[8].written_ids, std::vector<int32_t>{15});
  EXPECT_TRUE(out.work[9].metadata_only());
}

TEST(Evolution, NeverReusesIdsWhereThatIsPromised) {
  EvolutionState state = start();
  state.max_allocated_id = 20;
  Evolution out =
      evolve(state, {AddField{{}, field_of("Field { name: \"n\" type: \"int64\" }"), false},
                     DropField{{"n"}},
                     AddField{{}, field_of("Field { name: \"n\" type: \"int64\" }"), false}});
  EXPECT_EQ(out.state.schema.fields.back().id, 22);
  EXPECT_EQ(out.state.max_allocated_id, 22);
}

TEST(Evolution, AStructWithoutFieldsGoesWithTheLastOne) {
  Evolution out = evolve(start(), {DropField{{"s", "x"}}, DropField{{"s", "y"}}});
  EXPECT_EQ(ids(out.state.schema.fields), "a:0 l:4(item:5) b:6");
}

TEST(Evolution, ReordersFieldsOfOneParent) {
  Evolution out = evolve(start(), {ReorderFields{{{"b"}, {"l"}}}, ReorderFields{{{"s", "y"}}}});
  EXPECT_EQ(ids(out.state.schema.fields), "b:6 l:4(item:5) a:0 s:1(y:3 x:2)");
  EXPECT_TRUE(out.work[0].metadata_only());
}

TEST(Evolution, KeysStandInBothPlaces) {
  Evolution out = evolve(start(), {SetPrimaryKey{{{"a"}}}, SetClusteringKey{{{"b"}, {"a"}}}});
  const Field& a = out.state.schema.fields[0];
  EXPECT_TRUE(a.primary_key);
  EXPECT_EQ(a.primary_key_position, 1u);
  EXPECT_EQ(a.metadata.find("lance-schema:unenforced-primary-key:position"), "1");
  EXPECT_EQ(a.clustering_key_position, 2u);
  EXPECT_EQ(evolve(out.state, {SetPrimaryKey{}}).state.schema.fields[0].primary_key, false);
}

TEST(Evolution, AsksForACheckOfNulls) {
  Evolution out = evolve(start(), {SetNullable{{"b"}, false}, SetNullable{{"a"}, true}});
  EXPECT_EQ(out.work[0].checked_id, 6);
  EXPECT_TRUE(out.work[1].metadata_only());
}

TEST(Evolution, RefusesWhatTheLivingSystemRefuses) {
  EXPECT_EQ(message_of(DropField{{"aa"}}), "no field \"aa\"");
  EXPECT_EQ(message_of(AddField{{}, field_of("Field { name: \"a\" type: \"int8\" }"), true}),
            "expected a new name, found one that exists");
  EXPECT_EQ(message_of(AddField{
                {}, field_of("Field { name: \"z\" type: \"int8\" nullable: false }"), false}),
            "expected values for a field that is not nullable, found none");
  EXPECT_EQ(message_of(AddField{{"b"}, field_of("Field { name: \"z\" type: \"int8\" }"), false}),
            "expected a struct to add a field to, found string");
  EXPECT_EQ(message_of(RenameField{{"a"}, "b"}),
            "expected a new name, found one that exists: \"b\"");
  EXPECT_EQ(
      message_of(RenameField{{"a"}, "x.y"}),
      "expected a schema that keeps the rules, found a dot, which means a member of a struct");
  EXPECT_EQ(message_of(CastField{{"a"}, field_of("Field { name: \"\" type: \"string\" }")}),
            "expected a type that int32 can become, found string");
  EXPECT_EQ(message_of(SetPrimaryKey{{{"b"}}}),
            "expected a schema that keeps the rules, found a primary key column that is nullable, "
            "or is nested in a nullable field, a list or a map");
  EXPECT_EQ(message_of(ReorderFields{{{"b"}, {"s", "x"}}}),
            "expected fields of one parent to reorder, found \"s.x\"");
}

TEST(Operations, AreReadFromWords) {
  Evolution out = evolve(
      start(), {parse_operation("rename", "s.x=the x"), parse_operation("cast", "s.`the x`=int64"),
                parse_operation("add", "s.z=timestamp:us:+08:00"),
                parse_operation("add-values",
                                "t=Field { type: \"list\" children: "
                                "[ Field { name: \"item\" type: "
                                "\"int8\" } ] }"),
                parse_operation("add", "`odd=name`=string"),
                parse_operation("reorder", "t,`odd=name`"), parse_operation("drop", "l"),
                parse_operation("nullable", "a"), parse_operation("not-null", "a"),
                parse_operation("primary-key", "a"), parse_operation("clustering-key", "a, b")});
  EXPECT_EQ(ids(out.state.schema.fields), "t:9(item:10) odd=name:11 a:0 s:1(the x:7 y:3 z:8) b:6");
  EXPECT_EQ(out.state.schema.fields[4].clustering_key_position, 2u);
  for (auto [word, text] : {std::pair{"ad", "a=int8"},
                            {"add", "a"},
                            {"add", "=int8"},
                            {"add", "a=int7"},
                            {"add", "a=list"},
                            {"rename", "a"},
                            {"rename", "a="},
                            {"drop", ""},
                            {"reorder", "a,,b"},
                            {"cast", "a=Field { type: \"int8\""}}) {
    EXPECT_THROW(parse_operation(word, text), Error) << word << " " << text;
  }
}

std::vector<std::string> changes(const Schema& older, const Schema& newer) {
  std::vector<std::string> out;
  for (const Change& change : diff(older, newer)) {
    out.push_back(std::string(to_string(change.kind)) + " " + print_field_path(change.older) +
                  " -> " + print_field_path(change.newer) + " [" + change.from + " -> " +
                  change.to + "]");
  }
  return out;
}

TEST(Diff, GoesByIds) {
  Schema older = start().schema;
  Evolution out =
      evolve(start(), {RenameField{{"b"}, "text"},
                       CastField{{"s", "x"},
                                 field_of("Field { name: \"\" type: "
                                          "\"int64\" }")},
                       DropField{{"l"}},
                       AddField{{}, field_of("Field { name: \"n\" type: \"int8\" }"), false},
                       SetNullable{{"a"}, true}, ReorderFields{{{"text"}}}});
  EXPECT_EQ(changes(older, out.state.schema),
            (std::vector<std::string>{
                "renamed b -> text [b -> text]", "moved b -> text [b -> text]",
                "nullability a -> a [not null -> null]", "retyped s.x -> s.x [int32 -> int64]",
                "added  -> n [ -> int8]", "dropped l ->  [list<int32> -> ]"}));
  EXPECT_TRUE(diff(older, older).empty());
}

}  // namespace
}  // namespace xwalk::lance
