#include <gtest/gtest.h>

#include "xwalk/base/error.h"
#include "xwalk/base/hex.h"
#include "xwalk/parquet/file.h"
#include "xwalk/parquet/schema.h"

namespace xwalk::parquet {
namespace {

using Kind = LogicalType::Kind;

TEST(Elements, ComeBackAsTheyWereWritten) {
  const char* kTexts[] = {
      "message m { optional group l (LIST) = 1 { repeated group list = 2 { optional int32 element "
      "= 3; } } required int32 z = 0; optional int32 neg = -5; }",
      "message m { required int32 a (INT_8); required int32 b (INTEGER(8,false)); required int64 c "
      "(TIMESTAMP(NANOS,false)); required int64 d (TIME_MICROS); }",
      "message m { required binary g (GEOGRAPHY(a,KARNEY)); required binary h (GEOMETRY(\"x y\")); "
      "required group v (VARIANT(1)) { required binary metadata; } required group f (FILE) { } }",
      "message m { required fixed_len_byte_array(6) d (DECIMAL(9,2)); required binary e "
      "(DECIMAL(100,0)); required fixed_len_byte_array(12) i (INTERVAL); required int32 n "
      "(UNKNOWN); required int32 t (DATE); }",
      "message m { }",
  };
  for (const char* text : kTexts) {
    SCOPED_TRACE(text);
    Schema schema = parse_message(text);
    std::string bytes = write_schema_elements(schema);
    EXPECT_EQ(read_schema_elements(bytes), schema);
    EXPECT_EQ(write_schema_elements(read_schema_elements(bytes)), bytes);
  }
}

TEST(Elements, WriteBothAnnotationsWithScaleAndPrecision) {
  Schema schema(Node::group(Repetition::Required, "m",
                            {Node::primitive(Repetition::Required, PhysicalType::Int32, "a",
                                             LogicalType::decimal(5, 0))}));
  Schema back = read_schema_elements(write_schema_elements(schema));
  const Annotation& annotation = back.columns()[0].annotation();
  EXPECT_EQ(annotation.logical, LogicalType::decimal(5, 0));
  EXPECT_EQ(annotation.converted, static_cast<int32_t>(ConvertedType::Decimal));
  EXPECT_EQ(annotation.precision, 5);
  EXPECT_EQ(annotation.scale, 0);
}

struct Hostile {
  const char* hex;
  const char* message;
};

// 0x2c is a list of two structs; an element is fields 3 repetition, 4 name, 5 num_children.
const Hostile kHostile[] = {
    {.hex = "", .message = "expected a byte"},
    {.hex = "0c", .message = "expected a list of schema elements"},
    {.hex = "fcffffffff0f", .message = "expected 4294967295 list items"},
    {.hex = "1c48016d1502"
            "00",
     .message = "expected 1 children of \"m\", found 0"},
    {.hex = "2c48016d15020048016e150200", .message = "found 0 elements left"},
    {.hex = "1c48016d15feffffff0f00", .message = "found 0 elements left"},
    {.hex = "1c48016d150100", .message = "expected a number of children, found -1"},
    {.hex = "2c48016d15000048016e00", .message = "expected 1 schema elements, found 2"},
    {.hex = "1c1502250018016d00", .message = "expected a group as the schema's root"},
    {.hex = "1c480a6d", .message = "expected 10 bytes, found 1"},
    {.hex = "1c1500"
            "00",
     .message = "expected a schema element with a name"},
    {.hex = "1c48016d158080808080808080808000", .message = "expected a number"},
    {.hex = "2c48016d15020015203502"
            "18016e00",
     .message = "newer than this version"},
    {.hex = "2c48016d150200150225"
            "0618016e00",
     .message = "expected repetition from 0 to 2"},
};

TEST(Elements, RefuseHostileBytes) {
  for (const Hostile& row : kHostile) {
    SCOPED_TRACE(row.hex);
    try {
      read_schema_elements(from_hex(row.hex));
      ADD_FAILURE() << "accepted";
    } catch (const Error& error) {
      EXPECT_NE(error.message().find(row.message), std::string::npos) << error.message();
    }
  }
  // Deep nesting of unknown structs: ends in an error, not in a stack overflow.
  std::string deep = from_hex("1c48016dbc");
  deep.append(1 << 20, '\x1c');
  EXPECT_THROW(read_schema_elements(deep), Error);
}

TEST(Elements, TruncatedAnywhereIsAnError) {
  std::string bytes = write_schema_elements(
      parse_message("message m { required int64 t (TIMESTAMP(MICROS,true)) = 4; optional group v "
                    "(VARIANT(1)) { required binary metadata; } }"));
  for (size_t size = 0; size < bytes.size(); ++size) {
    EXPECT_THROW(read_schema_elements(std::string_view(bytes).substr(0, size)), Error) << size;
  }
}

TEST(Footer, HasEachFieldOnce) {
  std::string footer = empty_footer(parse_message("message m { required int32 a; }"));
  EXPECT_NO_THROW(parse_footer(footer));
  // A second list of row groups, of none.
  footer.pop_back();
  footer += std::string("\x09\x08\x0c\x00", 4);
  EXPECT_THROW(parse_footer(footer), Error);
}

TEST(Footer, WithFieldsAsDeepAsAllowedIsWrittenAgain) {
  // An unknown field of the only column is 64 lists, each in the other.
  const std::string lists = std::string(63, '\x19') + '\x03';
  const std::string footer = from_hex("1502192c48016d15020015022500180161b9") + lists +
                             from_hex("00") + from_hex("1600190c00");
  const Footer parsed = parse_footer(footer);
  const std::string written = replace_schema(footer, parsed.schema, {{"a", "b"}});
  EXPECT_EQ(parse_footer(written).find("a"), "b");
}

TEST(Elements, KeepWhatTheyDoNotKnow) {
  // A column with an unknown field 20 (binary "xy") and the LogicalType 99 of the future.
  std::string future = from_hex(
      "0c"
      "c601"
      "00"
      "00");
  std::string bytes = from_hex(
                          "2c48016d1502001502250018"
                          "0174"
                          "6c") +
                      future +
                      from_hex(
                          "a8"
                          "027879"
                          "00");
  Schema schema = read_schema_elements(bytes);
  const Node& column = schema.columns()[0];
  EXPECT_TRUE(column.logical().is(Kind::Future));
  EXPECT_EQ(column.logical().future_id(), 99);
  ASSERT_EQ(column.data().unknown.size(), 1u);
  EXPECT_EQ(column.data().unknown[0].id, 20);
  EXPECT_EQ(write_schema_elements(schema), bytes);
  // Message text keeps the annotation too.
  Node again = parse_field(print_field(column));
  EXPECT_TRUE(same_meaning(again, column)) << print_field(column);
}

TEST(Elements, LogicalTypeWinsOverConvertedType) {
  Annotation both;
  both.logical = LogicalType::timestamp(TimeUnit::Micros, false);
  both.converted = static_cast<int32_t>(ConvertedType::TimestampMillis);
  EXPECT_EQ(both.meaning(), LogicalType::timestamp(TimeUnit::Micros, false));
  EXPECT_EQ(Annotation::converted_only(ConvertedType::TimestampMicros).meaning(),
            LogicalType::timestamp(TimeUnit::Micros, true));
  EXPECT_EQ(Annotation::converted_only(ConvertedType::Decimal, 5).meaning(),
            LogicalType::decimal(5, 0));
}

TEST(Decimal, PrecisionOfEveryLength) {
  const int32_t kPrecisions[] = {0, 2, 4, 6, 9, 11, 14, 16, 18, 21, 23, 26, 28, 31, 33, 35, 38, 40};
  for (int32_t bytes = 0; bytes < 18; ++bytes) {
    EXPECT_EQ(max_decimal_precision(bytes), kPrecisions[bytes]) << bytes;
  }
  EXPECT_EQ(max_decimal_precision(32), 76);
  EXPECT_EQ(max_decimal_precision(33), 79);
  for (int32_t precision = 1; precision < 3000; ++precision) {
    int32_t bytes = min_decimal_bytes(precision);
    EXPECT_GE(max_decimal_precision(bytes), precision);
    EXPECT_LT(max_decimal_precision(bytes - 1), precision);
  }
}

// A draft of the format had NULL, which parquet-cpp up to 1.5 wrote one number lower.
TEST(Elements, NullOfADraftIsUnknown) {
  for (const int32_t number : {24, 25}) {
    Annotation annotation;
    annotation.converted = number;
    const Node node =
        Node::primitive(Repetition::Optional, PhysicalType::Int32, "a", std::move(annotation));
    EXPECT_TRUE(node.logical().is(LogicalType::Kind::Unknown)) << number;
  }
  Annotation newer;
  newer.converted = 26;
  const Node node =
      Node::primitive(Repetition::Optional, PhysicalType::Int32, "a", std::move(newer));
  EXPECT_TRUE(node.logical().is(LogicalType::Kind::None));
}

}  // namespace
}  // namespace xwalk::parquet
