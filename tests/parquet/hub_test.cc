#include "xwalk/parquet/hub.h"

#include <gtest/gtest.h>

#include "xwalk/base/error.h"
#include "xwalk/hub/annotation.h"
#include "xwalk/hub/geospatial.h"
#include "xwalk/parquet/arrow_schema.h"
#include "xwalk/parquet/schema.h"

namespace xwalk::parquet {
namespace {

std::string arrow_of(const Node& node) {
  hub::Schema schema = to_arrow(Schema(Node::group(Repetition::Required, "m", {node})));
  return hub::to_string(hub::without_annotations(schema).fields[0]);
}

struct Meaning {
  const char* message;
  const char* arrow;
  Rule rule;
};

// LIST, MAP and repeated fields: the rules of the format in their order, and what Arrow sees.
const Meaning kMeanings[] = {
    {.message = "optional group l (LIST) { repeated group list { optional int32 element; } }",
     .arrow = "l: list<element: int32>",
     .rule = Rule::ListThreeLevel},
    {.message = "required group l (LIST) { repeated group bag { required int32 x; } }",
     .arrow = "l: list<x: int32 not null> not null",
     .rule = Rule::ListThreeLevel},
    {.message = "optional group l (LIST) { repeated int32 element; }",
     .arrow = "l: list<element: int32 not null>",
     .rule = Rule::ListPrimitive},
    {.message = "optional group l (LIST) { repeated binary element (UTF8); }",
     .arrow = "l: list<element: string not null>",
     .rule = Rule::ListPrimitive},
    {.message = "optional group l (LIST) { repeated group e { required int32 a; optional int32 b; "
                "} }",
     .arrow = "l: list<e: struct<a: int32 not null, b: int32> not null>",
     .rule = Rule::ListManyFields},
    {.message = "optional group l (LIST) { repeated group array (LIST) { repeated int32 x; } }",
     .arrow = "l: list<array: list<x: int32 not null> not null>",
     .rule = Rule::ListOneRepeated},
    {.message = "optional group l (LIST) { repeated group e { repeated int32 x; } }",
     .arrow = "l: list<e: struct<x: list<x: int32 not null> not null> not null>",
     .rule = Rule::ListOneRepeated},
    {.message = "optional group l (LIST) { repeated group array (MAP) { repeated group key_value { "
                "required int32 key; optional int32 value; } } }",
     .arrow = "l: list<array: map<int32, int32> not null>",
     .rule = Rule::ListOneRepeated},
    {.message = "optional group l (LIST) { repeated group array { optional int32 x; } }",
     .arrow = "l: list<array: struct<x: int32> not null>",
     .rule = Rule::ListArrayOrTuple},
    {.message = "optional group l (LIST) { repeated group l_tuple { required int32 x; } }",
     .arrow = "l: list<l_tuple: struct<x: int32 not null> not null>",
     .rule = Rule::ListArrayOrTuple},
    {.message = "optional group l (LIST) { repeated group other_tuple { required int32 x; } }",
     .arrow = "l: list<x: int32 not null>",
     .rule = Rule::ListThreeLevel},
    {.message = "optional group l (LIST) { repeated group Array { required int32 x; } }",
     .arrow = "l: list<x: int32 not null>",
     .rule = Rule::ListThreeLevel},
    {.message = "optional group m (MAP) { repeated group key_value { required binary key (UTF8); "
                "optional int32 value; } }",
     .arrow = "m: map<string, int32>",
     .rule = Rule::Map},
    {.message = "optional group m (MAP) { repeated group map { required binary str (UTF8); "
                "required int32 num; } }",
     .arrow = "m: map<string, int32 not null>",
     .rule = Rule::MapByPosition},
    {.message = "optional group m (MAP_KEY_VALUE) { repeated group map { required binary key "
                "(UTF8); optional int32 value; } }",
     .arrow = "m: map<string, int32>",
     .rule = Rule::MapKeyValueAsMap},
    {.message = "optional group m (MAP) { repeated group map (MAP_KEY_VALUE) { required int32 key; "
                "optional int32 value; } }",
     .arrow = "m: map<int32, int32>",
     .rule = Rule::MapByPosition},
    {.message = "optional group m (MAP) { repeated group key_value { optional int32 key; optional "
                "int32 value; } }",
     .arrow = "m: map<int32, int32>",
     .rule = Rule::Map},
    {.message = "optional group m (MAP) { repeated group key_value { required int32 key; } }",
     .arrow = "m: list<key: int32 not null>",
     .rule = Rule::MapWithoutValue},
    {.message = "repeated int32 r;",
     .arrow = "r: list<r: int32 not null> not null",
     .rule = Rule::Repeated},
    {.message = "repeated group r { optional int32 x; }",
     .arrow = "r: list<r: struct<x: int32> not null> not null",
     .rule = Rule::Repeated},
    {.message = "optional group s { required int32 x; repeated group y { repeated int32 z; } }",
     .arrow = "s: struct<x: int32 not null, y: list<y: struct<z: list<z: int32 not null> not null> "
              "not null> not null>",
     .rule = Rule::Struct},
};

TEST(Hub, NestingFollowsTheRules) {
  for (const Meaning& row : kMeanings) {
    SCOPED_TRACE(row.message);
    Node node = parse_field(row.message);
    Resolution resolution = resolve(Schema(Node::group(Repetition::Required, "m", {node})));
    EXPECT_EQ(resolution.columns[0].rule, row.rule) << slug(resolution.columns[0].rule);
    EXPECT_EQ(arrow_of(node), row.arrow);
  }
}

// Every shape and leaf comes back from its Arrow schema as it was, by annotation where need be.
const char* kRoundTrips[] = {
    "required int32 a;",
    "optional int32 a (DATE) = 4;",
    "required int32 a (INT_8);",
    "required int32 a (UINT_16);",
    "required int64 a (INTEGER(64,false)) = -3;",
    "required int32 a (TIME(MILLIS,true));",
    "required int32 a (TIME(MILLIS,false));",
    "required int64 a (TIME(NANOS,true));",
    "required int64 a (TIMESTAMP(MILLIS,false));",
    "required int64 a (TIMESTAMP(NANOS,true));",
    "required fixed_len_byte_array(12) a (TIMESTAMP(MICROS,true));",
    "required int96 a;",
    "required int32 a (DECIMAL(9,2));",
    "required int64 a (DECIMAL(9,2));",
    "required fixed_len_byte_array(4) a (DECIMAL(9,2));",
    "required fixed_len_byte_array(16) a (DECIMAL(9,2));",
    "required binary a (DECIMAL(9,2));",
    "required fixed_len_byte_array(17) a (DECIMAL(40,0));",
    "required binary a (DECIMAL(100,2));",
    "required fixed_len_byte_array(50) a (DECIMAL(100,2));",
    "optional boolean a;",
    "optional float a;",
    "optional binary a;",
    "optional binary a (STRING);",
    "optional binary a (ENUM);",
    "optional binary a (JSON);",
    "optional binary a (BSON);",
    "optional binary a (GEOMETRY);",
    "optional binary a (GEOMETRY(OGC:CRS84));",
    "optional binary a (GEOMETRY(srid:5070));",
    "optional binary a (GEOMETRY(projjson:key));",
    R"(optional binary a (GEOMETRY("{\"id\": {\"authority\": \"EPSG\", \"code\": 5070}}"));)",
    "optional binary a (GEOGRAPHY);",
    "optional binary a (GEOGRAPHY(,SPHERICAL));",
    "optional binary a (GEOGRAPHY(OGC:CRS84,KARNEY));",
    "optional binary a (UNKNOWN);",
    "optional int32 a (UNKNOWN);",
    "optional fixed_len_byte_array(3) a;",
    "optional fixed_len_byte_array(16) a (UUID);",
    "optional fixed_len_byte_array(2) a (FLOAT16);",
    "optional fixed_len_byte_array(12) a (INTERVAL);",
    "optional int64 a (FUTURE(0cc6010000));",
    "optional group a (VARIANT(1)) { required binary metadata; optional binary value; }",
    "optional group a (VARIANT) { required binary metadata; optional binary value; }",
    "optional group a (FILE) { optional binary uri (STRING); }",
    "optional group a = 9 { required int32 x = 2; repeated group y = 3 { repeated int32 z; } }",
    "optional group l (LIST) = 1 { repeated group list = 2 { optional int32 element = 3; } }",
    "optional group m (MAP) = 4 { repeated group key_value = 5 { required int32 key = 6; optional "
    "int32 value = 7; } }",
    "required group l (LIST) { repeated group list { required group element (LIST) { repeated "
    "int32 array; } } }",
    "optional group l (LIST) { repeated group \"odd\nname\" { optional int32 element; } }",
};

