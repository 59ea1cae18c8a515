#include "xwalk/crosswalk/value_condition.h"

#include <cstring>

#include <gtest/gtest.h>

#include "tests/hub/values.h"
#include "xwalk/crosswalk/reader_values.h"
#include "xwalk/crosswalk/readers.h"
#include "xwalk/parquet/module.h"

namespace xwalk::crosswalk {
namespace {

using hub::Field;
using hub::Kind;
using hub::testing::items;
using hub::testing::Value;
using Which = ValueCondition::Kind;

/// The 12 bytes of three numbers, as in INTERVAL, or of an INT96.
std::string stored(uint32_t a, uint32_t b, uint32_t c) {
  const uint32_t parts[] = {a, b, c};
  return {reinterpret_cast<const char*>(parts), sizeof(parts)};
}

const hub::Type& twelve_bytes() {
  static const hub::Type kType = hub::fixed_size_binary(12);
  return kType;
}

TEST(ValueConditionTest, SaysWhichValuesInWords) {
  EXPECT_EQ((ValueCondition{Which::TimeOutside, INT64_MIN, INT64_MAX}.text()),
            "times outside the years 1677 to 2262");
  EXPECT_EQ((ValueCondition{Which::FinerThan, 1000}.text()), "parts finer than microseconds");
  EXPECT_EQ((ValueCondition{Which::NumberOutside, 0, 7}.text()), "numbers outside 0 to 7");
  EXPECT_EQ(kDigitsOfDouble.text(), "digits after the first 15");
}

TEST(ValueConditionTest, JudgesValuesOfEveryForm) {
  struct Case {
    ValueCondition condition;
    hub::Type type;
    Value value;
    bool met;
  };
  const hub::Type micros = hub::timestamp(hub::TimeUnit::Micro);
  const hub::Type nanos = hub::timestamp(hub::TimeUnit::Nano);
  const ValueCondition far{Which::TimeOutside, INT64_MIN, INT64_MAX};
  const ValueCondition fine{Which::FinerThan, 1000};
  const Case cases[] = {
      {far, micros, Value(INT64_MAX / 1000), false},
      {far, micros, Value(INT64_MAX / 1000 + 1), true},
      {far, micros, Value(INT64_MIN / 1000 - 1), true},
      // The first instant of 1970, and one of the year 1.
      {far, twelve_bytes(), Value(stored(0, 0, 2'440'588)), false},
      {far, twelve_bytes(), Value(stored(0, 0, 1'721'426)), true},
      {fine, nanos, Value(2000), false},
      {fine, nanos, Value(-1), true},
      {fine, twelve_bytes(), Value(stored(1, 0, 2'440'588)), true},
      {{Which::DayOutside, 0, Int128{86'400'000'000'000}},
       hub::Type(Kind::Date32),
       Value(1),
       false},
      {{Which::DayOutside, 0, Int128{86'400'000'000'000}}, hub::Type(Kind::Date32), Value(2), true},
      {{Which::NumberOutside, 0, 7}, hub::Type(Kind::Int8), Value(-1), true},
      {{Which::NumberOutside, 0, 7}, hub::Type(Kind::Uint64), Value(7), false},
      {kDigitsOfDouble, hub::decimal(128, 38, 2), Value(int64_t{1234567890123456}), true},
      {kDigitsOfDouble, hub::decimal(128, 38, 2), Value(int64_t{-123456789012345000}), false},
      {{Which::NotAnObject}, hub::Type(Kind::Utf8), Value(" {\"a\":1}"), false},
      {{Which::NotAnObject}, hub::Type(Kind::Utf8), Value("[{}]"), true},
      {{Which::HalfSurrogate}, hub::Type(Kind::Utf8), Value("\"\\ud83d\\ude00\""), false},
      {{Which::HalfSurrogate}, hub::Type(Kind::Utf8), Value("\"\\ud83d \\ude00\""), true},
      {{Which::HalfSurrogate}, hub::Type(Kind::Utf8), Value("\"\\\\ud83d\""), false},
      {{Which::NotUtf8}, hub::Type(Kind::Binary), Value("\xff"), true},
      {{Which::EndsInZero}, twelve_bytes(), Value(stored(0, 0, 1)), true},
      {{Which::WithMonths}, twelve_bytes(), Value(stored(0, 1, 1)), false},
      {{Which::WithMonths}, twelve_bytes(), Value(stored(1, 0, 0)), true},
      {{Which::FarInterval}, twelve_bytes(), Value(stored(0, 1U << 31, 0)), true},
      {{Which::FarInterval}, twelve_bytes(), Value(stored(7, 7, 1U << 31)), false},
  };
  for (const Case& one : cases) {
    const hub::Schema schema{{Field("v", one.type)}, {}};
    const hub::Batch batch = hub::testing::make_batch(schema, {items({one.value})});
    ASSERT_TRUE(can_judge(one.condition, one.type)) << one.condition.text();
    EXPECT_EQ(meets(one.condition, batch.array.children[0], one.type, 0), one.met)
        << one.condition.text();
  }
  EXPECT_FALSE(can_judge(fine, micros));
  EXPECT_FALSE(can_judge(far, hub::Type(Kind::Int64)));
}

TEST(ReaderValuesTest, CountsAtEachDepthWithoutBadRows) {
  const hub::Schema schema{
      {Field("l", hub::list(Field("item", hub::struct_({Field("j", Kind::Utf8)})))),
       Field("m", hub::map(Field("key", Kind::Utf8, false), Field("value", Kind::Utf8)))},
      {}};
  Misreadings readers{parquet::kModule, {}, {}};
  const auto add = [&](const Path& path, ValueCondition condition) {
    readers.remarks.push_back({.reader = "R", .path = path, .condition = condition});
  };
  add(Path::column("l").item().field("j"), {Which::NotAnObject});
  add(Path::column("l").item().field("j"), {Which::Null});
  add(Path::column("m").map_value(), {Which::NotAnObject});
  add(Path::column("l"), {Which::Null});
  ReaderValues values(schema, readers);
  hub::Batch batch = hub::testing::make_batch(
      schema, {items({items({items({"1"}), items({Value()}), items({"{}"})}), items({})}),
               items({Value(), items({items({"k", "[]"}), items({"k", "{}"})})}),
               items({items({items({"2"})}), Value()})});
  batch.bad.push_back({2, Error(ErrorCode::Input, "bad"), ""});
  values.add(schema, batch);
  values.add(schema, batch);
  values.give(/*is_part=*/false, &readers);
  const std::pair<uint64_t, uint64_t> expected[] = {{2, 4}, {2, 6}, {2, 4}, {2, 4}};
  for (size_t i = 0; i < readers.remarks.size(); ++i) {
    ASSERT_TRUE(readers.remarks[i].count) << i;
    EXPECT_EQ(readers.remarks[i].count->affected, expected[i].first) << i;
    EXPECT_EQ(readers.remarks[i].count->values, expected[i].second) << i;
  }
}

}  // namespace
}  // namespace xwalk::crosswalk
