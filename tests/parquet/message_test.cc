#include <gtest/gtest.h>

#include "xwalk/base/error.h"
#include "xwalk/parquet/schema.h"

namespace xwalk::parquet {
namespace {

struct Printed {
  const char* field;
  const char* canonical;
};

// Every annotation, in the spellings that parquet-java and arrow-rs take, and as parquet-java
// prints it.
const Printed kPrinted[] = {
    {.field = "required boolean a;", .canonical = "required boolean a;"},
    {.field = "OPTIONAL INT32 a;", .canonical = "optional int32 a;"},
    {.field = "repeated int64 a = 7;", .canonical = "repeated int64 a = 7;"},
    {.field = "required int96 a = 0;", .canonical = "required int96 a = 0;"},
    {.field = "required float a = -5;", .canonical = "required float a = -5;"},
    {.field = "required double a;", .canonical = "required double a;"},
    {.field = "required BYTE_ARRAY a (UTF8);", .canonical = "required binary a (STRING);"},
    {.field = "required binary a.b:c-d (string);",
     .canonical = "required binary a.b:c-d (STRING);"},
    {.field = "required\tbinary\na(ENUM)=3;", .canonical = "required binary a (ENUM) = 3;"},
    {.field = "required binary a (JSON);", .canonical = "required binary a (JSON);"},
    {.field = "required binary a (BSON);\r\n", .canonical = "required binary a (BSON);"},
    {.field = "required binary a (GEOMETRY);", .canonical = "required binary a (GEOMETRY);"},
    {.field = "required binary a (GEOMETRY(srid:5070));",
     .canonical = "required binary a (GEOMETRY(srid:5070));"},
    {.field = "required binary a (GEOGRAPHY(OGC:CRS84,KARNEY));",
     .canonical = "required binary a (GEOGRAPHY(OGC:CRS84,KARNEY));"},
    {.field = "required binary a (GEOGRAPHY(VINCENTY, OGC:CRS84));",
     .canonical = "required binary a (GEOGRAPHY(OGC:CRS84,VINCENTY));"},
    // A coordinate reference system may have the name of an algorithm.
    {.field = "required binary a (GEOGRAPHY(SPHERICAL,KARNEY));",
     .canonical = R"(required binary a (GEOGRAPHY("KARNEY",SPHERICAL));)"},
    {.field = R"(required binary a (GEOGRAPHY("karney"));)",
     .canonical = R"(required binary a (GEOGRAPHY("karney"));)"},
    {.field = R"(required binary a (GEOMETRY("{\"type\": 1}"));)",
     .canonical = R"(required binary a (GEOMETRY("{\"type\": 1}"));)"},
    {.field = "required int32 a (INT_8);", .canonical = "required int32 a (INTEGER(8,true));"},
    {.field = "required int32 a (UINT_32);", .canonical = "required int32 a (INTEGER(32,false));"},
    {.field = "required int64 a (INTEGER(64, true));",
     .canonical = "required int64 a (INTEGER(64,true));"},
    {.field = "required int32 a (DATE);", .canonical = "required int32 a (DATE);"},
    {.field = "required int32 a (TIME_MILLIS);",
     .canonical = "required int32 a (TIME(MILLIS,true));"},
    {.field = "required int64 a (TIME(NANOS,false));",
     .canonical = "required int64 a (TIME(NANOS,false));"},
    {.field = "required int64 a (TIMESTAMP_MICROS);",
     .canonical = "required int64 a (TIMESTAMP(MICROS,true));"},
    {.field = "required fixed_len_byte_array(12) a (TIMESTAMP(NANOS,false));",
     .canonical = "required fixed_len_byte_array(12) a (TIMESTAMP(NANOS,false));"},
    {.field = "required int32 a (DECIMAL(9,9));", .canonical = "required int32 a (DECIMAL(9,9));"},
    {.field = "required int32 a (DECIMAL(9));", .canonical = "required int32 a (DECIMAL(9,0));"},
    {.field = "required binary a (DECIMAL(1000,2));",
     .canonical = "required binary a (DECIMAL(1000,2));"},
    {.field = "required fixed_len_byte_array(12) a (INTERVAL);",
     .canonical = "required fixed_len_byte_array(12) a (INTERVAL);"},
    {.field = "required fixed_len_byte_array(16) a (UUID);",
     .canonical = "required fixed_len_byte_array(16) a (UUID);"},
    {.field = "required fixed_len_byte_array(2) a (FLOAT16);",
     .canonical = "required fixed_len_byte_array(2) a (FLOAT16);"},
    {.field = "optional binary a (UNKNOWN);", .canonical = "optional binary a (UNKNOWN);"},
    {.field = "required double a columnorder(IEEE_754_TOTAL_ORDER) = 1;",
     .canonical = "required double a columnorder(IEEE_754_TOTAL_ORDER) = 1;"},
    {.field = R"(required int32 "a b" = 1;)", .canonical = R"(required int32 "a b" = 1;)"},
    {.field = R"(required int32 "\"\\" = 1;)", .canonical = R"(required int32 "\"\\" = 1;)"},
    {.field = R"(required int32 "";)", .canonical = R"(required int32 "";)"},
    {.field = "optional group a {}", .canonical = "optional group a {\n}"},
    {.field = "optional group a (VARIANT(1)) = 2 {required binary metadata;}",
     .canonical = "optional group a (VARIANT(1)) = 2 {\n  required binary metadata;\n}"},
    {.field = "optional group a (FILE) {optional binary uri (STRING);}",
     .canonical = "optional group a (FILE) {\n  optional binary uri (STRING);\n}"},
    {.field = "optional group m (MAP_KEY_VALUE) { repeated group map { required int32 k; } }",
     .canonical = "optional group m (MAP_KEY_VALUE) {\n  repeated group map {\n"
                  "    required int32 k;\n  }\n}"},
    // The specification's own example: comments, and "};" after a group.
    {.field = "// List<String>\noptional group my_list (LIST) {\n  repeated group element {\n"
              "    required binary str (UTF8);\n  };\n}",
     .canonical = "optional group my_list (LIST) {\n  repeated group element {\n"
                  "    required binary str (STRING);\n  }\n}"},
};