TEST(Hub, AnOrderOfStatisticsIsNoType) {
  Schema schema(Node::group(Repetition::Required, "schema",
                            {parse_field("optional double a columnorder(IEEE_754_TOTAL_ORDER);")}));
  hub::Schema plain;
  plain.fields.emplace_back("a", hub::Kind::Double, true);
  EXPECT_EQ(to_arrow(schema), plain);
}

TEST(Hub, IntervalStandsBesideUnknownAsParquetJavaWritesIt) {
  Annotation written = Annotation::converted_only(ConvertedType::Interval);
  written.logical = LogicalType::Kind::Unknown;
  EXPECT_EQ(written.meaning(), LogicalType(LogicalType::Kind::Interval));
  written = Annotation::converted_only(ConvertedType::MapKeyValue);
  written.logical = LogicalType::Kind::Unknown;
  EXPECT_EQ(written.meaning(), LogicalType(LogicalType::Kind::MapKeyValue));
  // Of every other ConvertedType the LogicalType says what is meant.
  written = Annotation::converted_only(ConvertedType::Utf8);
  written.logical = LogicalType::Kind::Unknown;
  EXPECT_EQ(written.meaning(), LogicalType(LogicalType::Kind::Unknown));
}

TEST(Hub, NodesComeBackFromArrow) {
  std::vector<const char*> texts(std::begin(kRoundTrips), std::end(kRoundTrips));
  for (const Meaning& row : kMeanings) texts.push_back(row.message);
  for (std::string text : texts) {
    SCOPED_TRACE(text);
    Schema schema(Node::group(Repetition::Required, "schema", {parse_field(text)}));
    for (bool storage : {false, true}) {
      hub::Schema arrow = to_arrow(schema, {.storage = storage});
      FromArrow back = from_arrow(arrow);
      // Keys that may be null are read, and written as the format wants them.
      if (const size_t key = text.find("optional int32 key"); key != std::string::npos) {
        text.replace(key, std::string_view("optional").size(), "required");
        schema = Schema(Node::group(Repetition::Required, "schema", {parse_field(text)}));
        arrow = to_arrow(schema, {.storage = storage});
      }
      EXPECT_TRUE(same_meaning(back.schema, schema))
          << print_message(back.schema) << hub::to_string(arrow);
      for (const hub::Finding& finding : back.findings) {
        EXPECT_NE(finding.rule, "annotation.stale") << finding.lost;
      }
      EXPECT_EQ(to_arrow(back.schema, {.storage = storage}), arrow);
    }
  }
}

