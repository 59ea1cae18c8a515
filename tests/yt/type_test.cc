#include "xwalk/yt/type.h"

#include <gtest/gtest.h>

#include "xwalk/base/error.h"
#include "xwalk/yt/forms.h"
#include "xwalk/yt/schema.h"
#include "xwalk/yt/short_notation.h"

namespace xwalk::yt {
namespace {

TEST(Type, EverySimpleTypeHasBothSpellings) {
  for (int i = 0; i < kSimpleTypeCount; ++i) {
    auto kind = static_cast<TypeKind>(i);
    EXPECT_EQ(simple_kind(kind_name(kind)), kind);
    EXPECT_EQ(kind_of_v1_name(v1_name(kind)), kind);
    Type type(kind);
    EXPECT_EQ(parse_type(print_type_yson(type)), type);
    EXPECT_EQ(parse_type_short(print_short(type)), type);
  }
  EXPECT_EQ(v1_name(TypeKind::Bool), "boolean");
  EXPECT_EQ(v1_name(TypeKind::Yson), "any");
  EXPECT_FALSE(kind_of_v1_name("bool"));
  EXPECT_FALSE(kind_of_v1_name("yson"));
  EXPECT_FALSE(kind_of_v1_name("optional"));
  EXPECT_FALSE(simple_kind("boolean"));
  EXPECT_FALSE(simple_kind("Int64"));
}

struct PropertyCase {
  const char* type;
  const char* v1;
  bool required;
  PhysicalType physical;
  int64_t complexity;
  bool pure;
  bool key;
};

TEST(Type, Properties) {
  const PropertyCase cases[] = {
      {"Int8", "int8", true, PhysicalType::Int64, 1, true, true},
      {"Date", "date", true, PhysicalType::Uint64, 1, true, true},
      {"Interval64?", "interval64", false, PhysicalType::Int64, 1, true, true},
      {"Any?", "any", false, PhysicalType::Any, 1, true, true},
      {"Any??", "any", false, PhysicalType::Composite, 2, false, false},
      {"Json?", "json", false, PhysicalType::String, 1, true, false},
      {"Decimal(3,2)?", "string", false, PhysicalType::String, 2, false, true},
      {"Null?", "any", false, PhysicalType::Composite, 1, false, true},
      {"Tagged<Int64?,'x'>", "int64", false, PhysicalType::Int64, 2, true, true},
      {"Tagged<Int64,'x'>?", "int64", false, PhysicalType::Int64, 3, true, true},
      {"List<Int64>", "any", true, PhysicalType::Composite, 2, false, true},
      {"List<Json>", "any", true, PhysicalType::Composite, 2, false, false},
      {"Dict<Int64,List<Utf8>>", "any", true, PhysicalType::Composite, 4, false, false},
      {"Tuple<Int64,Utf8?>", "any", true, PhysicalType::Composite, 3, false, true},
      {"Variant<'a':Int64>?", "any", false, PhysicalType::Composite, 3, false, false},
      {"Variant<Int64>", "any", true, PhysicalType::Composite, 2, false, true},
      {"Struct<>", "any", true, PhysicalType::Composite, 1, false, false},
  };
  for (const PropertyCase& c : cases) {
    Type type = parse_type_short(c.type);
    EXPECT_EQ(v1_name(to_v1(type).type), c.v1) << c.type;
    EXPECT_EQ(to_v1(type).required, c.required) << c.type;
    EXPECT_EQ(physical_type(type), c.physical) << c.type;
    EXPECT_EQ(complexity(type), c.complexity) << c.type;
    EXPECT_EQ(is_pure_v1(type), c.pure) << c.type;
    EXPECT_EQ(can_be_key_column(type), c.key) << c.type;
  }
}

TEST(Type, V1FormsBecomeTypes) {
  EXPECT_EQ(from_v1(TypeKind::Int64, true), Type(TypeKind::Int64));
  EXPECT_EQ(from_v1(TypeKind::Int64, false), optional(TypeKind::Int64));
  EXPECT_EQ(from_v1(TypeKind::Null, false), Type(TypeKind::Null));
  EXPECT_EQ(from_v1(TypeKind::Void, false), Type(TypeKind::Void));
  for (TypeKind kind : {TypeKind::Null, TypeKind::Void, TypeKind::Yson}) {
    EXPECT_THROW(from_v1(kind, true), Error);
  }
}

TEST(Type, EqualitySeesTagsAndStableNames) {
  EXPECT_FALSE(tagged("a", TypeKind::Int64) == tagged("b", TypeKind::Int64));
  EXPECT_FALSE(struct_({{"a", TypeKind::Int64}}) == struct_({{"a", TypeKind::Int64, "s"}}));
  EXPECT_FALSE(struct_({{"a", TypeKind::Int64}}) == struct_({{"a", TypeKind::Int64}}, {"gone"}));
  EXPECT_FALSE(variant_of({TypeKind::Int64}) == tuple({TypeKind::Int64}));
  EXPECT_FALSE(variant({}) == variant_of({}));
  EXPECT_EQ(decimal(3, 2), decimal(3, 2));
}

struct RangeCase {
  TypeKind kind;
  int64_t min;
  uint64_t max;
};

TEST(Ranges, OfEveryIntegralType) {
  // "Primitive types" of the specification, by its own formulas.
  const int64_t day = 86400;
  const int64_t micro = 1'000'000;
  const RangeCase cases[] = {
      {TypeKind::Int8, -128, 127},
      {TypeKind::Int16, -32768, 32767},
      {TypeKind::Int32, -2147483648LL, 2147483647},
      {TypeKind::Int64, INT64_MIN, INT64_MAX},
      {TypeKind::Uint8, 0, 255},
      {TypeKind::Uint16, 0, 65535},
      {TypeKind::Uint32, 0, 4294967295},
      {TypeKind::Uint64, 0, UINT64_MAX},
      {TypeKind::Date, 0, 49673 - 1},
      {TypeKind::Datetime, 0, static_cast<uint64_t>(49673 * day - 1)},
      {TypeKind::Timestamp, 0, static_cast<uint64_t>(49673 * day * micro - 1)},
      {TypeKind::Interval, -49673 * day * micro + 1,
       static_cast<uint64_t>(49673 * day * micro - 1)},
      {TypeKind::Date32, -53375809, 53375807},
      {TypeKind::Datetime64, -53375809 * day, static_cast<uint64_t>(53375808 * day - 1)},
      {TypeKind::Timestamp64, -53375809 * day * micro,
       static_cast<uint64_t>(53375808 * day * micro - 1)},
      {TypeKind::Interval64, -9223339708800000000, 9223339708800000000},
      {TypeKind::TzDate, 0, 49672},
      {TypeKind::TzTimestamp64, -53375809 * day * micro,
       static_cast<uint64_t>(53375808 * day * micro - 1)},
  };
  for (const RangeCase& c : cases) {
    IntegerRange range = integer_range(c.kind);
    EXPECT_EQ(range.min, c.min) << kind_name(c.kind);
    EXPECT_EQ(range.max, c.max) << kind_name(c.kind);
    EXPECT_TRUE(range.contains(c.min));
    EXPECT_TRUE(range.contains(c.max));
    if (c.min > INT64_MIN) {
      EXPECT_FALSE(range.contains(c.min - 1)) << kind_name(c.kind);
    }
    if (c.max < UINT64_MAX) {
      EXPECT_FALSE(range.contains(c.max + 1)) << kind_name(c.kind);
    }
  }
}

}  // namespace
}  // namespace xwalk::yt