TEST(Message, PrintsFieldsCanonically) {
  for (const Printed& row : kPrinted) {
    SCOPED_TRACE(row.field);
    try {
      Node node = parse_field(row.field);
      EXPECT_EQ(print_field(node), std::string(row.canonical) + "\n");
      EXPECT_TRUE(same_meaning(parse_field(print_field(node)), node));
    } catch (const Error& error) {
      ADD_FAILURE() << error.describe();
    }
  }
}

struct Refused {
  const char* text;
  const char* message;
  uint64_t line;
  uint64_t column;
};

const Refused kRefused[] = {
    {.text = "", .message = "a schema that begins with 'message'", .line = 1, .column = 1},
    {.text = "message m {",
     .message = "required, optional, repeated or '}'",
     .line = 1,
     .column = 12},
    {.text = "message m {\n  required int32 a\n}",
     .message = "';' after a field",
     .line = 3,
     .column = 1},
    {.text = "message m { required int128 a; }",
     .message = "group or a primitive type",
     .line = 1,
     .column = 22},
    {.text = "message m { int32 a; }",
     .message = "required, optional, repeated",
     .line = 1,
     .column = 13},
    {.text = "message m { required int32 a (INT(8,true)); }",
     .message = "expected an annotation",
     .line = 1,
     .column = 31},
    {.text = "message m { required int64 a (TIMESTAMP(MILLIS)); }",
     .message = "adjusted to UTC",
     .line = 1,
     .column = 47},
    {.text = "message m { required int64 a (TIMESTAMP(PICOS,true)); }",
     .message = "MILLIS, MICROS or NANOS",
     .line = 1,
     .column = 41},
    {.text = "message m { required int64 a (DECIMAL); }",
     .message = "precision and scale",
     .line = 1,
     .column = 38},
    {.text = "message m { required int32 a (DECIMAL(10,2)); }",
     .message = "expected a precision of at most 9 on int32, found 10",
     .line = 1,
     .column = 30},
    {.text = "message m { required int32 a (DECIMAL(4,5)); }",
     .message = "expected a scale",
     .line = 1,
     .column = 30},
    {.text = "message m { required int32 a (DECIMAL(0,0)); }",
     .message = "expected a precision of 1 or more",
     .line = 1,
     .column = 30},
    {.text = "message m { required int32 a (INTEGER(24,true)); }",
     .message = "INTEGER of 8, 16, 32 or 64 bits, found 24",
     .line = 1,
     .column = 30},
    {.text = "message m { required int64 a (INT_8); }",
     .message = "INTEGER(8,true) to annotate int32, found it on int64",
     .line = 1,
     .column = 30},
    {.text = "message m { required fixed_len_byte_array(3) s (UTF8); }",
     .message = "STRING to annotate binary, found it on fixed_len_byte_array(3)",
     .line = 1,
     .column = 48},
    {.text = "message m { required fixed_len_byte_array(15) s (UUID); }",
     .message = "UUID to annotate fixed_len_byte_array(16)",
     .line = 1,
     .column = 49},
    {.text = "message m { required fixed_len_byte_array(0) s; }",
     .message = "expected a length of 1 or more, found \"0\"",
     .line = 1,
     .column = 43},
    {.text = "message m { required fixed_len_byte_array s; }",
     .message = "the length",
     .line = 1,
     .column = 43},
    {.text = "message m { required binary s (LIST); }",
     .message = "LIST to annotate a group",
     .line = 1,
     .column = 31},
    {.text = "message m { required group s (UTF8) { } }",
     .message = "found it on a group",
     .line = 1,
     .column = 30},
    {.text = "message m { required int32 a = x; }",
     .message = "a field id",
     .line = 1,
     .column = 32},
    {.text = "message m { required int32 a; } x",
     .message = "the end of the schema",
     .line = 1,
     .column = 33},
    {.text = "message m { required int32 \"a; }",
     .message = "a closing quote",
     .line = 1,
     .column = 28},
    {.text = "message m { required int64 t (FUTURE(1c0000)); }",
     .message = "a newer type",
     .line = 1,
     .column = 31},
};

