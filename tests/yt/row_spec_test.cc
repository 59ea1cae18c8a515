#include "xwalk/yt/row_spec.h"

#include <algorithm>
#include <string>
#include <string_view>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "xwalk/base/error.h"
#include "xwalk/yt/forms.h"
#include "xwalk/yt/kinds.h"
#include "xwalk/yt/short_notation.h"

namespace xwalk::yt {
namespace {

using ::testing::HasSubstr;

/// Returns the type that YTsaurus stores for a column of a type of YQL.
std::string stored(const std::string& type, const std::string& flags) {
  const TableSchema schema =
      parse_table_schema("{Type=[StructType;[[c;" + type + "]]];NativeYtTypeFlags=" + flags + "}");
  return print_short(schema.columns.at(0).type);
}

constexpr const char* kAll = "2047u";

struct Case {
  const char* yql;
  /// With all flags, and with none.
  const char* native;
  const char* older;
};

constexpr Case kCases[] = {
    {"[DataType;Int64]", "Int64", "Int64"},
    {"[OptionalType;[DataType;String]]", "Optional<String>", "Optional<String>"},
    {"[DataType;Date]", "Date", "Uint16"},
    {"[DataType;Datetime]", "Datetime", "Uint32"},
    {"[DataType;Timestamp]", "Timestamp", "Uint64"},
    {"[DataType;Interval]", "Interval", "Int64"},
    {"[DataType;Date32]", "Date32", "Int32"},
    {"[DataType;Timestamp64]", "Timestamp64", "Int64"},
    {"[DataType;TzDate]", "TzDate", "String"},
    {"[DataType;TzTimestamp64]", "TzTimestamp64", "String"},
    {"[DataType;Float]", "Float", "Double"},
    {"[DataType;Json]", "Json", "String"},
    {"[DataType;Uuid]", "Uuid", "String"},
    {"[DataType;Yson]", "Optional<Any>", "Optional<Any>"},
    {"[OptionalType;[DataType;Yson]]", "Optional<Any>", "Optional<Any>"},
    {"[DataType;Decimal;\"22\";\"9\"]", "Decimal(22,9)", "String"},
    {"[NullType]", "Null", "Optional<Any>"},
    {"[VoidType]", "Void", "Optional<Any>"},
    {"[ListType;[DataType;Int8]]", "List<Int8>", "Optional<Any>"},
    {"[EmptyListType]", "Tagged<Null,'_EmptyList'>", "Optional<Any>"},
    {"[EmptyDictType]", "Tagged<Null,'_EmptyDict'>", "Optional<Any>"},
    {"[TupleType;[[DataType;Int8];[DataType;Bool]]]", "Tuple<Int8,Bool>", "Optional<Any>"},
    {"[StructType;[[a;[DataType;Int8]]]]", "Struct<'a':Int8>", "Optional<Any>"},
    {"[DictType;[DataType;Utf8];[DataType;Double]]", "Dict<Utf8,Double>", "Optional<Any>"},
    {"[VariantType;[TupleType;[[DataType;Int8]]]]", "Variant<Int8>", "Optional<Any>"},
    {"[VariantType;[StructType;[[a;[DataType;Int8]]]]]", "Variant<'a':Int8>", "Optional<Any>"},
    {"[TaggedType;t;[DataType;String]]", "Tagged<String,'t'>", "Optional<Any>"},
    {"[OptionalType;[OptionalType;[DataType;Int8]]]", "Optional<Optional<Int8>>", "Optional<Any>"},
    {"[PgType;int4]", "Optional<Int32>", "Optional<Int32>"},
    {"[PgType;text]", "Optional<Utf8>", "Optional<Utf8>"},
    {"[PgType;numeric]", "Optional<String>", "Optional<String>"},
    {"[PgType;float4]", "Optional<Float>", "Optional<Double>"},
};

TEST(RowSpec, TypesAreAsTheyAreStored) {
  for (const Case& c : kCases) {
    EXPECT_EQ(stored(c.yql, kAll), c.native) << c.yql;
    EXPECT_EQ(stored(c.yql, "0u"), c.older) << c.yql;
  }
}

TEST(RowSpec, OlderFlagsMeanTheirTypes) {
  const std::string type = "{Type=[StructType;[[c;[DataType;Date]];[f;[DataType;Float]]]];";
  for (const char* flag : {"UseNativeYtTypes=%true", "UseTypeV2=%true", "UseTypeV2=1"}) {
    const TableSchema schema = parse_table_schema(type + flag + "}");
    EXPECT_EQ(print_short(schema.columns[0].type), "Date") << flag;
    EXPECT_EQ(print_short(schema.columns[1].type), "Double") << flag;
  }
  EXPECT_EQ(print_short(parse_table_schema(type + "}").columns[0].type), "Uint16");
}

TEST(RowSpec, AnOptionalNullIsNoNull) {
  for (const char* type : {"Optional<Null>", "Optional<Void>", "Optional<Optional<Null>>"}) {
    const std::string spec = print(parse_type(type), SchemaForm::RowSpec);
    EXPECT_EQ(print_short(parse_table_schema(spec).columns.at(0).type), type) << spec;
  }
}

TEST(RowSpec, SortedColumnsComeFirst) {
  const TableSchema schema = parse_table_schema(
      "{Type=[StructType;[[a;[DataType;Int64]];[b;[DataType;Utf8]]]];SortedBy=[b;\"_yql_sort\"];"
      "SortMembers=[b];SortedByTypes=[[DataType;Utf8];[DataType;String]];SortDirections=[0;1];"
      "UniqueKeys=%true;StrictSchema=0;NativeYtTypeFlags=0u}");
  EXPECT_FALSE(schema.strict);
  EXPECT_TRUE(schema.unique_keys);
  ASSERT_EQ(schema.columns.size(), 3U);
  EXPECT_EQ(schema.columns[0].name, "b");
  EXPECT_EQ(schema.columns[0].sort_order, SortOrder::Descending);
  EXPECT_EQ(schema.columns[1].name, "_yql_sort");
  EXPECT_EQ(schema.columns[2].name, "a");
}

TEST(RowSpec, WhatIsPrintedIsReadAgain) {
  TableSchema schema = parse_table_schema(
      "<unique_keys=%true>[{name=k;type_v3=utf8;sort_order=ascending};"
      "{name=d;type_v3=int64;sort_order=descending}]");
  for (const KindRow& row : kKindRows) {
    std::vector<std::string_view> words(row.examples.begin(), row.examples.end());
    words.push_back(row.composition == Composition::None ? row.short_name : "");
    for (const std::string_view word : words) {
      if (word.empty() || word == "Any" || word == "Decimal") continue;
      schema.columns.emplace_back("c" + std::to_string(schema.columns.size()),
                                  parse_type_short(word));
    }
  }
  EXPECT_EQ(parse_table_schema(print(schema, SchemaForm::RowSpec)), schema);
  // Columns that no flag is for do without.
  const TableSchema plain = parse_table_schema("<strict=%false>[{name=a;type=int64}]");
  EXPECT_EQ(parse_table_schema(print(plain, SchemaForm::RowSpec)), plain);
  EXPECT_THAT(print(plain, SchemaForm::RowSpec), HasSubstr("\"NativeYtTypeFlags\" = 0u"));
}

TEST(RowSpec, SaysWhatItSaysOtherwiseThanTheSchema) {
  const auto differences = [](const std::string& schema, const std::string& spec) {
    std::string text;
    const std::string attributes =
        "{row_count=3;schema=" + schema + ";_yql_row_spec={" + spec + ";NativeYtTypeFlags=2047u}}";
    for (const RowSpecDifference& one : parse_table_schema(attributes).row_spec_differences) {
      text += one.column + ": " + one.text + "\n";
    }
    return text;
  };
  const std::string schema = "[{name=a;type_v3=int64;sort_order=ascending};{name=b;type_v3=date}]";
  const std::string columns = "[[a;[DataType;Int64]];[b;[DataType;Date]]]";
  const std::string sort = ";SortedBy=[a];SortedByTypes=[[DataType;Int64]];SortDirections=[1]";
  EXPECT_EQ(differences(schema, "Type=[StructType;" + columns + "]" + sort), "");
  EXPECT_EQ(differences(schema, "TypePatch=[StructType;[]]"), "");
  EXPECT_EQ(differences(schema, "TypePatch=[StructType;[[b;[DataType;Utf8]]]]"),
            "b: Date in the schema, Utf8 by the row spec\n");
  EXPECT_EQ(differences(schema, "Type=[StructType;" + columns + "]"),
            ": rows are sorted by \"a\", the row spec says by nothing\n");
  EXPECT_EQ(differences(schema, "Type=[StructType;[[a;[DataType;Int64]];[x;[DataType;Int8]]]]" +
                                    sort + ";StrictSchema=%false"),
            ": the schema is strict, the row spec says it is not strict\n"
            "b: the row spec does not have it: YQL does not see it\n"
            "x: only the row spec has it\n");
}

TEST(RowSpec, AttributesOfATableAreItsSchema) {
  const TableSchema schema = parse_table_schema("[{name=a;type=int64}]");
  for (const char* text :
       {"{schema=[{name=a;type=int64}];row_count=7}", "<schema=[{name=a;type=int64}];type=table>#",
        "{schema=[{name=a;type=int64}];_yql_row_spec=#}",
        "{\"schema\":[{\"name\":\"a\",\"type\":\"int64\"}]}"}) {
    EXPECT_EQ(parse_table_schema(text), schema) << text;
  }
}

TEST(RowSpec, TellsWhatItHasNoPlaceFor) {
  const TableSchema schema = parse_table_schema(
      "<strict=%true;unique_keys=%true;schema_modification=unversioned_update;odd=1>"
      "[{name=h;type=uint64;expression=\"farm_hash(k)\";sort_order=ascending;materialized=%false};"
      "{name=k;type=int64;sort_order=ascending};"
      "{name=s;type=int64;aggregate=sum;lock=l;group=g;stable_name=old;unheard_of=[1]};"
      "{name=t;required=%true;type_v3={type_name=list;item={type_name=struct;"
      "members=[{name=a;stable_name=b;type=int8}];removed_members=[{stable_name=gone}]}}}]");
  hub::Findings lost;
  (void)row_spec_node(schema, &lost);
  std::vector<std::string> told;
  for (const hub::Finding& found : lost) {
    EXPECT_EQ(found.rule, "metadata.lost");
    told.push_back(found.path.text() + ": " + found.lost.substr(found.lost.rfind(" store ") + 7));
  }
  std::ranges::sort(told);
  EXPECT_EQ(told, (std::vector<std::string>{
                      ": odd", ": schema_modification", "h: expression", "h: materialized",
                      "s: aggregate", "s: group", "s: lock", "s: stable_name", "s: unheard_of",
                      "t: removed_members of a struct", "t: stable_name of a member"}));
  lost.clear();
  (void)row_spec_node(
      parse_table_schema("[{name=a;type=int64;sort_order=descending};{name=b;type=any}]"), &lost);
  EXPECT_TRUE(lost.empty());
}

TEST(RowSpec, TellsWhatASchemaHasNoPlaceFor) {
  for (const char* text :
       {"{Type=[StructType;[[a;[DataType;Int64]]]];DefaultValues={a=1};NativeYtTypeFlags=2049u}",
        "{schema=[{name=a;type=int64;required=%true}];_yql_row_spec={NativeYtTypeFlags=2049u;"
        "Type=[StructType;[[a;[DataType;Int64]]]];DefaultValues={a=1}}}"}) {
    const TableSchema schema = parse_table_schema(text);
    ASSERT_EQ(schema.row_spec_differences.size(), 2U) << text;
    EXPECT_NE(schema.row_spec_differences[0].text.find("DefaultValues"), std::string::npos);
    EXPECT_NE(schema.row_spec_differences[1].text.find("0x800"), std::string::npos);
  }
}

TEST(RowSpec, RefusesWithPlace) {
  for (const char* text :
       {"{Type=[]}", "{Type=[ListType;[DataType;Int8]]}", "{Type=[StructType;[[a]]]}",
        "{Type=[StructType;[[a;[]]]]}", "{Type=[StructType;[[a;[DataType]]]]}",
        "{Type=[StructType;[[a;[DataType;Int128]]]]}", "{Type=[StructType;[[a;[NewType]]]]}",
        "{Type=[StructType;[[a;[CallableType;[];[]]]]]}",
        "{Type=[StructType;[[a;[VariantType;[ListType;[DataType;Int8]]]]]];NativeYtTypeFlags=1u}",
        "{Type=[StructType;[[a;[DataType;Decimal;x;y]]]];NativeYtTypeFlags=64u}",
        "{Type=[StructType;[]];SortedBy=[a]}", "{Type=[StructType;[]];NativeYtTypeFlags=x}",
        "{Type=[StructType;[]];StrictSchema=[]}", "{TypePatch=[StructType;[]]}",
        "{schema=[];_yql_row_spec=1}"}) {
    try {
      parse_table_schema(text);
      ADD_FAILURE() << text;
    } catch (const Error& error) {
      EXPECT_EQ(error.code(), ErrorCode::Input) << text;
      EXPECT_TRUE(error.place().line) << text << " " << error.message();
    }
  }
  std::string deep = "[DataType;Int8]";
  for (int i = 0; i < 60; ++i) deep = "[ListType;" + deep + "]";
  EXPECT_THROW(parse_table_schema("{Type=[StructType;[[a;" + deep + "]]];NativeYtTypeFlags=1u}"),
               Error);
}

}  // namespace
}  // namespace xwalk::yt
