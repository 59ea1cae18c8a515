// YSON rows to Arrow and back: what comes out, what is refused, and where.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "memory_bytes.h"
#include "xwalk/yson/parse.h"
#include "xwalk/yson/print.h"
#include "xwalk/yt/forms.h"
#include "xwalk/yt/row_decoder.h"
#include "xwalk/yt/row_encoder.h"
#include "xwalk/yt/schema.h"
#include "xwalk/yt/values.h"

namespace xwalk::yt {
namespace {

using ::testing::HasSubstr;

TableSchema table(std::string_view text) { return parse_table_schema(text); }

TableSchema one_column(std::string_view type) {
  TableSchema schema;
  schema.columns.emplace_back("v", parse_type(type));
  return schema;
}

std::string encode(const hub::Batch& batch, const TableSchema& schema,
                   const ValueOptions& options) {
  RowEncoder encoder(schema, options);
  yson::Buffer out;
  encoder.encode(batch.array, 0, batch.rows(), batch.first_row, &out);
  return std::string(out.view());
}

std::string round_trip(const TableSchema& schema, std::string_view rows,
                       const ReadOptions& read = {}) {
  RowDecoder decoder(schema, read);
  hub::Batch batch = decoder.decode(rows, 0);
  return encode(batch, schema, read.values);
}

Error error_of(const TableSchema& schema, std::string_view rows, const ReadOptions& read = {}) {
  try {
    RowDecoder(schema, read).decode(rows, 0);
  } catch (Error& error) {
    return error;
  }
  ADD_FAILURE() << "accepted " << rows;
  return Error(ErrorCode::Internal, "");
}

struct Case {
  const char* type;
  const char* format;
  const char* input;
  const char* output;  // null: as the input
};

class RoundTrip : public ::testing::TestWithParam<Case> {};

TEST_P(RoundTrip, TextAndBinary) {
  const Case& sample = GetParam();
  ReadOptions read;
  read.values = parse_format(sample.format);
  TableSchema schema = one_column(sample.type);
  std::string input = std::string("{\"v\"=") + sample.input + ";};\n";
  std::string output =
      sample.output == nullptr ? input : std::string("{\"v\"=") + sample.output + ";};\n";
  EXPECT_EQ(round_trip(schema, input, read), output);

  std::string binary =
      yson::print_list_fragment(yson::parse_list_fragment(input), yson::Format::Binary);
  read.values.format = yson::Format::Binary;
  EXPECT_EQ(round_trip(schema, binary, read),
            yson::print_list_fragment(yson::parse_list_fragment(output), yson::Format::Binary));
  read.values.format = yson::Format::Pretty;
  std::string pretty =
      yson::print_list_fragment(yson::parse_list_fragment(output), yson::Format::Pretty);
  EXPECT_EQ(round_trip(schema, pretty, read), pretty);
}

constexpr const char* kPositional = "<complex_type_mode=positional>yson";
constexpr const char* kStruct =
    "{type_name=struct;members=[{name=a;type=int64};{name=b;type={type_name=optional;item=utf8}}]}";
constexpr const char* kVariant =
    "{type_name=variant;members=[{name=x;type=int64};{name=y;type={type_name=optional;item=utf8}}]"
    "}";
constexpr const char* kTwice = "{type_name=optional;item={type_name=optional;item=int64}}";

INSTANTIATE_TEST_SUITE_P(
    Values, RoundTrip,
    ::testing::Values(
        Case{"int8", "yson", "-128", nullptr}, Case{"int16", "yson", "32767", nullptr},
        Case{"int32", "yson", "-2147483648", nullptr},
        Case{"int64", "yson", "-9223372036854775808", nullptr}, Case{"int64", "yson", "+7", "7"},
        Case{"uint8", "yson", "255u", nullptr}, Case{"uint16", "yson", "65535u", nullptr},
        Case{"uint32", "yson", "4294967295u", nullptr},
        Case{"uint64", "yson", "18446744073709551615u", nullptr},
        Case{"double", "yson", "0.1", nullptr}, Case{"double", "yson", "1.", nullptr},
        Case{"double", "yson", "-0.", nullptr}, Case{"double", "yson", "1e+300", nullptr},
        Case{"double", "yson", "%nan", nullptr}, Case{"double", "yson", "%-inf", nullptr},
        Case{"float", "yson", "1.5", nullptr}, Case{"float", "yson", "%inf", nullptr},
        Case{"float", "yson", "0.1", "0.10000000149011612"}, Case{"bool", "yson", "%true", nullptr},
        Case{"bool", "yson", "%false", nullptr}, Case{"string", "yson", "\"a\\xFF\\n\"", nullptr},
        Case{"string", "yson", "word", "\"word\""}, Case{"string", "yson", "\"\"", nullptr},
        Case{"utf8", "yson", "\"\xD0\x96\"", "\"\\xD0\\x96\""},
        Case{"json", "yson", "\"{\\\"a\\\":1}\"", nullptr}, Case{"null", "yson", "#", nullptr},
        Case{"void", "yson", "#", nullptr},
        Case{"{type_name=optional;item=yson}", "yson", "{\"a\"=[1;<\"b\"=2;>%true;];}", nullptr},
        Case{"{type_name=optional;item=yson}", "yson", "#", nullptr},
        Case{"date", "yson", "49672u", nullptr}, Case{"datetime", "yson", "4291747199u", nullptr},
        Case{"timestamp", "yson", "4291747199999999u", nullptr},
        Case{"interval", "yson", "-4291747199999999", nullptr},
        Case{"date32", "yson", "-53375809", nullptr}, Case{"date32", "yson", "53375807", nullptr},
        Case{"datetime64", "yson", "-4611669897600", nullptr},
        Case{"datetime64", "yson", "4611669811199", nullptr},
        Case{"timestamp64", "yson", "-4611669897600000000", nullptr},
        Case{"timestamp64", "yson", "4611669811199999999", nullptr},
        Case{"interval64", "yson", "9223339708800000000", nullptr},
        Case{"date", "<time_mode=text>yson", "\"2105-12-31\"", nullptr},
        Case{"datetime", "<time_mode=text>yson", "\"1970-01-01T00:00:00Z\"", nullptr},
        Case{"timestamp", "<time_mode=text>yson", "\"2000-02-29T12:00:00.5Z\"",
             "\"2000-02-29T12:00:00.500000Z\""},
        Case{"date32", "<time_mode=text>yson", "-1", nullptr},
        Case{"{type_name=decimal;precision=5;scale=2}", "<decimal_mode=text>yson", "\"-123.45\"",
             nullptr},
        Case{"{type_name=decimal;precision=2;scale=2}", "<decimal_mode=text>yson", "\"0.50\"",
             nullptr},
        Case{"{type_name=decimal;precision=38;scale=0}", "<decimal_mode=text>yson",
             "\"99999999999999999999999999999999999999\"", nullptr},
        Case{"{type_name=decimal;precision=76;scale=1}", "<decimal_mode=text>yson", "\"-1.5\"",
             nullptr},
        Case{"{type_name=decimal;precision=9;scale=0}", "yson", "\"\\x7F\\xFF\\xFF\\xFF\"",
             nullptr},
        Case{"uuid", "yson", "\"abcdefghijklmnop\"", nullptr},
        Case{"uuid", "<uuid_mode=text_yql>yson", "\"64636261-6665-6867-696a-6b6c6d6e6f70\"",
             nullptr},
        Case{"uuid", "<uuid_mode=text_yt>yson", "\"1-2-3-4\"", nullptr},
        Case{"tz_date", "yson", "\"\\0*Europe/Moscow\"", nullptr},
        Case{"tz_timestamp64", "yson", "\"\\x80\\0\\0\\0\\0\\0\\0\\0GMT\"", nullptr},
        Case{"{type_name=optional;item=int64}", "yson", "#", nullptr},
        Case{kTwice, "yson", "#", nullptr}, Case{kTwice, "yson", "[#;]", nullptr},
        Case{kTwice, "yson", "[-42;]", nullptr},
        Case{"{type_name=optional;item=null}", "yson", "[#;]", nullptr},
        Case{"{type_name=list;item=int64}", "yson", "[1;-2;]", nullptr},
        Case{"{type_name=list;item=utf8}", "yson", "[]", nullptr},
        Case{"{type_name=list;item={type_name=list;item=bool}}", "yson", "[[];[%true;];]", nullptr},
        Case{kStruct, "yson", "{b=x;a=1}", "{\"a\"=1;\"b\"=\"x\";}"},
        Case{kStruct, "yson", "{a=1}", "{\"a\"=1;\"b\"=#;}"},
        Case{kStruct, kPositional, "[1]", "[1;#;]"},
        Case{kStruct, kPositional, "[1;x]", "[1;\"x\";]"},
        Case{"{type_name=tuple;elements=[{type=int64};{type=utf8}]}", "yson", "[1;\"a\";]",
             nullptr},
        Case{kVariant, "yson", "[\"x\";5;]", nullptr},
        Case{kVariant, "yson", "[y;#]", "[\"y\";#;]"},
        Case{kVariant, kPositional, "[1;\"s\";]", nullptr},
        Case{"{type_name=optional;item={type_name=variant;elements=[{type=int64};{type=null}]}}",
             "yson", "[1;#;]", nullptr},
        Case{"{type_name=optional;item={type_name=variant;elements=[{type=int64};{type=null}]}}",
             "yson", "#", nullptr},
        Case{"{type_name=dict;key=int32;value=string}", "yson", "[[1;\"a\";];[1;\"b\";];]",
             nullptr},
        Case{"{type_name=dict;key={type_name=optional;item=int32};value=string}", "yson",
             "[[#;\"a\";];]", nullptr},
        Case{"{type_name=dict;key=string;value=int32}", "<string_keyed_dict_mode=named>yson",
             "{\"a\"=1;}", nullptr},
        Case{"{type_name=dict;key=utf8;value=int32}", "<string_keyed_dict_mode=named>yson",
             "[[\"a\";1;];]", nullptr},
        Case{"{type_name=tagged;tag=t;item={type_name=list;item=int8}}", "yson", "[1;]", nullptr}));

TEST(WideVariant, BecomesAStructOfFields) {
  std::vector<Type> elements(200, Type(TypeKind::Int64));
  elements[7] = optional(TypeKind::Utf8);
  TableSchema schema;
  schema.columns.emplace_back("v", variant_of(elements));
  schema.columns.emplace_back("o", optional(variant_of(elements)));
  std::string rows = "{\"v\"=[199;5;];\"o\"=#;};\n{\"v\"=[7;#;];\"o\"=[7;\"x\";];};\n";
  EXPECT_EQ(round_trip(schema, rows), rows);
}

struct Refusal {
  const char* type;
  const char* format;
  const char* input;
  const char* message;
  const char* path;
};

class Refused : public ::testing::TestWithParam<Refusal> {};

TEST_P(Refused, WithMessageAndPath) {
  const Refusal& sample = GetParam();
  ReadOptions read;
  read.values = parse_format(sample.format);
  Error error = error_of(one_column(sample.type), std::string("{v=") + sample.input + "}", read);
  EXPECT_EQ(error.code(), ErrorCode::Input);
  EXPECT_THAT(error.message(), HasSubstr(sample.message));
  EXPECT_EQ(error.place().path.text(), sample.path);
  EXPECT_EQ(error.place().row, 0u);
}

INSTANTIATE_TEST_SUITE_P(
    Values, Refused,
    ::testing::Values(
        Refusal{"int8", "yson", "128", "int8 in the range [-128, 127], found 128", "v"},
        Refusal{"int64", "yson", "5u", "expected int64, found uint64 5u", "v"},
        Refusal{"uint8", "yson", "5", "expected uint64, found int64 5", "v"},
        Refusal{"uint8", "yson", "256u", "[0, 255], found 256", "v"},
        Refusal{"date32", "yson", "53375808", "[-53375809, 53375807]", "v"},
        Refusal{"date", "yson", "49673u", "[0, 49672]", "v"},
        Refusal{"double", "yson", "5", "expected double, found int64 5", "v"},
        Refusal{"double", "yson", "%true", "expected double, found %true", "v"},
        Refusal{"float", "yson", "1e39", "expected float in the range", "v"},
        Refusal{"bool", "yson", "\"true\"", "expected bool, found string", "v"},
        Refusal{"string", "yson", "[]", "expected string, found a list", "v"},
        Refusal{"utf8", "yson", "\"\\xFF\"", "expected UTF-8", "v"},
        Refusal{"{type_name=list;item=utf8}", "yson", "[a;\"\\xFF\"]", "expected UTF-8", "v[1]"},
        Refusal{"json", "yson", "\"[1,]\"", "expected a JSON document", "v"},
        Refusal{"int64", "yson", "#", "expected int64, found #", "v"},
        Refusal{"int64", "yson", "<a=1>5", "found attributes", "v"},
        Refusal{"{type_name=optional;item=yson}", "yson", "<a=1>5", "without attributes", "v"},
        Refusal{"null", "yson", "0", "expected #, found int64 0", "v"},
        Refusal{"uuid", "yson", "\"short\"", "expected 16 bytes", "v"},
        Refusal{"tz_date", "yson", "\"\\0*Mars/Olympus\"", "", "v"},
        Refusal{"{type_name=decimal;precision=3;scale=1}", "yson", "\"ab\"", "expected 4 bytes",
                "v"},
        Refusal{"{type_name=decimal;precision=3;scale=1}", "<decimal_mode=text>yson", "\"nan\"",
                "finite", "v"},
        Refusal{kTwice, "yson", "[]", "empty list", "v"},
        Refusal{kTwice, "yson", "[1;2]", "found more", "v"},
        Refusal{kTwice, "yson", "5", "list", "v"},
        Refusal{kStruct, "yson", "{a=1;c=2}", "expected a field of the schema, found \"c\"", "v"},
        Refusal{kStruct, "yson", "{a=1;a=2}", "once, found it twice", "v.a"},
        Refusal{kStruct, "yson", "{b=x}", "expected field \"a\", found none", "v.a"},
        Refusal{kStruct, "yson", "{a=x}", "expected int64", "v.a"},
        Refusal{kStruct, kPositional, "[]", "expected field \"a\"", "v"},
        Refusal{kStruct, kPositional, "[1;#;#]", "found more", "v"},
        Refusal{kVariant, "yson", "[z;1]", "name of an alternative", "v"},
        Refusal{kVariant, "yson", "[x]", "a value after the alternative", "v"},
        Refusal{kVariant, "yson", "[x;y]", "expected int64", "v<x>"},
        Refusal{kVariant, kPositional, "[2;1]", "[0, 2), found 2", "v"},
        Refusal{"{type_name=dict;key=int32;value=string}", "yson", "[[1]]", "found one", "v"},
        Refusal{"{type_name=dict;key=int32;value=string}", "yson", "[[x;y]]", "int64", "v{key}"},
        Refusal{"{type_name=tuple;elements=[{type=int64};{type=utf8}]}", "yson", "[1]",
                "expected 2 values, found 1", "v"}));

constexpr const char* kTable =
    "[{name=id;type_v3=int64};{name=name;type_v3={type_name=optional;item=utf8}};"
    "{name=list;type_v3={type_name=optional;item={type_name=list;item=int64}}}]";

TEST(Columns, AnyOrderAndMissing) {
  EXPECT_EQ(round_trip(table(kTable), "{name=a;id=1};{id=2};{list=[1];name=#;id=3;}"),
            "{\"id\"=1;\"name\"=\"a\";\"list\"=#;};\n"
            "{\"id\"=2;\"name\"=#;\"list\"=#;};\n"
            "{\"id\"=3;\"name\"=#;\"list\"=[1;];};\n");
}

TEST(Columns, KeysInEveryForm) {
  EXPECT_EQ(round_trip(table("[{name=\"a b\";type_v3=int64};{name=\"\xD0\x96\";type_v3=int64}]"),
                       "{\"a\\x20b\"=1; \"\xD0\x96\" = 2};{\"\\xD0\\x96\"=4;\x01\x06"
                       "a b=3}"),
            "{\"a b\"=1;\"\\xD0\\x96\"=2;};\n{\"a b\"=3;\"\\xD0\\x96\"=4;};\n");
}

TEST(Columns, UnknownMissingRepeated) {
  Error unknown = error_of(table(kTable), "{id=1;nam=x}");
  EXPECT_THAT(unknown.message(), HasSubstr("expected a column of the schema, found \"nam\""));
  EXPECT_THAT(unknown.hint(), HasSubstr("name"));
  EXPECT_EQ(error_of(table(kTable), "{name=x}").place().path.text(), "id");
  EXPECT_THAT(error_of(table(kTable), "{id=1;id=2}").message(), HasSubstr("found it twice"));
  ReadOptions last;
  last.repeated_keys = RepeatedKeys::Last;
  EXPECT_EQ(round_trip(table(kTable), "{id=1;list=[1;2];id=2;list=[3]}", last),
            "{\"id\"=2;\"name\"=#;\"list\"=[3;];};\n");
}

TEST(Columns, UndescribedOnesAreKept) {
  TableSchema schema = table(std::string("<strict=%false>") + kTable);
  std::string rows =
      "{\"id\"=1;\"name\"=#;\"list\"=#;};\n"
      "{\"id\"=2;\"name\"=#;\"list\"=#;\"x\"=[1;\"a\";];\"y\"={\"z\"=%nan;};};\n";
  EXPECT_EQ(round_trip(schema, rows), rows);
  EXPECT_EQ(round_trip(schema, "{x=[1;a];id=2;y={z=%nan}}"), rows.substr(rows.find('\n') + 1));
}

TEST(Columns, Projection) {
  ReadOptions read;
  read.columns = {"list", "id"};
  RowDecoder decoder(table(kTable), read);
  ASSERT_EQ(decoder.schema().fields.size(), 2u);
  EXPECT_EQ(decoder.schema().fields[0].name, "id");
  hub::Batch batch = decoder.decode("{name=[wrong;type];id=7}", 0);
  EXPECT_EQ(batch.array.children[0].value<int64_t>(0), 7);
  read.columns = {"nmae"};
  EXPECT_THROW(RowDecoder(table(kTable), read), Error);
}

TEST(Rows, ControlEntitiesSetTheTable) {
  std::string rows =
      "<table_index=0>#;{id=1};<table_index=1>#;<row_index=5>#;{other=1};<table_index=0>#;{id=2};";
  ReadOptions read;
  EXPECT_THAT(error_of(table(kTable), rows).message(), HasSubstr("rows of one table"));
  read.table = 0;
  EXPECT_EQ(round_trip(table(kTable), rows, read),
            "{\"id\"=1;\"name\"=#;\"list\"=#;};\n{\"id\"=2;\"name\"=#;\"list\"=#;};\n");
  read.table = 1;
  EXPECT_EQ(round_trip(table("[{name=other;type_v3=int64}]"), rows, read), "{\"other\"=1;};\n");
  EXPECT_THAT(error_of(table(kTable), "<tabel_index=1>#").message(),
              HasSubstr("control attribute"));
}

TEST(Rows, ErrorsHaveLineAndColumnInTextAndBytesInBinary) {
  Error text = error_of(table(kTable), "{id=1};\n{id=2};\n  {id=3; name=[]};\n");
  EXPECT_EQ(text.place().line, 3u);
  EXPECT_EQ(text.place().column, 15u);
  EXPECT_EQ(text.place().row, 2u);
  EXPECT_EQ(text.place().snippet, "{id=3; name=[]}");
  EXPECT_EQ(text.place().snippet_offset, 12u);
  std::string binary("{\x01\x04id=\x02\x02;};{\x01\x04id=\x06\x02;};", 22);
  Error bytes = error_of(table(kTable), binary);
  EXPECT_FALSE(bytes.place().line.has_value());
  EXPECT_EQ(bytes.place().byte, 17u);
}

TEST(Rows, ListsOfBinaryNumbers) {
  // Doubles with and without a `;` after them, between others, also where a list and the rows end.
  const auto real = [](double value) {
    std::string out(1, '\x03');
    out.append(reinterpret_cast<const char*>(&value), sizeof(value));
    return out;
  };
  const std::string half = real(0.5);
  const std::string third = real(-0.25);
  for (const char* type : {"{type_name=list;item=double}", "{type_name=list;item=float}"}) {
    const TableSchema schema = one_column(type);
    for (const auto& [items, expected] : std::vector<std::pair<std::string, std::string>>{
             {half, "0.5;"},
             {half + ";", "0.5;"},
             {half + ";" + third, "0.5;-0.25;"},
             {half + ";" + third + ";", "0.5;-0.25;"},
             {half + "; " + third + " ;", "0.5;-0.25;"},
             {half + ";2.5;" + third + ";%inf", "0.5;2.5;-0.25;%inf;"},
             {"%nan;" + half + ";%-inf;", "%nan;0.5;%-inf;"}}) {
      const std::string rows = "{v=[" + items + "]};{v=[" + half + ";]}";
      EXPECT_EQ(round_trip(schema, rows), "{\"v\"=[" + expected + "];};\n{\"v\"=[0.5;];};\n")
          << type << " " << items;
    }
    for (size_t size = 1; size < half.size() + 1; ++size) {
      error_of(schema, "{v=[" + (half + ";").substr(0, size));
    }
  }
  const Error beyond = error_of(one_column("{type_name=list;item=float}"),
                                "{v=[" + half + ";" + real(1e300) + ";" + half + "]}");
  EXPECT_THAT(beyond.describe(), HasSubstr("v[1]"));
  const Error missing =
      error_of(one_column("{type_name=list;item=double}"), "{v=[" + half + ";" + half + ";#]}");
  EXPECT_THAT(missing.describe(), HasSubstr("v[2]"));
}

TEST(Rows, DateRangeBothEnds) {
  TableSchema schema = one_column("date32");
  RowDecoder decoder(schema, {});
  hub::Batch batch = decoder.decode("{v=-53375809};{v=53375807}", 0);
  const hub::Array& dates = batch.array.children[0];
  EXPECT_EQ(dates.value<int32_t>(0), -53375809);
  EXPECT_EQ(dates.value<int32_t>(1), 53375807);
}

TEST(Rows, UuidOrder) {
  TableSchema schema = one_column("uuid");
  hub::Batch batch = RowDecoder(schema, {}).decode("{v=\"abcdefghijklmnop\"}", 0);
  EXPECT_EQ(std::string(batch.array.children[0].fixed(0, 16), 16), "dcbafehgijklmnop");
  ReadOptions read;
  read.values.uuid_order = UuidOrder::Raw;
  hub::Batch raw = RowDecoder(schema, read).decode("{v=\"abcdefghijklmnop\"}", 0);
  EXPECT_EQ(std::string(raw.array.children[0].fixed(0, 16), 16), "abcdefghijklmnop");
  EXPECT_EQ(encode(raw, schema, read.values), "{\"v\"=\"abcdefghijklmnop\";};\n");
}

TEST(Rows, ZonesAsNumbers) {
  TableSchema schema = one_column("{type_name=list;item=tz_datetime}");
  const std::string names = "{v=[\"\\0\\0\\0*Europe/Moscow\";\"\\0\\0\\0*UTC\"]}";
  ReadOptions read;
  read.values.tz_form = TzForm::Index;
  const std::string numbers = round_trip(schema, names, read);
  EXPECT_EQ(numbers, "{\"v\"=[\"\\0\\0\\0*\\0\\1\";\"\\0\\0\\0*\\2L\";];};\n");
  EXPECT_EQ(round_trip(schema, numbers, read), numbers);
  EXPECT_EQ(round_trip(schema, numbers, {}),
            "{\"v\"=[\"\\0\\0\\0*Europe/Moscow\";\"\\0\\0\\0*UTC\";];};\n");
  try {
    round_trip(schema, "{v=[\"\\0\\0\\0*America/Coyhaique\"]}", read);
    ADD_FAILURE() << "a zone without a number";
  } catch (const Error& error) {
    EXPECT_THAT(error.message(), HasSubstr("a time zone that has a number (as of 2026-08-22)"));
    EXPECT_THAT(error.message(), HasSubstr("America/Coyhaique"));
  }
}

TEST(Rows, DecimalSpecialAsNull) {
  TableSchema schema =
      one_column("{type_name=optional;item={type_name=decimal;precision=3;scale=1}}");
  ReadOptions read;
  read.values.decimal_mode = DecimalMode::Text;
  read.values.decimal_special = DecimalSpecial::Null;
  EXPECT_EQ(round_trip(schema, "{v=nan};{v=\"-inf\"};{v=\"1.5\"}", read),
            "{\"v\"=#;};\n{\"v\"=#;};\n{\"v\"=\"1.5\";};\n");
}

TEST(Rows, SkipNullValues) {
  ReadOptions read;
  read.values.skip_null_values = true;
  EXPECT_EQ(round_trip(table(kTable), "{id=1};{id=2;name=a}", read),
            "{\"id\"=1;};\n{\"id\"=2;\"name\"=\"a\";};\n");
}

TEST(BadRows, AtAnyDepthLeaveTheOthersWhole) {
  TableSchema schema = table(
      "[{name=id;type_v3=int64};{name=s;type_v3={type_name=optional;item={type_name=list;item="
      "{type_name=struct;members=[{name=u;type={type_name=variant;elements=[{type=utf8};"
      "{type={type_name=dict;key=string;value=bool}}]}};{name=t;type=utf8}]}}}}]");
  std::string good1 = "{\"id\"=1;\"s\"=[{\"u\"=[0;\"a\";];\"t\"=\"b\";};];};\n";
  std::string bad1 = "{\"id\"=2;\"s\"=[{\"u\"=[0;\"a\";];\"t\"=\"b\";};{\"u\"=[1;[[k;5]]]}]};\n";
  std::string bad2 = "{s=[{u=[1;[[k;%true];[l;%false]]];t=\"\xFF\"}];id=3};\n";
  std::string bad3 = "[];\n";
  std::string bad4 = "{id=1;s=#;;}; ";
  std::string good2 = "{\"id\"=4;\"s\"=[{\"u\"=[1;[[\"k\";%true;];];];\"t\"=\"\";};];};\n";
  ReadOptions read;
  read.skip_bad_rows = true;
  hub::Batch batch = RowDecoder(schema, read).decode(good1 + bad1 + bad2 + bad3 + bad4 + good2, 10);
  ASSERT_EQ(batch.rows(), 6);
  ASSERT_EQ(batch.bad.size(), 4u);
  EXPECT_EQ(batch.bad[0].index, 1);
  EXPECT_EQ(batch.bad[0].error.place().row, 11u);
  EXPECT_EQ(batch.bad[0].error.place().path.text(), "s[1].u<1>{value}");
  EXPECT_EQ(batch.bad[0].source_bytes + ";\n", bad1);
  EXPECT_EQ(batch.bad[1].error.place().path.text(), "s[0].t");
  EXPECT_EQ(batch.bad[2].source_bytes, "[]");
  EXPECT_EQ(batch.bad[3].index, 4);
  RowEncoder encoder(schema, {});
  yson::Buffer out;
  encoder.encode(batch.array, 0, 1, 0, &out);
  encoder.encode(batch.array, 5, 6, 0, &out);
  EXPECT_EQ(out.view(), good1 + good2);
}

TEST(BadRows, Utf8IsCheckedByTheBatchAndNamedByTheRow) {
  TableSchema schema = table("[{name=a;type_v3=utf8};{name=b;type_v3=utf8}]");
  ReadOptions read;
  read.skip_bad_rows = true;
  // The first bytes of b would complete the character that a leaves open.
  std::string rows = "{a=x;b=y};{a=\"\xD0\";b=\"\x96\"};{a=\"\xD0\x96\";b=z};{a=1;b=\"\xFF\"};";
  hub::Batch batch = RowDecoder(schema, read).decode(rows, 0);
  ASSERT_EQ(batch.bad.size(), 2u);
  EXPECT_EQ(batch.bad[0].index, 1);
  EXPECT_EQ(batch.bad[0].source_bytes, "{a=\"\xD0\";b=\"\x96\"}");
  EXPECT_EQ(batch.bad[1].index, 3);
  Error error = error_of(schema, rows);
  EXPECT_EQ(error.place().row, 1u);
}

TEST(BadRows, SplitCharactersAcrossRowsAreFound) {
  TableSchema schema = table("[{name=a;type_v3=utf8}]");
  ReadOptions read;
  read.skip_bad_rows = true;
  hub::Batch batch = RowDecoder(schema, read).decode("{a=\"\xD0\"};{a=\"\x96\"};{a=ok}", 0);
  ASSERT_EQ(batch.bad.size(), 2u);
  EXPECT_EQ(batch.bad[1].index, 1);
}

TEST(BadRows, NumbersTooLargeDoNotLoseTheRow) {
  ReadOptions read;
  read.skip_bad_rows = true;
  hub::Batch batch = RowDecoder(table(kTable), read)
                         .decode("{id=99999999999999999999};{id=1x2};{id=%maybe};{id=3}", 0);
  EXPECT_EQ(batch.rows(), 4);
  EXPECT_EQ(batch.bad.size(), 3u);
}

TEST(BadRows, NameTheSeparatorThatIsMissing) {
  constexpr const char* kSchema =
      "[{name=list;type_v3={type_name=list;item=int64}};{name=any;type=any}]";
  const std::pair<const char*, const char*> cases[] = {
      {"{list=[1 2]}", "expected \";\" or \"]\""},
      {"{list=[1] any=1}", "expected \";\" or \"}\""},
      {"{list=[];any=[1 2]}", "expected \";\" or \"]\""},
      {"{list=[];any={a=1 b=2}}", "expected \";\" or \"}\""},
      {"{list=[];any=[<a=1 b=2>3]}", "expected \";\" or \">\""},
      {"{list=[];any=[1}", "expected \";\" or \"]\""},
      {"{list=[]} {list=[]}", "expected \";\" or the end of the input"},
  };
  for (const auto& [rows, message] : cases) {
    EXPECT_EQ(error_of(table(kSchema), rows).message(), message) << rows;
  }
}

TEST(Stream, LostRowsEndIt) {
  for (const char* rows : {"{id=1};{id=2]};{id=3}", "{id=1};{id=2", "{id=1} {id=2}", "{id=1};;",
                           "{id=1};}", "{id=1};{name=\"abc", "{id=1};\x01"}) {
    ReadOptions read;
    read.skip_bad_rows = true;
    auto reader = read_rows(std::make_unique<StepSource>(rows, 3), table(kTable), read);
    std::optional<hub::Batch> batch = reader->next();
    ASSERT_TRUE(batch.has_value()) << rows;
    EXPECT_EQ(batch->rows(), 1) << rows;
    EXPECT_THROW(reader->next(), Error) << rows;
    EXPECT_FALSE(reader->next().has_value()) << rows;
  }
}

std::string read_all(std::unique_ptr<ByteSource> source, const TableSchema& schema,
                     const ReadOptions& read, std::vector<hub::BadRow>* bad) {
  std::string out;
  auto reader = read_rows(std::move(source), schema, read);
  int64_t rows = 0;
  while (auto batch = reader->next()) {
    EXPECT_LE(batch->rows(), read.batch_rows);
    EXPECT_EQ(batch->first_row, rows);
    rows += batch->rows();
    int64_t from = 0;
    RowEncoder encoder(schema, read.values);
    yson::Buffer buffer;
    for (hub::BadRow& row : batch->bad) {
      encoder.encode(batch->array, from, row.index, 0, &buffer);
      from = row.index + 1;
      bad->push_back(std::move(row));
    }
    encoder.encode(batch->array, from, batch->rows(), 0, &buffer);
    out += buffer.view();
  }
  return out;
}

TEST(Stream, NumbersOfControlEntitiesMayComeInPieces) {
  const std::string rows = "<tablet_index=-1e5;table_index=+0>#;{id=1};";
  for (size_t step = 1; step < rows.size(); ++step) {
    std::vector<hub::BadRow> bad;
    EXPECT_EQ(read_all(std::make_unique<StepSource>(rows, step), table(kTable), {}, &bad),
              round_trip(table(kTable), "{id=1}"))
        << step;
  }
}

TEST(Stream, PiecesOfAnySizeGiveTheSame) {
  TableSchema schema = table(kTable);
  std::string rows =
      "{\"id\"=1;\"name\"=\"a\\\"b\";\"list\"=#;};\n"
      "<table_index=0>#;\n"
      "{\"id\"=x;\"name\"=#;\"list\"=[1;2;];};\n"
      "{\x01\x04id=\x02\x06;\x01\x08name=\x01\x06"
      "abc;};\n"
      "{\"id\"=4;\"name\"=\"\xD0\";\"list\"=[-1;];};\n"
      "{\"id\"=5;\"list\"=[];\"name\"=\"\xD0\x96\xD0\x96\";};";
  ReadOptions read;
  read.skip_bad_rows = true;
  read.batch_rows = 2;
  std::vector<hub::BadRow> expected_bad;
  std::string expected = read_all(std::make_unique<WholeSource>(rows), schema, read, &expected_bad);
  ASSERT_EQ(expected_bad.size(), 2u);
  for (size_t step = 1; step < rows.size(); ++step) {
    std::vector<hub::BadRow> bad;
    EXPECT_EQ(read_all(std::make_unique<StepSource>(rows, step), schema, read, &bad), expected);
    ASSERT_EQ(bad.size(), expected_bad.size()) << step;
    for (size_t i = 0; i < bad.size(); ++i) {
      EXPECT_EQ(bad[i].error.describe(), expected_bad[i].error.describe()) << step;
      EXPECT_EQ(bad[i].source_bytes, expected_bad[i].source_bytes);
    }
  }
}

TEST(Stream, WhatIsCompiledReadsSeveralStreams) {
  ReadOptions read;
  read.batch_rows = 1;
  const RowDecoder compiled(table(kTable), read);
  for (const char* const name : {"a", "b"}) {
    const std::string row = std::string("{\"id\"=1;\"name\"=\"") + name + "\";\"list\"=#;};\n";
    auto reader = read_rows(std::make_unique<StepSource>(row + row, 3), compiled);
    for (int64_t first = 0; first < 2; ++first) {
      const auto batch = reader->next();
      ASSERT_TRUE(batch.has_value());
      EXPECT_EQ(batch->first_row, first);
      EXPECT_EQ(encode(*batch, table(kTable), {}), row);
    }
    EXPECT_FALSE(reader->next().has_value());
  }
}

TEST(Stream, ARowLargerThanTheWindowIsWhole) {
  const std::string row =
      "{\"id\"=1;\"name\"=\"" + std::string(3'000'000, 'x') + "\";\"list\"=#;};\n";
  const std::string rows = "{\"id\"=0;\"name\"=#;\"list\"=#;};\n" + row + row;
  std::vector<hub::BadRow> bad;
  EXPECT_EQ(read_all(std::make_unique<StepSource>(rows, 700'001), table(kTable), {}, &bad), rows);
  EXPECT_TRUE(bad.empty());
}

TEST(Stream, BytesBoundABatch) {
  std::string rows;
  for (int i = 0; i < 1000; ++i)
    rows += "{id=1;name=\"0123456789012345678901234567890123456789\"};";
  ReadOptions read;
  read.batch_bytes = 4096;
  auto reader = read_rows(std::make_unique<WholeSource>(rows), table(kTable), read);
  int64_t total = 0;
  while (auto batch = reader->next()) {
    EXPECT_LE(batch->rows(), 100);
    total += batch->rows();
  }
  EXPECT_EQ(total, 1000);
}

TEST(Writer, RefusesNullsOfRequiredColumnsByRowAndPath) {
  TableSchema loose = one_column("{type_name=optional;item=int64}");
  hub::Batch batch = RowDecoder(loose, {}).decode("{v=1};{v=#}", 0);
  std::string out;
  auto writer = write_rows(std::make_unique<StringSink>(&out), one_column("int64"), {});
  try {
    writer->write(std::move(batch));
    FAIL();
  } catch (const Error& error) {
    EXPECT_EQ(error.place().row, 1u);
    EXPECT_EQ(error.place().path.text(), "v");
  }
}

TEST(Writer, DrainsRowsOfAnySize) {
  TableSchema schema = table(
      "[{name=text;type=string};{name=items;type_v3={type_name=list;item=int64}};"
      "{name=map;type_v3={type_name=dict;key=string;value={type_name=optional;item=double}}}]");
  std::string rows;
  for (const size_t size : {size_t{3}, size_t{3} << 20, size_t{0}, (size_t{1} << 20) + 5}) {
    const std::string text = yson::print(yson::Node::string(std::string(size, '\x01')));
    rows += "{text=" + text + ";items=[";
    for (size_t i = 0; i < size / 8; ++i) rows += std::to_string(i * i) + ";";
    rows += "];map=[[" + text + ";0.1];[" + text + ";#]]};";
  }
  const hub::Batch batch = RowDecoder(schema, {}).decode(rows, 0);
  for (const yson::Format format :
       {yson::Format::Text, yson::Format::Binary, yson::Format::Pretty}) {
    ValueOptions options;
    options.format = format;
    std::string drained;
    size_t longest = 0;
    const yson::Buffer::Drain drain = [&](std::string_view bytes) {
      drained += bytes;
      longest = std::max(longest, bytes.size());
    };
    yson::Buffer buffer(&drain);
    RowEncoder(schema, options).encode(batch.array, 0, batch.rows(), 0, &buffer);
    buffer.drain_all();
    EXPECT_TRUE(drained == encode(batch, schema, options));
    if (format != yson::Format::Pretty) {
      EXPECT_LT(longest, size_t{6} << 20);
    }
  }
}

TEST(Writer, YsonThatIsTextInArrowComesBackAsBinary) {
  const hub::Batch batch = RowDecoder(one_column("string"), {}).decode("{v=\"[1;a]\"}", 0);
  const TableSchema schema = one_column("yson");
  const std::string rows = encode(batch, schema, {});
  EXPECT_EQ(rows, "{\"v\"=[1;\"a\";];};\n");
  const hub::Batch back = RowDecoder(schema, {}).decode(rows, 0);
  EXPECT_EQ(back.array.children[0].text(0),
            yson::print(yson::parse("[1;a]"), yson::Format::Binary));
}

TEST(Writer, WritesSlices) {
  TableSchema schema = table(kTable);
  hub::Batch batch = RowDecoder(schema, {}).decode("{id=1};{id=2;name=b;list=[1;2]};{id=3}", 0);
  batch.array.offset = 1;
  batch.array.length = 2;
  std::string out;
  auto writer = write_rows(std::make_unique<StringSink>(&out), schema, {});
  writer->write(std::move(batch));
  writer->finish();
  EXPECT_EQ(out,
            "{\"id\"=2;\"name\"=\"b\";\"list\"=[1;2;];};\n{\"id\"=3;\"name\"=#;\"list\"=#;};\n");
  EXPECT_EQ(writer->bytes_written(), out.size());
}

}  // namespace
}  // namespace xwalk::yt