struct FromPlain {
  hub::Field field;
  const char* message;
  std::vector<std::string_view> rules = {};
};

hub::Field wkb(std::string_view metadata, hub::Kind storage = hub::Kind::Binary) {
  return hub::with_extension(hub::Field("a", storage), hub::kWkbExtension, metadata);
}

std::vector<FromPlain> from_plain() {
  using hub::Field;
  using hub::Kind;
  using hub::TimeUnit;
  Field item("item", Kind::Int64, false);
  return {
      {.field = Field("a", Kind::Null), .message = "optional int32 a (UNKNOWN);"},
      {.field = Field("a", Kind::Bool), .message = "optional boolean a;"},
      {.field = Field("a", Kind::Int8, false), .message = "required int32 a (INTEGER(8,true));"},
      {.field = Field("a", Kind::Uint32), .message = "optional int32 a (INTEGER(32,false));"},
      {.field = Field("a", Kind::Uint64), .message = "optional int64 a (INTEGER(64,false));"},
      {.field = Field("a", Kind::HalfFloat),
       .message = "optional fixed_len_byte_array(2) a (FLOAT16);"},
      {.field = Field("a", Kind::LargeUtf8),
       .message = "optional binary a (STRING);",
       .rules = {"layout.flattened"}},
      {.field = Field("a", Kind::BinaryView),
       .message = "optional binary a;",
       .rules = {"layout.flattened"}},
      {.field = hub::with_extension(Field("a", Kind::Utf8), "arrow.json"),
       .message = "optional binary a (JSON);"},
      {.field = hub::with_extension(Field("a", hub::fixed_size_binary(16)), "arrow.uuid"),
       .message = "optional fixed_len_byte_array(16) a (UUID);"},
      {.field = hub::with_extension(Field("a", Kind::Int8), "arrow.bool8"),
       .message = "optional int32 a (INTEGER(8,true));",
       .rules = {"extension.unknown"}},
      {.field = wkb(R"({"crs":"OGC:CRS84"})"), .message = "optional binary a (GEOMETRY);"},
      {.field = wkb(R"({"crs":"EPSG:3857"})"),
       .message = "optional binary a (GEOMETRY(EPSG:3857));"},
      {.field = wkb(R"({"crs":"3857","crs_type":"srid"})"),
       .message = "optional binary a (GEOMETRY(srid:3857));"},
      {.field = wkb(R"({"crs":{"id":{"authority":"EPSG","code":3857}}})"),
       .message = R"(optional binary a (GEOMETRY()"
                  R"("{\"id\":{\"authority\":\"EPSG\",\"code\":3857}}"));)"},
      {.field = wkb(R"({"crs":"OGC:CRS84","edges":"spherical"})"),
       .message = "optional binary a (GEOGRAPHY);"},
      {.field = wkb(R"({"crs":"OGC:CRS84","edges":"andoyer"})", Kind::LargeBinary),
       .message = "optional binary a (GEOGRAPHY(,ANDOYER));",
       .rules = {"layout.flattened"}},
      {.field = wkb(""), .message = "optional binary a (GEOMETRY);", .rules = {"crs.assumed"}},
      {.field = wkb(R"({"edges":"round"})"),
       .message = "optional binary a;",
       .rules = {"extension.unknown"}},
      {.field = wkb(R"({"crs":"OGC:CRS84"})", Kind::Utf8),
       .message = "optional binary a (STRING);",
       .rules = {"extension.unknown"}},
      {.field = Field("a", Kind::Date64),
       .message = "optional int32 a (DATE);",
       .rules = {"unit.finer"}},
      {.field = Field("a", hub::time32(TimeUnit::Second)),
       .message = "optional int32 a (TIME(MILLIS,false));",
       .rules = {"unit.finer"}},
      {.field = Field("a", hub::time64(TimeUnit::Nano)),
       .message = "optional int64 a (TIME(NANOS,false));"},
      {.field = Field("a", hub::timestamp(TimeUnit::Second)),
       .message = "optional int64 a (TIMESTAMP(MILLIS,false));",
       .rules = {"unit.finer"}},
      {.field = Field("a", hub::timestamp(TimeUnit::Micro, "Europe/Moscow")),
       .message = "optional int64 a (TIMESTAMP(MICROS,true));",
       .rules = {"zone.dropped"}},
      {.field = Field("a", hub::duration(TimeUnit::Nano)),
       .message = "optional int64 a;",
       .rules = {"type.as-storage"}},
      {.field = Field("a", hub::decimal(128, 20, 4)),
       .message = "optional fixed_len_byte_array(9) a (DECIMAL(20,4));"},
      {.field = Field("a", hub::decimal(32, 9, 9)),
       .message = "optional fixed_len_byte_array(4) a (DECIMAL(9,9));",
       .rules = {"layout.flattened"}},
      {.field = Field("a", hub::decimal(256, 76, 38)),
       .message = "optional fixed_len_byte_array(32) a (DECIMAL(76,38));"},
      {.field = Field("a", hub::list(item)),
       .message = "optional group a (LIST) { repeated group list { required int64 element; } }"},
      {.field = Field("a", hub::list(item, Kind::LargeListView)),
       .message = "optional group a (LIST) { repeated group list { required int64 element; } }",
       .rules = {"layout.flattened"}},
      {.field = Field("a", hub::fixed_size_list(item, 3), false),
       .message = "required group a (LIST) { repeated group list { required int64 element; } }",
       .rules = {"size.lost"}},
      {.field = Field("a", hub::map(Field("k", Kind::Utf8, false), Field("v", Kind::Int32))),
       .message = "optional group a (MAP) { repeated group key_value { required binary key "
                  "(STRING); optional int32 value; } }"},
      {.field = Field("a", hub::dictionary(Kind::Int8, Kind::LargeUtf8)),
       .message = "optional binary a (STRING);",
       .rules = {"layout.flattened", "layout.flattened"}},
      {.field = Field("a", hub::struct_({Field("b", Kind::Int32, true, {{"PARQUET:field_id", "7"}}),
                                         Field("c", Kind::Date32)})),
       .message = "optional group a { optional int32 b = 7; optional int32 c (DATE); }"},
  };
}

