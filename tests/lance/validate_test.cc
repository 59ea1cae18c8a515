#include "xwalk/lance/validate.h"

#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "xwalk/lance/text.h"

namespace xwalk::lance {
namespace {

/// Lists violations as `path rule`, notes with a `~` before them.
std::vector<std::string> found(std::string_view text) {
  std::vector<std::string> out;
  for (const hub::Finding& finding : validate(parse_flat_text(text))) {
    out.push_back((is_violation(finding) ? "" : "~") + finding.path.text() + " " +
                  std::string(finding.rule));
  }
  return out;
}

using Found = std::vector<std::string>;

TEST(Validate, FindsNothingInTheSpecificationsExample) {
  EXPECT_EQ(found("Field { name: \"address\" type: \"struct\" children: ["
                  "Field { name: \"street\", type: \"string\" }, Field { name: \"zip\", type: "
                  "\"int32\" } ] }"),
            Found{});
}

TEST(Validate, IdsAndNames) {
  EXPECT_EQ(found("Field { id: 0 name: \"a\" type: \"int8\" }"
                  "Field { id: 0 name: \"a\" type: \"int8\" }"
                  "Field { id: -2 name: \"b.c\" type: \"int8\" }"
                  "Field { id: 3 name: \"_rowid\" type: \"uint64\" }"
                  "Field { id: 4 name: \"_score\" type: \"float\" }"),
            (Found{"a name.duplicate", "a id.duplicate", "\"b.c\" name.reserved",
                   "\"b.c\" id.invalid", "_rowid name.reserved", "~_score name.reserved"}));
}

TEST(Validate, KeysOfMetadataAndNamesOfExtensionsAreText) {
  EXPECT_EQ(
      found("Field { name: \"a\" type: \"int8\" metadata { key: \"k\xff\" value: \"\xff\" } }"),
      Found{"a name.invalid"});
  EXPECT_EQ(found("Field { name: \"a\" type: \"fixed_size_binary:16\" metadata { key: "
                  "\"ARROW:extension:name\" value: \"arrow.uu\xff\" } }"),
            Found{"a name.invalid"});
}

TEST(Validate, EqualNamesInsideAStructAreAllowed) {
  EXPECT_EQ(found("Field { name: \"s\" type: \"struct\" children: [ Field { name: \"a\" type: "
                  "\"int8\" } Field { name: \"a\" type: \"int8\" } ] }"),
            Found{});
}

TEST(Validate, Links) {
  EXPECT_EQ(found("Field { id: 0 name: \"a\" type: \"int8\" parent_id: 9 }"
                  "Field { id: 1 name: \"b\" type: \"int8\" parent_id: 2 }"
                  "Field { id: 2 name: \"s\" type: \"struct\" }"
                  "Field { id: 3 name: \"x\" type: \"struct\" parent_id: 4 }"
                  "Field { id: 4 name: \"y\" type: \"struct\" parent_id: 3 }"
                  "Field { id: 5 name: \"z\" type: \"struct\" parent_id: 5 }"
                  "Field { id: 6 name: \"below\" type: \"struct\" parent_id: 5 }"),
            (Found{"a id.parent", "b id.parent", "x id.parent", "y id.parent", "z id.parent"}));
}

TEST(Validate, CirclesAreToldFromWhatHangsBelowThem) {
  hub::Findings findings =
      validate(parse_flat_text("Field { id: 5 name: \"z\" type: \"struct\" parent_id: 6 }"
                               "Field { id: 6 name: \"y\" type: \"struct\" parent_id: 5 }"
                               "Field { id: 7 name: \"x\" type: \"struct\" parent_id: 6 }"));
  ASSERT_EQ(findings.size(), 2u);
  EXPECT_EQ(findings[0].lost, "the parent 6, which is below it");
  EXPECT_EQ(findings[1].lost, "the parent 5, which is below it");
}

TEST(Validate, CountsOfChildren) {
  EXPECT_EQ(found("Field { id: 0 name: \"l\" type: \"list\" }"
                  "Field { id: 1 name: \"i\" type: \"int8\" }"
                  "Field { id: 2 name: \"c\" type: \"int8\" parent_id: 1 }"
                  "Field { id: 3 name: \"ls\" type: \"list.struct\" }"
                  "Field { id: 4 name: \"item\" type: \"int8\" parent_id: 3 }"
                  "Field { id: 5 name: \"l2\" type: \"large_list\" }"
                  "Field { id: 6 name: \"item\" type: \"struct\" parent_id: 5 }"
                  "Field { id: 7 name: \"f\" type: \"fixed_size_list:struct:3\" }"),
            (Found{"l children.count", "i children.count", "ls children.count", "l2 children.count",
                   "f children.count"}));
}

TEST(Validate, Maps) {
  EXPECT_EQ(
      found(
          "Field { name: \"m\" type: \"map\" children: [ Field { name: \"entries\" type: "
          "\"struct\" nullable: false children: [ Field { name: \"key\" type: \"string\" } "
          "Field { name: \"value\" type: \"int8\" } ] } ] }"
          "Field { name: \"n\" type: \"map\" children: [ Field { name: \"e\" type: \"int8\" } ] }"),
      (Found{"m{key} map.key-optional", "n map.shape"}));
}

TEST(Validate, PrimaryKeys) {
  EXPECT_EQ(
      found("Field { name: \"a\" type: \"int8\" unenforced_primary_key: true }"
            "Field { name: \"b\" type: \"int8\" nullable: false unenforced_primary_key: true }"
            "Field { name: \"s\" type: \"struct\" children: [ Field { name: \"x\" type: \"int8\" "
            "nullable: false unenforced_primary_key: true } ] }"
            "Field { name: \"l\" type: \"list\" nullable: false children: [ Field { name: \"item\" "
            "type: \"int8\" nullable: false unenforced_primary_key: true } ] }"
            "Field { name: \"t\" type: \"struct\" nullable: false unenforced_primary_key: true "
            "children: [ Field { name: \"x\" type: \"int8\" nullable: false "
            "unenforced_primary_key_position: 1 } ] }"
            "Field { name: \"u\" type: \"int8\" nullable: false unenforced_primary_key_position: 1 "
            "}"),
      (Found{"a key.invalid", "s.x key.invalid", "l[] key.invalid", "t key.invalid",
             "~u key.invalid"}));
}

TEST(Validate, Parameters) {
  EXPECT_EQ(found("Field { name: \"a\" type: \"decimal:128:39:2\" }"
                  "Field { name: \"b\" type: \"decimal:256:39:50\" }"
                  "Field { name: \"c\" type: \"fixed_size_binary:0\" }"
                  "Field { name: \"d\" type: \"fixed_size_list:fixed_size_binary:-1:0\" }"
                  "Field { name: \"e\" type: \"dict:string:string:false\" }"
                  "Field { name: \"f\" type: \"dict:string:int8:true\" }"
                  "Field { name: \"g\" type: \"dict:struct:int8:false\" }"),
            (Found{"a type.parameters", "~b spec.beyond-text", "c type.parameters",
                   "d type.parameters", "d type.parameters", "e type.parameters",
                   "~f spec.beyond-text", "g type.parameters"}));
}

TEST(Validate, NamesThatReadersCannotAskFor) {
  EXPECT_EQ(found("Field { name: \"\" type: \"int8\" } Field { name: \"a`\" type: \"int8\" }"),
            (Found{"~\"\" name.invalid", "~\"a`\" name.invalid"}));
}

TEST(Validate, ChainsOfAnyLengthAreWalked) {
  FlatSchema flat;
  for (int i = 0; i < 100000; ++i) {
    FlatField field;
    field.field.name = "s";
    field.field.id = i;
    field.field.type = Kind::Struct;
    field.parent = i - 1;
    flat.fields.push_back(field);
  }
  hub::Findings findings = validate(flat);
  ASSERT_FALSE(findings.empty());
  EXPECT_EQ(findings[0].rule, "id.parent");
}

}  // namespace
}  // namespace xwalk::lance
