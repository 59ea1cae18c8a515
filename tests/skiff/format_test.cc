#include "xwalk/skiff/format.h"

#include <gtest/gtest.h>

#include "xwalk/base/error.h"
#include "xwalk/yson/print.h"

namespace xwalk::skiff {
namespace {

/// The example of the specification, "Format configuration".
constexpr const char* kSpecExample = R"(
<
    "table_skiff_schemas" = [
        "$table1"
    ];
    "skiff_schema_registry" = {
        "table1" = {
            "children" = [
                {
                    "name" = "uint64_column";
                    "wire_type" = "uint64"
                };
                {
                    "name" = "int64_column";
                    "wire_type" = "int64"
                };
                {
                    "name" = "boolean_column";
                    "wire_type" = "boolean"
                };
                {
                    "name" = "string32_column";
                    "wire_type" = "string32"
                };
                {
                    "name" = "yson32_column";
                    "wire_type" = "yson32"
                }
            ];
            "wire_type" = "tuple"
        }
    }
> "skiff")";

constexpr const char* kSpecTable =
    "tuple<'uint64_column':uint64;'int64_column':int64;'boolean_column':boolean;"
    "'string32_column':string32;'yson32_column':yson32>";

TEST(Format, ReadsTheExampleOfTheSpecification) {
  Format format = parse_format(kSpecExample);
  ASSERT_EQ(format.tables.size(), 1u);
  EXPECT_EQ(to_string(format.tables[0]), kSpecTable);
}

TEST(Format, PrintsAndReadsBack) {
  Format format;
  format.tables = {parse_short("tuple<'a':int64>"), parse_short("tuple<'b':string32>"),
                   parse_short("tuple<'a':int64>")};
  std::string text = yson::print(to_node(format));
  EXPECT_EQ(
      text,
      R"(<"table_skiff_schemas"=["$table1";{"children"=[{"name"="b";"wire_type"="string32";};];)"
      R"("wire_type"="tuple";};"$table1";];"skiff_schema_registry"={"table1"={"children"=[)"
      R"({"name"="a";"wire_type"="int64";};];"wire_type"="tuple";};};>"skiff")");
  EXPECT_EQ(parse_format(text), format);
  EXPECT_EQ(parse_format(yson::print(to_node(format), yson::Format::Binary)), format);
}

TEST(Format, EveryNodeOfTheSpecificationGoesBothWays) {
  for (const char* text : {"tuple<>", kSpecTable, "'n':variant16<'a':nothing;'b':yson32>",
                           "repeated_variant16<'x':int64;'y':double>"}) {
    Type type = parse_short(text);
    EXPECT_EQ(parse_type(yson::print(to_node(type))), type) << text;
  }
}

TEST(Format, BadDescriptionsAreRefusedWithTheirPlace) {
  struct Case {
    const char* text;
    const char* message;
  };
  const Case cases[] = {
      {"skiff", "expected the attribute table_skiff_schemas, found none"},
      {"<table_skiff_schemas=[]>json", "expected the string skiff with attributes, found \"json\""},
      {"<table_skiff_schemas=[]>skiff",
       "expected the schema of a table in table_skiff_schemas, found none"},
      {"<table_skiff_schemas={}>skiff", "expected a list as table_skiff_schemas, found map"},
      {"<table_skiff_schemas=[\"$a\"]>skiff",
       "expected a name of skiff_schema_registry, found \"a\""},
      {"<table_skiff_schemas=[\"a\"];skiff_schema_registry={a={wire_type=int64}}>skiff",
       "expected a reference that starts with $, found \"a\""},
      {"<table_skiff_schemas=[\"$a\"];skiff_schema_registry={a=\"$b\";b=\"$a\"}>skiff",
       "expected a schema that does not contain itself, found a recursive reference to \"a\""},
      {"<table_skiff_schemas=[\"$a\"];skiff_schema_registry={a={wire_type=tuple;children=[\"$a\"]}}"
       ">skiff",
       "expected a schema that does not contain itself, found a recursive reference to \"a\""},
      {"<table_skiff_schemas=[5]>skiff",
       "expected a map or a string as a skiff schema, found int64"},
      {"<table_skiff_schemas=[{}]>skiff", "expected the key wire_type, found none"},
      {"<table_skiff_schemas=[{wire_type=Int64}]>skiff", "expected a wire type, found \"Int64\""},
      {"<table_skiff_schemas=[{wire_type=tuple}]>skiff",
       "expected the key children of compound type tuple, found none"},
      {"<table_skiff_schemas=[{wire_type=variant8;children=[]}]>skiff",
       "expected at least one child of variant8, found none"},
      {"<table_skiff_schemas=[{wire_type=int64;name=5}]>skiff",
       "expected a string as name, found int64"},
  };
  for (const Case& c : cases) {
    try {
      parse_format(c.text);
      ADD_FAILURE() << c.text << " was accepted";
    } catch (const Error& error) {
      EXPECT_STREQ(error.what(), c.message);
      EXPECT_TRUE(error.place().line.has_value()) << c.text;
    }
  }
}

TEST(Format, SharedReferencesDoNotExplode) {
  std::string registry;
  for (int i = 0; i < 60; ++i) {
    registry += "a" + std::to_string(i) + "={wire_type=tuple;children=[\"$a" +
                std::to_string(i + 1) + "\";\"$a" + std::to_string(i + 1) + "\"]};";
  }
  registry += "a60={wire_type=int64}";
  EXPECT_THROW(
      parse_format("<table_skiff_schemas=[\"$a0\"];skiff_schema_registry={" + registry + "}>skiff"),
      Error);
}

TEST(Format, UnknownKeysAndChildrenOfSimpleTypesAreIgnored) {
  EXPECT_EQ(to_string(parse_type("{wire_type=int64;children=[{wire_type=int8}];extra=1}")),
            "int64");
}

}  // namespace
}  // namespace xwalk::skiff
