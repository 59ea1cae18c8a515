#include "xwalk/iceberg/compatibility.h"

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "xwalk/base/error.h"
#include "xwalk/iceberg/evolution.h"
#include "xwalk/iceberg/json.h"
#include "xwalk/iceberg/text.h"

namespace xwalk::iceberg {
namespace {

using hub::Compatibility;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

std::vector<hub::CompatibilityResult> between(std::string_view written, std::string_view read) {
  const auto schema = [](std::string_view members) {
    return Schema{.fields = parse_type_text("struct<" + std::string(members) + ">").children};
  };
  return incompatibilities(schema(written), schema(read));
}

// Specification, "Schema Evolution": every pair of types without children.
TEST(IcebergPromotion, IsWhatTheSpecificationAllows) {
  const std::vector<std::string> words = {"unknown",
                                          "boolean",
                                          "int",
                                          "long",
                                          "float",
                                          "double",
                                          "date",
                                          "time",
                                          "string",
                                          "timestamp",
                                          "timestamptz",
                                          "timestamp_ns",
                                          "uuid",
                                          "timestamptz_ns",
                                          "binary",
                                          "decimal(9, 2)",
                                          "decimal(11, 2)",
                                          "fixed[3]",
                                          "decimal(9, 3)",
                                          "fixed[4]",
                                          "variant",
                                          "geometry",
                                          "geometry(srid:1)"};
  for (const std::string& from : words) {
    for (const std::string& to : words) {
      const auto is = [&](std::string_view a, std::string_view b) { return from == a && to == b; };
      const bool first = from == to || is("int", "long") || is("float", "double") ||
                         is("decimal(9, 2)", "decimal(11, 2)");
      const bool third = from == "unknown" || is("date", "timestamp") || is("date", "timestamp_ns");
      EXPECT_EQ(promotes_since(parse_type_text(from), parse_type_text(to)),
                from == to && from == "unknown" ? 1
                : first                         ? 1
                : third                         ? 3
                                                : 0)
          << from << " to " << to;
    }
  }
}

TEST(IcebergCompatibility, FieldsArePairedByTheirIds) {
  EXPECT_THAT(between("1: a: int, 2: b: string", "2: c: string, 1: a: long"), IsEmpty());
  EXPECT_THAT(between("1: a: int, 2: b: string", "1: a: int"), IsEmpty());
  EXPECT_THAT(between("1: a: int", "1: a: int, 2: b: string"), IsEmpty());

  auto found = between("1: a: int", "2: a: int");
  ASSERT_EQ(found.size(), 1U);
  EXPECT_EQ(found[0].compatibility, Compatibility::Incompatible);
  EXPECT_EQ(found[0].path, "a");
  EXPECT_THAT(found[0].reason, HasSubstr("readers find no values of it"));
}

TEST(IcebergCompatibility, EveryReasonIsTold) {
  const auto found = between("1: a: long, 2: b: string, 3: c: date, 4: d: struct<5: e: int>",
                             "1: a: int, 2: b: required string, 3: c: timestamp, "
                             "4: d: struct<5: e: string, 6: f: required int>, 7: g: required int");
  ASSERT_EQ(found.size(), 5U);
  EXPECT_EQ(found[0].reason, "long → int is not a promotion that Iceberg allows");
  EXPECT_EQ(found[1].compatibility, Compatibility::RequireValidation);
  EXPECT_EQ(found[2].path, "d.e");
  EXPECT_EQ(found[3].path, "d.f");
  EXPECT_EQ(found[4].path, "g");
  EXPECT_EQ(found[4].compatibility, Compatibility::Incompatible);
}

// What a table may become by `evolve` its rows can be read as. The other way round, the software
// that changes tables lacks promotions of the specification.
TEST(IcebergCompatibility, APromotionNeedsItsTableFormat) {
  for (const int version : {0, 1, 2, 3}) {
    const auto table = [&](const char* type) {
      const std::string schema = fmt::format(
          R"({{"type":"struct","schema-id":0,"fields":[{{"id":1,"name":"d","required":false,"type":"{}"}}]}})",
          type);
      if (version == 0) return read_json(schema);
      return read_json(
          fmt::format(R"({{"format-version":{},"current-schema-id":0,"schemas":[{}],"schema":{}}})",
                      version, schema, schema));
    };
    for (const char* to : {"timestamp", "timestamp_ns", "timestamptz"}) {
      const bool allowed = (version == 0 || version == 3) && to != std::string("timestamptz");
      const auto found = incompatibilities(table("date"), table(to));
      EXPECT_EQ(found.empty(), allowed) << version << " " << to;
      EXPECT_THROW((void)evolve(table("date"), {{"cast", fmt::format("d={}", to)}}), Error);
    }
    EXPECT_THAT(incompatibilities(table("int"), table("long")), IsEmpty()) << version;
    EXPECT_NO_THROW((void)evolve(table("int"), {{"cast", "d=long"}})) << version;
  }
}

TEST(IcebergCompatibility, ARequiredFieldMayBeAddedWithADefault) {
  const Schema before = read_json(R"({"type":"struct","fields":[]})");
  const Schema after = read_json(R"({"type":"struct","fields":[
    {"id":1,"name":"a","required":true,"type":"int","initial-default":0}]})");
  EXPECT_THAT(incompatibilities(before, after), IsEmpty());
}

}  // namespace
}  // namespace xwalk::iceberg
