#include "xwalk/skiff/binding.h"

#include <string>
#include <utility>
#include <vector>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "xwalk/base/error.h"
#include "xwalk/skiff/derive.h"
#include "xwalk/skiff/fit.h"
#include "xwalk/yt/forms.h"
#include "xwalk/yt/short_notation.h"

namespace xwalk::skiff {
namespace {

yt::Type type_of(const std::string& text) { return yt::parse_type_short(text); }

TEST(Derive, EveryTypeHasItsWireTypes) {
  struct Case {
    const char* type;
    const char* wide;
    const char* narrow;
  };
  const Case cases[] = {
      {"Int8", "int64", "int8"},
      {"Int32", "int64", "int32"},
      {"Uint16", "uint64", "uint16"},
      {"Date", "uint64", "uint16"},
      {"Datetime", "uint64", "uint32"},
      {"Timestamp", "uint64", "uint64"},
      {"Interval", "int64", "int64"},
      {"Date32", "int64", "int32"},
      {"Timestamp64", "int64", "int64"},
      {"Float", "double", "double"},
      {"Bool", "boolean", "boolean"},
      {"Utf8", "string32", "string32"},
      {"Uuid", "string32", "string32"},
      {"TzDate", "string32", "string32"},
      {"Optional<Yson>", "variant8<nothing;yson32>", "variant8<nothing;yson32>"},
      {"Null", "nothing", "nothing"},
      {"Decimal(9,2)", "int32", "int32"},
      {"Decimal(18,2)", "int64", "int64"},
      {"Decimal(38,2)", "int128", "int128"},
      {"Decimal(76,2)", "int256", "int256"},
      {"Optional<Optional<Int64>>", "variant8<nothing;variant8<nothing;int64>>",
       "variant8<nothing;variant8<nothing;int64>>"},
      {"List<Int16>", "repeated_variant8<int64>", "repeated_variant8<int16>"},
      {"Dict<String,Optional<Int64>>", "repeated_variant8<tuple<string32;variant8<nothing;int64>>>",
       "repeated_variant8<tuple<string32;variant8<nothing;int64>>>"},
      {"Struct<a:Int64,b:Bool>", "tuple<'a':int64;'b':boolean>", "tuple<'a':int64;'b':boolean>"},
      {"Tuple<Int64,Bool>", "tuple<int64;boolean>", "tuple<int64;boolean>"},
      {"Variant<a:Int64,b:Bool>", "variant8<'a':int64;'b':boolean>",
       "variant8<'a':int64;'b':boolean>"},
  };
  for (const Case& c : cases) {
    DeriveOptions narrow;
    narrow.narrow = true;
    EXPECT_EQ(to_string(derive(type_of(c.type))), c.wide) << c.type;
    EXPECT_EQ(to_string(derive(type_of(c.type), narrow)), c.narrow) << c.type;
    // What is derived fits, both ways.
    for (Flow flow : {Flow::Read, Flow::Write}) {
      EXPECT_NO_THROW(bind_column(type_of(c.type), derive(type_of(c.type)), flow, false)) << c.type;
      EXPECT_NO_THROW(bind_column(type_of(c.type), derive(type_of(c.type), narrow), flow, false));
    }
  }
}

TEST(Derive, ManyAlternativesTakeTwoBytes) {
  std::vector<yt::Type> items(300, type_of("Int64"));
  EXPECT_EQ(derive(yt::variant_of(items)).wire(), WireType::Variant16);
  items.resize(256);
  EXPECT_EQ(derive(yt::variant_of(items)).wire(), WireType::Variant8);
}

TEST(Derive, SpecialColumnsAreAdded) {
  yt::TableSchema table = yt::parse_table_schema("<strict=%false>[{name=a;type=int64}]");
  DeriveOptions options;
  options.row_index = options.range_index = options.key_switch = true;
  EXPECT_EQ(to_string(derive(table, options)),
            "tuple<'a':variant8<nothing;int64>;'$key_switch':boolean;"
            "'$row_index':variant8<nothing;int64>;'$range_index':variant8<nothing;int64>;"
            "'$other_columns':yson32>");
}

TEST(Bind, PairsThatDoNotFitAreRefusedWithTheirPath) {
  struct Case {
    const char* type;
    const char* wire;
    Flow flow;
  };
  const Case cases[] = {
      {"Int64", "uint64", Flow::Read},
      {"Int64", "double", Flow::Write},
      {"Uint64", "int8", Flow::Write},
      {"Utf8", "int64", Flow::Read},
      {"Bool", "uint8", Flow::Read},
      {"Decimal(9,2)", "int64", Flow::Write},
      {"Decimal(20,2)", "int256", Flow::Write},
      {"Uuid", "int128", Flow::Read},
      {"List<Int64>", "yson32", Flow::Read},
      {"List<Int64>", "repeated_variant16<int64>", Flow::Read},
      {"List<Int64>", "repeated_variant8<int64;int64>", Flow::Read},
      {"Optional<Optional<Int64>>", "variant8<nothing;int64>", Flow::Read},
      {"Optional<List<Optional<Int64>>>", "variant8<nothing;repeated_variant8<int64>>", Flow::Read},
      {"Struct<a:Int64,b:Bool>", "tuple<'b':boolean;'a':int64>", Flow::Write},
      {"Tuple<Int64,Bool>", "tuple<int64>", Flow::Write},
      {"Variant<a:Int64,b:Bool>", "variant8<'b':int64;'a':boolean>", Flow::Read},
      {"Variant<a:Int64,b:Bool>", "variant8<'a':int64>", Flow::Read},
      {"Dict<String,Int64>", "repeated_variant8<tuple<string32>>", Flow::Read},
      {"Null", "int64", Flow::Read},
  };
  for (const Case& c : cases) {
    try {
      bind_column(type_of(c.type), parse_short(c.wire), c.flow, false, Path::column("col"));
      ADD_FAILURE() << c.type << " was bound to " << c.wire;
    } catch (const Error& error) {
      EXPECT_EQ(error.code(), ErrorCode::Unsupported) << c.type;
      EXPECT_EQ(error.place().path.text().substr(0, 3), "col") << c.type;
    }
  }
}

TEST(Bind, OneLevelOfAbsenceMayBeOnOneSideOnly) {
  EXPECT_NO_THROW(
      bind_column(type_of("Optional<Int64>"), parse_short("int64"), Flow::Write, false));
  EXPECT_NO_THROW(
      bind_column(type_of("Int64"), parse_short("variant8<nothing;int64>"), Flow::Write, false));
  EXPECT_THROW(
      bind_column(type_of("Int64"), parse_short("variant8<nothing;variant8<nothing;int64>>"),
                  Flow::Write, false),
      Error);
}

// The alternatives of a named variant are not levels of absence, though the first one is nothing.
TEST(Bind, ANamedVariantOfNothingIsNoLevelOfAbsence) {
  for (const char* nothing : {"Null", "Void", "Tagged<Null,'x'>", "Tagged<Void,'x'>"}) {
    const std::string variant = fmt::format("Variant<'a':{},'b':Int64>", nothing);
    for (const char* inner :
         {"variant8<'a':nothing;'b':int64>", "variant16<'a':nothing;'b':int64>"}) {
      const std::pair<std::string, std::string> pairs[] = {
          {variant, inner},
          {fmt::format("Optional<{}>", variant), fmt::format("variant8<nothing;{}>", inner)},
          {fmt::format("Optional<Optional<{}>>", variant),
           fmt::format("variant8<nothing;variant8<nothing;{}>>", inner)},
          {fmt::format("List<Optional<{}>>", variant),
           fmt::format("repeated_variant8<variant8<nothing;{}>>", inner)}};
      for (const auto& [type, wire] : pairs) {
        EXPECT_NO_THROW(bind_column(type_of(type), parse_short(wire), Flow::Read, false)) << type;
        EXPECT_NO_THROW(bind_column(type_of(type), parse_short(wire), Flow::Write, false)) << type;
      }
      // A sparse column has one level less.
      EXPECT_NO_THROW(bind_column(type_of(pairs[1].first), parse_short(inner), Flow::Write, true));
      EXPECT_THROW(bind_column(type_of(pairs[1].first), parse_short(inner), Flow::Write, false),
                   Error);
    }
    EXPECT_EQ(to_string(derive(type_of(fmt::format("Optional<{}>", variant)))),
              "variant8<nothing;variant8<'a':nothing;'b':int64>>");
  }
}

TEST(Fit, SaysWhatIsLeftOutNarrowedOrRefused) {
  yt::TableSchema table = yt::parse_table_schema(
      "<strict=%true>[{name=a;type=int64};{name=b;type=utf8};{name=c;type_v3=int64};"
      "{name=s;type_v3={type_name=struct;members=[{name=x;type=int64};{name=y;type=int64}]}}]");
  hub::Findings findings =
      fit(parse_short("tuple<'a':int64;'c':int8;'s':tuple<'x':int64>>"), table, Flow::Write);
  std::vector<std::string> found;
  for (const hub::Finding& finding : findings) {
    found.push_back(std::string(finding.rule) + " " + finding.path.text());
  }
  EXPECT_EQ(found, (std::vector<std::string>{"null.refused a", "member.left-out b",
                                             "range.narrowed c", "member.left-out s.y"}));
}

TEST(BindTable, ColumnsWithoutATypeStandForTheirWireTypes) {
  Type root = parse_short(
      "tuple<'a':variant8<nothing;int64>;'l':repeated_variant8<string32>;'w':int128;"
      "'$sparse_columns':repeated_variant16<'s':double>>");
  BoundTable table = bind_table(root, nullptr, Flow::Read);
  std::vector<std::string> types;
  for (const BoundColumn& column : table.columns) types.push_back(yt::print_short(column.type));
  EXPECT_EQ(types, (std::vector<std::string>{"Optional<Int64>", "List<String>", "String",
                                             "Optional<Double>"}));
  // Beside a table schema, a column it lacks is optional<yson>.
  yt::TableSchema none = yt::parse_table_schema("<strict=%false>[]");
  EXPECT_EQ(yt::print_short(
                bind_table(parse_short("tuple<'a':variant8<nothing;yson32>>"), &none, Flow::Read)
                    .columns[0]
                    .type),
            "Optional<Any>");
}

TEST(Bind, NullHasOneFormAlone) {
  // An optional of nothing would have two nulls.
  EXPECT_THROW(
      bind_column(type_of("Null"), parse_short("variant8<nothing;nothing>"), Flow::Read, false),
      Error);
  EXPECT_EQ(bind_column(type_of("Null"), parse_short("nothing"), Flow::Read, false).form,
            Form::Nothing);
}

TEST(Fit, AnElementWithoutBytesIsLeftOut) {
  for (const char* element : {"Int64", "Optional<Int64>"}) {
    yt::TableSchema schema;
    schema.columns.emplace_back("t", yt::tuple({type_of(element), type_of("Bool")}));
    const hub::Findings found =
        fit(parse_short("tuple<'t':tuple<nothing;boolean>>"), schema, Flow::Write);
    ASSERT_EQ(found.size(), 1u) << element;
    EXPECT_EQ(found[0].rule, "member.left-out");
  }
}

}  // namespace
}  // namespace xwalk::skiff