TEST(Message, RefusesWithLineAndColumn) {
  for (const Refused& row : kRefused) {
    SCOPED_TRACE(row.text);
    try {
      parse_message(row.text);
      ADD_FAILURE() << "accepted";
    } catch (const Error& error) {
      EXPECT_NE(error.message().find(row.message), std::string::npos) << error.message();
      EXPECT_EQ(error.place().line, row.line);
      EXPECT_EQ(error.place().column, row.column);
    }
  }
}

TEST(Message, LimitsNesting) {
  auto nested = [](int depth) {
    std::string text = "message m {";
    for (int i = 0; i < depth; ++i) text += "required group g {";
    text += "required int32 x;";
    for (int i = 0; i < depth; ++i) text += "}";
    return text + "}";
  };
  EXPECT_NO_THROW(parse_message(nested(255)));
  EXPECT_THROW(parse_message(nested(256)), Error);
  EXPECT_THROW(parse_message(nested(100000)), Error);
}

TEST(Message, NamesOfConvertedTypesStandForThatFormAlone) {
  EXPECT_EQ(parse_annotation("UTF8"), Annotation::converted_only(ConvertedType::Utf8));
  EXPECT_EQ(parse_annotation("STRING"), Annotation(LogicalType::Kind::String));
  EXPECT_EQ(parse_annotation("DECIMAL(9,2)"), Annotation(LogicalType::decimal(9, 2)));
  EXPECT_EQ(parse_annotation("INTERVAL"), Annotation::converted_only(ConvertedType::Interval));
}

}  // namespace
}  // namespace xwalk::parquet