TEST(Hub, PlainArrowTypesBecomeTheStandardNodes) {
  for (const FromPlain& row : from_plain()) {
    SCOPED_TRACE(hub::to_string(row.field));
    FromArrow out = from_arrow({{row.field}, {}});
    EXPECT_EQ(print_field(out.schema.columns()[0]), print_field(parse_field(row.message)));
    std::vector<std::string_view> rules;
    for (const hub::Finding& finding : out.findings) rules.push_back(finding.rule);
    EXPECT_EQ(rules, row.rules);
  }
}

TEST(Hub, GeometryIsGeoArrow) {
  const auto metadata_of = [](const char* text) {
    const Schema schema(Node::group(Repetition::Required, "schema", {parse_field(text)}));
    const hub::Field field = to_arrow(schema).fields.front();
    EXPECT_EQ(field.extension_name(), hub::kWkbExtension) << text;
    return std::string(field.extension_metadata());
  };
  EXPECT_EQ(metadata_of("optional binary a (GEOMETRY);"),
            R"({"crs":"OGC:CRS84","crs_type":"authority_code"})");
  EXPECT_EQ(metadata_of("optional binary a (GEOMETRY(srid:5070));"),
            R"({"crs":"5070","crs_type":"srid"})");
  EXPECT_EQ(metadata_of("optional binary a (GEOMETRY(projjson:key));"),
            R"({"crs":"projjson:key"})");
  EXPECT_EQ(metadata_of(R"(optional binary a (GEOMETRY("{\"id\": 1}"));)"),
            R"({"crs":{"id":1},"crs_type":"projjson"})");
  EXPECT_EQ(metadata_of("optional binary a (GEOGRAPHY);"),
            R"({"crs":"OGC:CRS84","crs_type":"authority_code","edges":"spherical"})");
  EXPECT_EQ(metadata_of("optional binary a (GEOGRAPHY(EPSG:4269,THOMAS));"),
            R"({"crs":"EPSG:4269","crs_type":"authority_code","edges":"thomas"})");
}

