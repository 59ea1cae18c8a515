#include "xwalk/lance/data_version.h"

#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "xwalk/base/error.h"

namespace xwalk::lance {
namespace {

Field field(const char* name, LogicalType type, std::vector<Field> children = {}) {
  Field out;
  out.name = name;
  out.type = type;
  out.nullable = true;
  out.children = std::move(children);
  return out;
}

TEST(DataVersion, TellsWhichNullsAreKept) {
  Schema schema;
  schema.fields = {field("i", Kind::Int64), field("s", Kind::String),
                   field("t", Kind::Struct, {field("x", Kind::Binary)})};
  const Schema oldest = with_nulls_kept_by(DataVersion::V0_1, schema);
  EXPECT_FALSE(oldest.fields[0].nullable);
  EXPECT_TRUE(oldest.fields[1].nullable);
  EXPECT_FALSE(oldest.fields[2].nullable);
  EXPECT_TRUE(oldest.fields[2].children[0].nullable);
  const Schema old = with_nulls_kept_by(DataVersion::V2_0, schema);
  EXPECT_TRUE(old.fields[0].nullable);
  EXPECT_FALSE(old.fields[2].nullable);
  EXPECT_EQ(with_nulls_kept_by(DataVersion::V2_1, schema), schema);
}

/// Returns fixed-size lists of one item within each other.
LogicalType nested(int count) {
  LogicalType type = Kind::Int32;
  for (int i = 0; i < count; ++i) type = LogicalType::fixed_size_list(type, 1);
  return type;
}

TEST(DataVersion, ForbidsWhatCannotBeReadBack) {
  const auto said = [](LogicalType type, DataVersion version) {
    Schema schema;
    schema.fields = {field("x", std::move(type))};
    std::vector<std::string> out;
    for (const hub::Finding& finding : lacking(schema, version)) {
      if (finding.rule != "type.parameters") continue;
      EXPECT_EQ(finding.effect, hub::Effect::Forbidden);
      EXPECT_EQ(finding.path.text(), "x");
      out.push_back(finding.lost);
    }
    return out;
  };
  using Said = std::vector<std::string>;
  for (const auto& [version, most] : {std::pair{DataVersion::V2_0, 19},
                                      {DataVersion::V2_1, 48},
                                      {DataVersion::V2_2, 48},
                                      {DataVersion::V2_3, 47}}) {
    EXPECT_EQ(said(nested(most), version), Said{});
    EXPECT_EQ(said(nested(most + 1), version).size(), 1);
    EXPECT_EQ(said(LogicalType::fixed_size_binary(0), version),
              Said{"a fixed_size_binary of size 0 cannot be read back"});
    EXPECT_EQ(said(LogicalType::fixed_size_list(Kind::Int8, 0), version).size(), 1);
  }
}

/// What is lacking, as `path effect`.
std::vector<std::string> told(const Schema& schema, DataVersion version) {
  std::vector<std::string> out;
  for (const hub::Finding& finding : lacking(schema, version)) {
    EXPECT_EQ(finding.rule, "spec.version");
    EXPECT_FALSE(finding.lost.empty());
    const bool refused = finding.effect == hub::Effect::Refused;
    const bool forbidden = finding.effect == hub::Effect::Forbidden;
    out.push_back(finding.path.text() + (refused     ? " refused"
                                         : forbidden ? " forbidden"
                                                     : " told"));
  }
  return out;
}

Field required(Field field) {
  field.nullable = false;
  return field;
}

TEST(DataVersion, TellsWhatFilesLack) {
  using Told = std::vector<std::string>;
  const Field pairs =
      required(field("entries", Kind::Struct,
                     {required(field("key", Kind::String)), field("value", Kind::Struct)}));
  Schema schema;
  schema.fields = {field("l", Kind::List, {field("item", Kind::Map, {pairs})})};
  EXPECT_EQ(told(schema, DataVersion::V2_0), (Told{"l[] forbidden", "l[]{value} refused"}));
  EXPECT_EQ(told(schema, DataVersion::V2_1), Told{"l[] forbidden"});
  EXPECT_EQ(told(schema, DataVersion::V2_2), Told{});
  EXPECT_EQ(told(schema, DataVersion::V2_3), Told{" told"});

  schema.fields = {field("s", Kind::Struct, {field("a", Kind::Int64)})};
  EXPECT_EQ(told(schema, DataVersion::V2_0), Told{"s refused"});
  EXPECT_EQ(told(schema, DataVersion::V2_1), Told{});

  schema.fields = {field("b", Kind::LargeBinary)};
  schema.fields[0].metadata.set("lance-encoding:blob", "true");
  EXPECT_EQ(usual_data_version(schema), DataVersion::V2_1);
  EXPECT_EQ(told(schema, DataVersion::V2_1), Told{});
  EXPECT_EQ(told(schema, DataVersion::V2_2), Told{"b forbidden"});

  schema.fields = {field("v", parse_logical_type("fixed_size_list:struct:2"),
                         {field("item", Kind::Struct, {field("a", Kind::Int64)})})};
  EXPECT_EQ(told(schema, DataVersion::V2_1), Told{"v forbidden"});
  EXPECT_EQ(told(schema, DataVersion::V2_2), Told{});
}

TEST(DataVersion, TellsOfWhatStandsBehindAStructWithoutFields) {
  using Told = std::vector<std::string>;
  const Field empty = required(field("e", Kind::Struct));
  Schema schema;
  schema.fields = {empty, field("a", Kind::Int64)};
  EXPECT_EQ(told(schema, DataVersion::V2_0), Told{});
  EXPECT_EQ(told(schema, DataVersion::V2_1), Told{"e forbidden"});
  schema.fields = {field("s", Kind::Struct, {empty}), field("a", Kind::Int64)};
  EXPECT_EQ(told(schema, DataVersion::V2_2), Told{"s.e forbidden"});
  schema.fields = {field("a", Kind::Int64), empty};
  EXPECT_EQ(told(schema, DataVersion::V2_2), Told{});
}

TEST(DataVersion, ReadsItsWords) {
  for (const std::string_view word : data_versions()) {
    if (word == "stable") continue;
    EXPECT_EQ(to_string(parse_data_version(word)), word);
  }
  EXPECT_EQ(parse_data_version("stable"), usual_data_version({}));
  EXPECT_EQ(find_data_version("0.1"), DataVersion::V0_1);
  EXPECT_EQ(find_data_version("3.0"), std::nullopt);
  for (const char* word : {"", "2", "2.4", "legacy", "0.1", "next"}) {
    EXPECT_THROW(parse_data_version(word), Error) << word;
  }
}

}  // namespace
}  // namespace xwalk::lance
