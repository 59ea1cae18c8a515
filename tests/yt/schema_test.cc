#include "xwalk/yt/schema.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/rounds.h"
#include "tests/yt/random_type.h"
#include "xwalk/base/error.h"
#include "xwalk/yson/parse.h"
#include "xwalk/yson/print.h"
#include "xwalk/yt/forms.h"
#include "xwalk/yt/hub.h"
#include "xwalk/yt/short_notation.h"
#include "xwalk/yt/validate.h"

namespace xwalk::yt {
namespace {

using ::testing::HasSubstr;

template <typename Call>
Error error_of(const Call& call) {
  try {
    call();
  } catch (const Error& error) {
    return error;
  }
  ADD_FAILURE() << "expected an error";
  return {ErrorCode::Internal, ""};
}

TEST(Schema, RandomSchemasComeBackFromEveryForm) {
  for (uint64_t seed = 0; seed < test::rounds(1000); ++seed) {
    testing::RandomTypes random(seed);
    TableSchema schema = random.table();
    for (SchemaForm form : {SchemaForm::Yson, SchemaForm::YsonBinary}) {
      ASSERT_EQ(parse_table_schema(print(schema, form)), schema) << print(schema, form);
    }
    // JSON and short notation have no place for every byte or every stable name.
    for (ColumnSchema& column : schema.columns) {
      column.name.erase(std::remove(column.name.begin(), column.name.end(), '\xff'),
                        column.name.end());
      if (column.stable_name.find('\xff') != std::string::npos) column.stable_name = column.name;
    }
    ASSERT_EQ(parse_table_schema(print(schema, SchemaForm::Json)), schema)
        << print(schema, SchemaForm::Json);
    std::string text = print(schema, SchemaForm::Short);
    if (schema.columns.empty()) continue;
    ASSERT_EQ(print(parse_table_schema(text), SchemaForm::Short), text);
  }
}

TEST(Schema, RandomTypesComeBackFromEveryForm) {
  for (uint64_t seed = 0; seed < test::rounds(1500); ++seed) {
    Type type = testing::RandomTypes(seed).type(5);
    for (SchemaForm form : {SchemaForm::Yson, SchemaForm::YsonBinary, SchemaForm::Json}) {
      std::string text = print(type, form);
      ASSERT_EQ(parse_type(text), type) << text;
      ASSERT_EQ(parse_table_schema(text).columns.at(0).type, type) << text;
    }
    std::string text = print(type, SchemaForm::Short);
    ASSERT_EQ(print_short(parse_type(text)), text);
  }
}

TEST(Schema, BothGivenFormsAreCheckedAgainstEachOther) {
  const char* refused[] = {
      "{name=a;type_v3=int64;type=int32}",
      "{name=a;type_v3=int64;type=int64;required=%false}",
      "{name=a;type_v3={type_name=optional;item=yson};type=any;required=%true}",
      "{name=a;type_v3=bool;type=bool}",
      "{name=a;type=null;required=%true}",
      "{name=a;type=5}",
      "{name=a;type=int64;required=1}",
      "{name=a;type=int64;sort_order=up}",
      "{name=a;type=int64;lock=5}",
      "{name=a;type=int64;max_inline_hunk_size=big}",
      "[]",
  };
  for (const char* text : refused) {
    EXPECT_THROW(parse_column_schema(yson::parse(text)), Error) << text;
  }
  ColumnSchema column = parse_column_schema(
      yson::parse("{name=a;type=boolean;required=%true;type_v3=bool;lock=l;group=g;unknown=1;"
                  "stable_name=s;expression=e;materialized=%false;aggregate=sum;constraint=c;"
                  "sort_order=descending;max_inline_hunk_size=128}"));
  EXPECT_EQ(yson::print(to_node(column)),
            "{\"name\"=\"a\";\"type\"=\"boolean\";\"required\"=%true;\"type_v3\"=\"bool\";"
            "\"stable_name\"=\"s\";\"lock\"=\"l\";\"expression\"=\"e\";\"materialized\"=%false;"
            "\"aggregate\"=\"sum\";\"sort_order\"=\"descending\";\"group\"=\"g\";"
            "\"max_inline_hunk_size\"=128;\"constraint\"=\"c\";\"unknown\"=1;}");
}

TEST(Schema, AttributesWithoutAMeaningStayInEveryForm) {
  const TableSchema schema = parse_table_schema(yson::parse(
      "<cluster={x=[1;{y=\"}\"}]};gone=#>[{name=a;type=int64;deep={b={c=<d=1>2}};gone=#}]"));
  ASSERT_EQ(schema.others.size(), 2U);
  ASSERT_EQ(schema.columns[0].others.size(), 2U);
  EXPECT_EQ(parse_table_schema(to_node(schema)), schema);
  for (const SchemaForm form : {SchemaForm::Yson, SchemaForm::Json, SchemaForm::Short}) {
    EXPECT_EQ(parse_table_schema(print(schema, form)), schema) << print(schema, form);
  }
  EXPECT_EQ(from_arrow(to_arrow(schema)).schema, schema);
}

TEST(Schema, DeletedColumnsOfBothKindsOfClusters) {
  TableSchema schema = parse_table_schema(
      "<deleted_columns=[{stable_name=x}]>[{name=a;type=int64};{stable_name=y;deleted=%true}]");
  EXPECT_EQ(schema.deleted_columns, (std::vector<std::string>{"x", "y"}));
  EXPECT_EQ(schema.columns.size(), 1U);
  EXPECT_TRUE(validate(schema).empty());
}

TEST(Schema, ErrorsHaveLineAndColumn) {
  Error error = error_of([] {
    parse_table_schema("<strict=%true>[\n  {name=a; type_v3={type_name=list; item=int65}};\n]");
  });
  EXPECT_EQ(error.place().line, 2U);
  EXPECT_EQ(error.place().column, 42U) << error.describe();
  EXPECT_EQ(error.place().path.text(), "a");
  EXPECT_THAT(error.hint(), HasSubstr("int64"));

  error = error_of([] { parse_table_schema("a: Int64\nb: Listt<Int64>\n"); });
  EXPECT_EQ(error.place().line, 2U);
  EXPECT_EQ(error.place().column, 4U);
  EXPECT_EQ(error.hint(), "Did you mean List?");

  error = error_of([] { parse_table_schema("[{\"name\": \"a\", \"type_v3\": \"int65\"}]"); });
  EXPECT_THAT(error.message(), HasSubstr("int65"));
}

struct ShortCase {
  const char* text;
  const char* canonical;
};

TEST(ShortNotation, BothStyles) {
  const ShortCase cases[] = {
      {"Int64", "Int64"},
      {"Yson?", "Optional<Any>"},
      {" Optional < Int64 > ", "Optional<Int64>"},
      {"Struct<'a': Int64, \"b\": Optional<Utf8>, c: Decimal(3, 2)>",
       "Struct<'a':Int64,'b':Optional<Utf8>,'c':Decimal(3,2)>"},
      {"Struct<Int64:Int64>", "Struct<'Int64':Int64>"},
      {"Variant<'\\'\\\\\\n\\x41\\102':Int64>", "Variant<'\\'\\\\\\nAB':Int64>"},
      {"Tagged<Int64?, 't\\'g'>", "Tagged<Optional<Int64>,'t\\'g'>"},
      {"Dict<Utf8, TzDate32? ?>", "Dict<Utf8,Optional<Optional<TzDate32>>>"},
      {"Tuple<>", "Tuple<>"},
      {"Struct<>?", "Optional<Struct<>>"},
  };
  for (const ShortCase& c : cases) {
    EXPECT_EQ(print_short(parse_type_short(c.text)), c.canonical) << c.text;
  }
}

TEST(ShortNotation, RefusesWithPlace) {
  for (const char* text : {"",
                           "int64",
                           "Int64>",
                           "Optional",
                           "Optional<",
                           "Optional<Int64",
                           "Optional<a:Int64>",
                           "Struct<Int64>",
                           "Struct<'a'Int64>",
                           "Struct<'a:Int64>",
                           "Tagged<Int64>",
                           "Tagged<Int64,tag>",
                           "Decimal(3)",
                           "Decimal(99999999999,1)",
                           "Decimal",
                           "Dict<Int64>",
                           "Variant<a:Int64,Int64>",
                           "Tuple<Int64,>",
                           "Int64 ? x",
                           "'a'",
                           "Struct<'\\x':Int64>"}) {
    Error error = error_of([&] { parse_type_short(text); });
    EXPECT_TRUE(error.place().line) << text;
  }
  // Neither brackets nor question marks may use up the stack.
  std::string deep;
  for (int i = 0; i < 100000; ++i) deep += "List<";
  EXPECT_THROW(parse_type_short(deep), Error);
  EXPECT_THROW(parse_type_short("Int64" + std::string(100000, '?')), Error);
}

TEST(Forms, CommandsAreReadyForAShell) {
  TableSchema schema;
  schema.columns.emplace_back("it's", TypeKind::Int64);
  EXPECT_EQ(print(schema, SchemaForm::Commands),
            "yt create table //path/to/table --attributes '{\"schema\"=<\"strict\"=%true;"
            "\"unique_keys\"=%false;>[{\"name\"=\"it'\\''s\";\"type\"=\"int64\";\"required\"=%true;"
            "\"type_v3\"=\"int64\";};];}'\n"
            "yt write-table //path/to/table --format '<format=binary>yson' < rows.yson\n");
}

TEST(Forms, OneColumnAndOneTypeAreTablesToo) {
  EXPECT_EQ(parse_table_schema("{name=a;type=int64}").columns.at(0).name, "a");
  EXPECT_EQ(parse_table_schema("int64").columns.at(0), ColumnSchema("value", TypeKind::Int64));
  EXPECT_EQ(parse_table_schema("Int64").columns.at(0), ColumnSchema("value", TypeKind::Int64));
}

TEST(Forms, HostileTextIsAnError) {
  for (const char* text : {"",
                           " ",
                           "<",
                           "<a",
                           "<>",
                           "<strict=%true>",
                           "'",
                           "'a",
                           "a:",
                           "a: Int64 {",
                           "a: Int64 {lock=",
                           "a: Int64 {lock=l} {",
                           "<strict=%true> a: Int64 }",
                           "{",
                           "[{",
                           "[{\"a\":",
                           "\"",
                           "{\"a\":1}",
                           "<strict=1>[]",
                           "<deleted_columns=5>[]",
                           "<strict=>a:Int64"}) {
    EXPECT_THROW(parse_table_schema(text), Error) << text;
  }
}

}  // namespace
}  // namespace xwalk::yt