TEST(Hub, AChangedReferenceSystemIsBelieved) {
  hub::Field field = wkb(R"({"crs":"EPSG:3857"})");
  hub::annotate(field, kSystem, "required binary _ (GEOMETRY(OGC:CRS84));");
  const FromArrow out = from_arrow({{field}, {}});
  EXPECT_EQ(print_field(out.schema.columns()[0]),
            print_field(parse_field("optional binary a (GEOMETRY(EPSG:3857));")));
  ASSERT_EQ(out.findings.size(), 1U);
  EXPECT_EQ(out.findings[0].rule, "annotation.stale");
}

TEST(Hub, TheArrowSchemaOfAFileKeepsTheSpellingOfAReferenceSystem) {
  const Schema schema(Node::group(Repetition::Required, "schema",
                                  {parse_field("optional binary a (GEOMETRY(EPSG:3857));")}));
  const hub::Schema natural = to_arrow(schema);
  const hub::Field same = wkb(R"({"edges": "planar", "crs": "EPSG:3857"})");
  EXPECT_EQ(with_arrow_schema(natural, {{same}, {}}).fields[0].extension_metadata(),
            same.extension_metadata());
  const hub::Field other = wkb(R"({"crs":"EPSG:4326"})");
  EXPECT_EQ(with_arrow_schema(natural, {{other}, {}}), natural);
}

struct Lowered {
  hub::Field field;
  const char* message;
  std::string_view rule;
};

std::vector<Lowered> lowered() {
  using hub::Field;
  using hub::Kind;
  std::vector<Field> alternatives = {Field("i", Kind::Int32, false), Field("s", Kind::Utf8)};
  return {
      {.field = Field("a", Kind::IntervalMonthDayNano),
       .message = "optional fixed_len_byte_array(12) a (INTERVAL);",
       .rule = "range.narrowed"},
      {.field = Field("a", Kind::IntervalMonths),
       .message = "optional fixed_len_byte_array(12) a (INTERVAL);",
       .rule = "range.narrowed"},
      {.field = Field("a", hub::run_end_encoded(Kind::Int32, Field("values", Kind::Utf8))),
       .message = "optional binary a (STRING);",
       .rule = "layout.flattened"},
      {.field = Field("a", hub::union_(alternatives), false),
       .message = "required group a { optional int32 i; optional group s { optional binary value "
                  "(STRING); } }",
       .rule = "union.lowered"},
      {.field = Field("a", hub::fixed_size_binary(0)),
       .message = "optional binary a;",
       .rule = "size.lost"},
      {.field = Field("a", hub::decimal(128, 5, -2)),
       .message = "optional fixed_len_byte_array(4) a (DECIMAL(7,0));",
       .rule = "type.widened"},
  };
}

TEST(Hub, OnlyLoweringMapsWhatParquetLacks) {
  for (const Lowered& row : lowered()) {
    SCOPED_TRACE(hub::to_string(row.field));
    hub::Schema schema{{row.field}, {}};
    EXPECT_THROW(from_arrow(schema), Error);
    FromArrow out = hub::lower_and_map(schema, kCapabilities, from_arrow);
    EXPECT_EQ(print_field(out.schema.columns()[0]), print_field(parse_field(row.message)));
    ASSERT_FALSE(out.findings.empty());
    EXPECT_EQ(out.findings[0].rule, row.rule);
  }
  hub::Schema empty{{hub::Field("a", hub::struct_({}))}, {}};
  EXPECT_THROW(from_arrow(empty), Error);
  EXPECT_THROW(hub::lower_and_map(empty, kCapabilities, from_arrow), Error);
}

TEST(Hub, StaleAnnotationsAreIgnoredAndNamed) {
  Schema schema(Node::group(
      Repetition::Required, "schema",
      {parse_field("optional group l (LIST) { repeated int32 array; }"),
       parse_field("required int32 d (DECIMAL(9,2));"), parse_field("repeated int32 r;")}));
  hub::Schema arrow = to_arrow(schema);
  // Others made the items nullable, the decimal wider and the repeated column optional.
  arrow.fields[0].type = hub::list(hub::Field("array", hub::Kind::Int32, true));
  arrow.fields[1].type = hub::decimal(128, 20, 2);
  arrow.fields[2].nullable = true;
  FromArrow out = from_arrow(arrow);
  ASSERT_EQ(out.findings.size(), 3u);
  for (const hub::Finding& finding : out.findings) EXPECT_EQ(finding.rule, "annotation.stale");
  EXPECT_EQ(print_message(out.schema),
            print_message(parse_message(
                "message schema { optional group l (LIST) { repeated group list { optional int32 "
                "element; } } required fixed_len_byte_array(9) d (DECIMAL(20,2)); optional group r "
                "(LIST) { repeated group list { required int32 element; } } }")));
}

struct Malformed {
  const char* message;
  const char* path;
  const char* text;
};

const Malformed kMalformed[] = {
    {.message = "optional group l (LIST) { repeated int32 a; repeated int32 b; }",
     .path = "l",
     .text = "expected a LIST group with one field, found 2"},
    {.message = "optional group l (LIST) { optional int32 a; }",
     .path = "l",
     .text = "to be repeated, found optional"},
    {.message = "repeated group l (LIST) { repeated group list { optional int32 element; } }",
     .path = "l",
     .text = "required or optional, found repeated"},
    {.message = "optional group l (LIST) { repeated group e { } }",
     .path = "l",
     .text = "to have a field"},
    {.message = "optional group m (MAP) { repeated group kv { required int32 key; optional int32 "
                "value; optional int32 extra; } }",
     .path = "m",
     .text = "found 3 fields"},
    {.message = "optional group m (MAP) { repeated group kv { required int32 key; repeated int32 "
                "value; } }",
     .path = "m",
     .text = "the value of a MAP to be required or optional"},
    {.message = "optional group m (MAP) { repeated int32 key; }",
     .path = "m",
     .text = "to be a repeated group"},
    {.message = "optional group s { repeated group m (MAP) { repeated group kv { required int32 "
                "key; } } }",
     .path = "s.m",
     .text = "required or optional, found repeated"},
};

TEST(Hub, MalformedGroupsAreRefusedWithTheirPath) {
  for (const Malformed& row : kMalformed) {
    SCOPED_TRACE(row.message);
    Schema schema(Node::group(Repetition::Required, "m", {parse_field(row.message)}));
    try {
      to_arrow(schema);
      ADD_FAILURE() << "accepted";
    } catch (const Error& error) {
      EXPECT_EQ(error.place().path.text(), row.path);
      EXPECT_NE(error.message().find(row.text), std::string::npos) << error.message();
    }
  }
}

TEST(Hub, AnotherWritersArrowSchemaIsApplied) {
  using hub::Field;
  using hub::Kind;
  using hub::TimeUnit;
  hub::Schema written{
      {Field("a", hub::timestamp(TimeUnit::Micro, "Europe/Moscow"), true, {{"k", "v"}}),
       Field("b", hub::duration(TimeUnit::Milli)), Field("c", Kind::LargeUtf8),
       Field("d", hub::fixed_size_list(Field("item", Kind::Utf8View), 2)),
       Field("e", hub::dictionary(Kind::Int8, Kind::Utf8)),
       Field("f", hub::timestamp(TimeUnit::Second)), Field("g", hub::decimal(64, 12, 2)),
       Field("h", hub::map(Field("key", Kind::Utf8, false), Field("value", Kind::Date64), true)),
       hub::with_extension(Field("i", Kind::Int8), "arrow.bool8"), Field("j", Kind::Utf8)},
      {{"pandas", "{}"}}};
  FromArrow out = from_arrow(written);
  hub::Schema restored = with_arrow_schema(to_arrow(out.schema), written);
  // A list's item is named as the file names it.
  written.fields[3].type = hub::fixed_size_list(Field("element", Kind::Utf8View), 2);
  EXPECT_EQ(restored, written) << hub::to_string(restored);

  // A schema of another shape says nothing; of another type, nothing about that column.
  hub::Schema natural = to_arrow(out.schema);
  hub::Schema fewer = written;
  fewer.fields.pop_back();
  EXPECT_EQ(with_arrow_schema(natural, fewer), natural);
  hub::Schema other = written;
  other.fields[9] = hub::with_extension(Field("j", Kind::Int64), "x.y");
  EXPECT_EQ(with_arrow_schema(natural, other).fields[9], natural.fields[9]);

  // arrow-rs stores seconds and Date64 as integers without an annotation, in lists as well.
  const Schema bare =
      parse_message(R"(message m { optional int64 a; optional int64 b; optional int32 c;
      optional group d (LIST) { repeated group list { optional int64 element; } }
      optional int64 e; })");
  hub::Schema meant{{Field("a", hub::timestamp(TimeUnit::Second, "UTC")), Field("b", Kind::Date64),
                     Field("c", hub::time32(TimeUnit::Second)),
                     Field("d", hub::list(Field("element", hub::timestamp(TimeUnit::Second)))),
                     Field("e", hub::timestamp(TimeUnit::Milli))},
                    {}};
  const hub::Schema integers = to_arrow(bare);
  const hub::Schema found = with_arrow_schema(integers, meant);
  for (size_t i = 0; i < meant.fields.size(); ++i) {
    EXPECT_EQ(found.fields[i].type, i < 4 ? meant.fields[i].type : integers.fields[i].type) << i;
  }
}

}  // namespace
}  // namespace xwalk::parquet
