#include "xwalk/hub/cast.h"

#include <cstring>
#include <functional>
#include <limits>
#include <random>
#include <tuple>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/hub/values.h"
#include "xwalk/hub/array.h"
#include "xwalk/hub/cast/take.h"
#include "xwalk/hub/filter.h"
#include "xwalk/hub/find_cast.h"
#include "xwalk/hub/meaning.h"

namespace xwalk::hub {
namespace {

using testing::alternative;
using testing::items;
using testing::null;
using testing::Value;

constexpr int64_t kMax64 = std::numeric_limits<int64_t>::max();
constexpr int64_t kMin64 = std::numeric_limits<int64_t>::min();

struct Pair {
  Value from;
  std::optional<Value> to;   ///< nothing: refused
  std::string message = {};  ///< part of what the refusal says
};

struct Case {
  std::string name;
  Field from;
  Field to;
  std::vector<Pair> values;
  CastOptions options = {};
};

Field f(Type type, bool nullable = true) { return Field("c", std::move(type), nullable); }
Field json_field() { return with_extension(f(Kind::Utf8), "arrow.json"); }

/// Casts of bytes that are values of any type.
CastOptions any_as(AnyValues any) {
  CastOptions options;
  options.any = any;
  options.source = [](const Field& field) {
    Refinement refinement;
    refinement.yson = is_binary(field.type.kind());
    return refinement;
  };
  return options;
}

Value bytes(std::string text) { return Value(std::move(text)); }

/// Runs a case three ways: plain, at an odd offset, and inside lists and structs with nulls.
void run_case(const Case& test) {
  SCOPED_TRACE(test.name);
  std::vector<Value> rows;
  for (const Pair& pair : test.values) rows.push_back(items({pair.from}));
  const Schema from{{test.from}, {}};
  const Schema to{{test.to}, {}};
  const CompiledCast cast = compile_cast(from, to, test.options);
  for (const int64_t offset : {int64_t{0}, int64_t{3}}) {
    std::vector<Value> padded(static_cast<size_t>(offset),
                              rows.empty() ? items({null()}) : rows[0]);
    padded.insert(padded.end(), rows.begin(), rows.end());
    Batch batch =
        slice(testing::make_batch(from, padded), offset, static_cast<int64_t>(rows.size()));
    batch.first_row = 1000;
    Batch out = cast.run(std::move(batch));
    ASSERT_EQ(out.rows(), static_cast<int64_t>(rows.size()));
    std::vector<std::string> messages(rows.size());
    for (const BadRow& bad : out.bad) {
      EXPECT_EQ(bad.error.place().row, static_cast<uint64_t>(1000 + bad.index));
      messages[static_cast<size_t>(bad.index)] = bad.error.describe();
    }
    const std::vector<Value> got = testing::read_batch(to, std::move(out));
    for (size_t i = 0; i < rows.size(); ++i) {
      const Pair& pair = test.values[i];
      if (!pair.to) {
        EXPECT_THAT(messages[i], ::testing::HasSubstr(pair.message.empty() ? "c" : pair.message))
            << "value " << to_text(pair.from) << " was not refused";
        EXPECT_NE(messages[i], "");
      } else {
        EXPECT_EQ(messages[i], "") << to_text(pair.from);
        EXPECT_EQ(got[i].items[0], *pair.to) << "from " << to_text(pair.from);
      }
    }
  }
  // Nested: one list<struct<x>> a row, with a null struct and a null list around garbage.
  const Field nested_from(
      "n", list(f(struct_({Field("x", test.from.type, test.from.nullable, test.from.metadata)}))));
  const Field nested_to(
      "n", list(f(struct_({Field("x", test.to.type, test.to.nullable, test.to.metadata)}))));
  const Schema list_from{{nested_from}, {}};
  const Schema list_to{{nested_to}, {}};
  std::vector<Value> lists = {items({null()})};
  for (const Pair& pair : test.values) {
    lists.push_back(items({items({null(), items({pair.from}), items({pair.from})})}));
    lists.push_back(items({items({})}));
  }
  const CompiledCast nested = compile_cast(list_from, list_to, test.options);
  Batch out = nested.run(
      slice(testing::make_batch(list_from, lists), 1, static_cast<int64_t>(lists.size()) - 1));
  std::vector<bool> refused(lists.size(), false);
  for (const BadRow& bad : out.bad) refused[static_cast<size_t>(bad.index)] = true;
  const std::vector<Value> got = testing::read_batch(list_to, std::move(out));
  for (size_t i = 0; i < test.values.size(); ++i) {
    const Pair& pair = test.values[i];
    EXPECT_EQ(refused[2 * i], !pair.to.has_value()) << "nested " << to_text(pair.from);
    if (!pair.to) continue;
    EXPECT_EQ(got[2 * i].items[0], items({null(), items({*pair.to}), items({*pair.to})}));
    EXPECT_EQ(got[2 * i + 1].items[0], items({}));
  }
}

class CastTest : public ::testing::TestWithParam<Case> {};

TEST_P(CastTest, ConvertsOrRefuses) { run_case(GetParam()); }

CastOptions rounding() {
  CastOptions options;
  options.round = true;
  return options;
}
CastOptions merging() {
  CastOptions options;
  options.merge_nulls = true;
  return options;
}
CastOptions without_zones() {
  CastOptions options;
  options.drop_zone = true;
  return options;
}
CastOptions keys(DuplicateKeys policy) {
  CastOptions options;
  options.duplicate_keys = policy;
  return options;
}
CastOptions wanting_unique_keys(DuplicateKeys policy) {
  CastOptions options = keys(policy);
  options.target = [](const Field&) { return Refinement{.unique_keys = true}; };
  return options;
}
/// Rows of a system that wants each key once, and whose files may break that.
CastOptions from_unique_keys(DuplicateKeys policy) {
  CastOptions options = keys(policy);
  options.source = [](const Field&) { return Refinement{.unique_keys = true}; };
  return options;
}
CastOptions unsigned_millis() {
  CastOptions options;
  options.target = [](const Field&) { return Refinement{.unsigned_millis = true}; };
  return options;
}
CastOptions even_bytes() {
  CastOptions options;
  options.target = [](const Field& field) {
    static constexpr ContentRule kEven = {
        "an even number of bytes", [](std::string_view bytes) { return bytes.size() % 2 == 0; }};
    return field.type.kind() == Kind::Binary ? Refinement{.content = &kEven} : Refinement{};
  };
  return options;
}
/// A map with one pair a letter.
Value pairs_of(std::string_view letters) {
  std::vector<Value> pairs;
  for (const char letter : letters) pairs.push_back(items({std::string(1, letter), 1}));
  return Value(std::move(pairs));
}
/// Options of the way to types that the user asked for.
CastOptions asked(bool round = false) {
  CastOptions options;
  options.round = round;
  options.values_as_text = true;
  return options;
}
CastOptions ranged(Range range) {
  CastOptions options;
  options.target = [range](const Field& field) {
    Refinement refinement;
    if (field.type.kind() != Kind::Struct && !is_list(field.type.kind())) refinement.range = range;
    return refinement;
  };
  return options;
}

Type pair_list(bool nullable_key = false) {
  return list(Field("entry",
                    struct_({Field("key", Kind::Utf8, nullable_key), Field("value", Kind::Int32)}),
                    false));
}
Type utf8_map() { return map(Field("key", Kind::Utf8, false), Field("value", Kind::Int64)); }
Type abc_union(Kind kind = Kind::DenseUnion, bool nullable_text = false) {
  return union_({Field("i", Kind::Int32, false), Field("t", Kind::Utf8, nullable_text)}, kind);
}

std::vector<Case> integer_cases() {
  return {
      {"int64 to int8",
       f(Kind::Int64),
       f(Kind::Int8),
       {{127, 127},
        {-128, -128},
        {null(), null()},
        {128, {}, "from -128 to 127, found 128"},
        {-129, {}},
        {kMax64, {}},
        {0, 0}}},
      {"int8 to uint64", f(Kind::Int8), f(Kind::Uint64), {{127, 127}, {-1, {}}, {0, 0}}},
      {"int64 to uint64 shares its buffer",
       f(Kind::Int64),
       f(Kind::Uint64),
       {{kMax64, kMax64}, {-1, {}}, {null(), null()}}},
      {"uint64 to int64",
       f(Kind::Uint64),
       f(Kind::Int64),
       {{Int128{kMax64}, kMax64}, {Int128{kMax64} + 1, {}}, {0, 0}}},
      {"uint32 to int64",
       f(Kind::Uint32),
       f(Kind::Int64),
       {{Int128{4294967295}, Int128{4294967295}}}},
      {"a range beyond the type",
       f(Kind::Int32),
       f(Kind::Date32),
       {{0, 0}, {49672, 49672}, {49673, {}, "from 1970-01-01 to 2105-12-31"}, {-1, {}}},
       ranged({0, 49672})},
      {"nullable to required",
       f(Kind::Int32),
       f(Kind::Int32, false),
       {{1, 1}, {null(), {}, "expected a value, found null"}}},
      {"null to nullable", f(Kind::Null), f(Kind::Int32), {{null(), null()}}},
      {"null to list", f(Kind::Null), f(list(f(Kind::Int8))), {{null(), null()}}},
      {"null to required", f(Kind::Null), f(Kind::Int32, false), {{null(), {}}}},
      {"bool to int8", f(Kind::Bool), f(Kind::Int8), {{1, 1}, {0, 0}, {null(), null()}}},
      {"int16 to bool", f(Kind::Int16), f(Kind::Bool), {{1, 1}, {0, 0}, {2, {}, "0 or 1"}}},
      {"bool8 to bool",
       with_extension(f(Kind::Int8), "arrow.bool8"),
       f(Kind::Bool),
       {{1, 1}, {0, 0}, {5, {}, "0 or 1"}, {null(), null()}}},
  };
}

CastOptions from_specials() {
  CastOptions options;
  options.source = [](const Field& field) {
    return Refinement{.special_values = is_decimal(field.type.kind())};
  };
  return options;
}

CastOptions with_specials() {
  CastOptions options = from_specials();
  options.target = options.source;
  return options;
}

std::vector<Case> time_cases() {
  const Type us = timestamp(TimeUnit::Micro, "UTC");
  const Type ns = timestamp(TimeUnit::Nano, "UTC");
  return {
      {"ns to us is exact or refused",
       f(ns),
       f(us),
       {{1000, 1},
        {-1000, -1},
        {1, {}, "whole number of us"},
        {-999, {}},
        {0, 0},
        {kMin64, {}},
        {kMax64, {}},
        {int64_t{-9223372036854775000}, int64_t{-9223372036854775}}}},
      {"ns to us rounds half to even on request",
       f(ns),
       f(us),
       {{1500, 2},
        {2500, 2},
        {-1500, -2},
        {-2500, -2},
        {499, 0},
        {501, 1},
        {-501, -1},
        {kMax64, int64_t{9223372036854776}}},
       rounding()},
      {"us to ns",
       f(us),
       f(ns),
       {{1, 1000},
        {int64_t{9223372036854775}, int64_t{9223372036854775000}},
        {int64_t{9223372036854776}, {}, "expected a value from"},
        {kMin64, {}},
        {null(), null()}}},
      {"s to ns",
       f(timestamp(TimeUnit::Second)),
       f(timestamp(TimeUnit::Nano)),
       {{-1, int64_t{-1000000000}}, {kMax64, {}}}},
      {"date32 to date64", f(Kind::Date32), f(Kind::Date64), {{1, 86400000}, {-1, -86400000}}},
      {"date64 to date32", f(Kind::Date64), f(Kind::Date32), {{86400000, 1}, {-86400000, -1}}},
      {"timestamp to days in milliseconds",
       f(us),
       f(Kind::Date64),
       {{int64_t{86400000000}, 86400000},
        {int64_t{-86400000000}, -86400000},
        {int64_t{86400000001}, {}, "whole number of days"},
        {int64_t{86399999000}, {}},
        {null(), null()}}},
      {"seconds to days in milliseconds",
       f(timestamp(TimeUnit::Second)),
       f(Kind::Date64),
       {{172800, 172800000}, {86401, {}}, {kMax64, {}}}},
      {"timestamp rounded to days in milliseconds",
       f(us),
       f(Kind::Date64),
       {{int64_t{86400000001}, 86400000},
        {int64_t{86399999000}, 0},
        {1, 0},
        {-1, -86400000},
        {int64_t{-86400000000}, -86400000},
        {int64_t{-86400000001}, -172800000},
        {kMin64, int64_t{-9223372108800000}},
        {null(), null()}},
       rounding()},
      {"an evening is of its day",
       f(timestamp(TimeUnit::Nano)),
       f(Kind::Date32),
       {{int64_t{86399999999999}, 0}, {int64_t{-1}, -1}, {int64_t{43200000000000}, 0}},
       rounding()},
      {"integers to days in milliseconds",
       f(Kind::Int64),
       f(Kind::Date64),
       {{0, 0}, {-86400000, -86400000}, {1, {}, "whole number of days"}, {kMax64, {}}}},
      {"short integers to days in milliseconds",
       f(Kind::Int32),
       f(Kind::Date64),
       {{86400000, 86400000}, {86400001, {}}}},
      {"unsigned integers to days in milliseconds",
       f(Kind::Uint64),
       f(Kind::Date64),
       {{86400000, 86400000}, {Int128{std::numeric_limits<uint64_t>::max()}, {}}}},
      {"timestamp to date",
       f(us),
       f(Kind::Date32),
       {{int64_t{86400000000}, 1}, {int64_t{86400000001}, {}, "whole number of days"}}},
      {"date to timestamp",
       f(Kind::Date32),
       f(us),
       {{1, int64_t{86400000000}}, {std::numeric_limits<int32_t>::max(), {}, "expected a value"}}},
      {"time32 to time64",
       f(time32(TimeUnit::Milli)),
       f(time64(TimeUnit::Nano)),
       {{86399999, int64_t{86399999000000}}}},
      {"time64 to time32",
       f(time64(TimeUnit::Nano)),
       f(time32(TimeUnit::Second)),
       {{int64_t{86399000000000}, 86399}, {1, {}}}},
      {"duration",
       f(duration(TimeUnit::Second)),
       f(duration(TimeUnit::Micro)),
       {{-5, -5000000}, {kMax64, {}}}},
      {"duration to int64 is its ticks",
       f(duration(TimeUnit::Nano)),
       f(Kind::Int64),
       {{kMin64, kMin64}}},
      {"time zones keep the instant",
       f(timestamp(TimeUnit::Second, "Europe/Moscow")),
       f(timestamp(TimeUnit::Second, "UTC")),
       {{17, 17}}},
  };
}

std::vector<Case> number_cases() {
  const auto big = [](const char* digits) {
    Int256 value;
    parse_decimal_text(digits, &value);
    return Value(value);
  };
  const char* k76 = "9999999999999999999999999999999999999999999999999999999999999999999999999999";
  const char* k38 = "99999999999999999999999999999999999999";
  return {
      {"double to float",
       f(Kind::Double),
       f(Kind::Float),
       {{0.5, 0.5},
        {0.1, {}, "found 0.1"},
        {-0.0, -0.0},
        {1e300, {}},
        {std::nan(""), std::nan("")},
        {HUGE_VAL, HUGE_VAL}}},
      {"double to float rounds on request",
       f(Kind::Double),
       f(Kind::Float),
       {{0.1, static_cast<double>(0.1F)}, {1e300, {}}, {null(), null()}},
       rounding()},
      {"double to half",
       f(Kind::Double),
       f(Kind::HalfFloat),
       {{65504.0, 65504.0},
        {65505.0, {}},
        {std::ldexp(1.0, -24), std::ldexp(1.0, -24)},
        {std::ldexp(1.0, -25), {}},
        {-0.0, -0.0},
        {std::nan(""), std::nan("")}}},
      {"double to half rounds once",
       f(Kind::Double),
       f(Kind::HalfFloat),
       {{1.0 + std::ldexp(1.0, -11) + std::ldexp(1.0, -40), 1.0 + std::ldexp(1.0, -10)},
        {1.0 + std::ldexp(1.0, -11), 1.0},
        {70000.0, {}}},
       rounding()},
      {"half to double", f(Kind::HalfFloat), f(Kind::Double), {{0.5, 0.5}, {-HUGE_VAL, -HUGE_VAL}}},
      {"int64 to double",
       f(Kind::Int64),
       f(Kind::Double),
       {{int64_t{1} << 53, std::ldexp(1.0, 53)},
        {(int64_t{1} << 53) + 1, {}},
        {kMax64, {}},
        {kMin64, -std::ldexp(1.0, 63)},
        {null(), null()}}},
      {"uint64 to double",
       f(Kind::Uint64),
       f(Kind::Double),
       {{Int128{1} << 63, std::ldexp(1.0, 63)}, {(Int128{1} << 64) - 1, {}}}},
      {"double to int32",
       f(Kind::Double),
       f(Kind::Int32),
       {{-5.0, -5},
        {0.5, {}},
        {std::nan(""), {}},
        {2147483648.0, {}},
        {-0.0, {}},
        {-2147483648.0, std::numeric_limits<int32_t>::min()}}},
      {"nan and infinities among other digits",
       f(decimal(128, 9, 2)),
       f(decimal(128, 18, 4)),
       {{2147483647, kMax64},
        {2147483646, kMax64 - 1},
        {-2147483646, -kMax64 + 1},
        {150, 15000},
        {null(), null()}},
       with_specials()},
      {"nan and infinities among fewer digits",
       f(decimal(128, 18, 4)),
       f(decimal(128, 5, 2)),
       {{kMax64, 2147483647},
        {kMax64 - 1, 2147483646},
        {-kMax64 + 1, -2147483646},
        {15000, 150},
        {15001, {}},
        {int64_t{1000000000}, {}}},
       with_specials()},
      {"nan and infinities to decimals without them",
       f(decimal(128, 9, 2)),
       f(decimal(128, 18, 2)),
       {{2147483647, {}, "a finite decimal"}, {2147483645, 2147483645}, {null(), null()}},
       from_specials()},
      {"nan and infinities to integers",
       f(decimal(128, 9, 2)),
       f(Kind::Int64),
       {{2147483647, {}, "a finite decimal"},
        {2147483646, {}, "a finite decimal"},
        {-2147483646, {}, "a finite decimal"},
        {200, 2}},
       from_specials()},
      {"decimal128 to a finer scale",
       f(decimal(128, 10, 2)),
       f(decimal(128, 12, 4)),
       {{12345, 1234500}, {-1, -100}, {null(), null()}}},
      {"decimal128 to a coarser scale",
       f(decimal(128, 10, 2)),
       f(decimal(128, 9, 1)),
       {{120, 12}, {125, {}, "`round` rounds"}, {-120, -12}}},
      {"decimal128 rounds on request",
       f(decimal(128, 10, 2)),
       f(decimal(128, 9, 1)),
       {{125, 12}, {135, 14}, {-125, -12}, {-135, -14}, {126, 13}},
       rounding()},
      {"decimal128 to fewer digits",
       f(decimal(128, 10, 2)),
       f(decimal(32, 4, 2)),
       {{9999, 9999},
        {10000, {}, "at most 2 digits before the point and 2 after, found 100.00"},
        {-9999, -9999}}},
      {"decimal64 to decimal256",
       f(decimal(64, 18, 0)),
       f(decimal(256, 76, 58)),
       {{-1, big("-10000000000000000000000000000000000000000000000000000000000")}}},
      {"decimal256 to decimal128",
       f(decimal(256, 76, 0)),
       f(decimal(128, 38, 0)),
       {{big(k38), big(k38)}, {big(k76), {}}, {-7, -7}}},
      {"decimal256 rounds on request",
       f(decimal(256, 76, 40)),
       f(decimal(128, 38, 0)),
       {{big("25000000000000000000000000000000000000000"), 2},
        {big("35000000000000000000000000000000000000000"), 4},
        {big("-25000000000000000000000000000000000000001"), -3}},
       rounding()},
      {"decimal128 of 38 digits scaled up",
       f(decimal(128, 38, 0)),
       f(decimal(128, 38, 10)),
       {{big(k38), {}}, {1, big("10000000000")}}},
      {"decimal256 of more digits than there are to text",
       f(decimal(256, 76, -15)),
       f(Kind::LargeUtf8),
       {{12, "12000000000000000"},
        {-1, "-1000000000000000"},
        {big(k76), bytes(k76 + std::string(15, '0'))},
        {null(), null()}}},
      {"decimal256 of more digits than 128 bits hold to text",
       f(decimal(256, 50, 2)),
       f(Kind::Utf8),
       {{125, "1.25"}, {-100, "-1.00"}, {null(), null()}}},
      {"decimal to int64",
       f(decimal(128, 20, 2)),
       f(Kind::Int64),
       {{500, 5}, {501, {}}, {big("922337203685477580800"), {}}, {-500, -5}}},
      {"uint64 to decimal",
       f(Kind::Uint64),
       f(decimal(128, 20, 0)),
       {{(Int128{1} << 64) - 1, (Int128{1} << 64) - 1}}},
      {"decimal to bytes",
       f(decimal(128, 10, 2)),
       f(Kind::Binary),
       {{0, bytes(std::string(1, '\0'))},
        {127, "\x7f"},
        {128, bytes(std::string("\0\x80", 2))},
        {-128, "\x80"},
        {-129, "\xff\x7f"},
        {null(), null()}}},
      {"bytes to decimal",
       f(Kind::Binary),
       f(decimal(128, 4, 2)),
       {{"\x7f", 127},
        {"\xff\x7f", -129},
        {"", 0},
        {"\x7f\xff", {}},
        {bytes(std::string(40, '\0') + "\x01"), 1},
        {bytes("\x01" + std::string(40, '\0')), {}}}},
      {"decimal to fixed bytes",
       f(decimal(32, 9, 0)),
       f(fixed_size_binary(3)),
       {{-2, "\xff\xff\xfe"}, {8388607, "\x7f\xff\xff"}, {8388608, {}}}},
      {"month_day_nano to its parts",
       f(Kind::IntervalMonthDayNano),
       f(struct_({Field("months", Kind::Int32, false), Field("days", Kind::Int64, false),
                  Field("nanoseconds", Kind::Int64, false)})),
       {{items({1, -2, 3}), items({1, -2, 3})}, {null(), null()}}},
      {"parts to month_day_nano",
       f(struct_({Field("nanoseconds", Kind::Int64, false), Field("months", Kind::Int64, false),
                  Field("days", Kind::Int32, false)})),
       f(Kind::IntervalMonthDayNano),
       {{items({3, 1, -2}), items({1, -2, 3})},
        {items({0, int64_t{1} << 40, 0}), {}},
        {null(), null()}}},
      {"day_time to month_day_nano",
       f(Kind::IntervalDayTime),
       f(Kind::IntervalMonthDayNano),
       {{items({-1, 7}), items({0, -1, 7000000})}}},
      {"month_day_nano to Parquet's bytes",
       f(Kind::IntervalMonthDayNano),
       f(fixed_size_binary(12)),
       {{items({1, 2, 3000000}), bytes(std::string("\1\0\0\0\2\0\0\0\3\0\0\0", 12))},
        {items({-1, 0, 0}), {}},
        {items({0, 0, 1}), {}}}},
  };
}

std::vector<Case> text_cases() {
  const std::string long_text = "a text of more than twelve bytes";
  std::vector<Case> cases = {
      {"binary to utf8",
       f(Kind::Binary),
       f(Kind::Utf8),
       {{"plain", "plain"},
        {"\xff", {}, "expected UTF-8"},
        {"", ""},
        {"\xc3\xa9", "\xc3\xa9"},
        {null(), null()}}},
      {"two halves of a character are not one",
       f(Kind::Binary),
       f(Kind::Utf8),
       {{"\xc3", {}}, {"\xa9", {}}}},
      {"utf8 to json",
       f(Kind::Utf8),
       json_field(),
       {{"{\"a\":1}", "{\"a\":1}"}, {"{", {}, "JSON"}}},
      {"any to json",
       f(Kind::Binary),
       json_field(),
       {{"{a=[1;2u]}", "{\"a\":[1,2]}"},
        {"\1\4ab", "\"ab\""},
        {"%nan", {}, "found nan or an infinity: %nan"},
        {"[<a=1>5]", {}, "found a value with attributes: [<\"a\"=1;>5;]"},
        {"\1\2\xff", {}, "found a string that is not UTF-8"},
        {"{", {}, "expected a value in YSON, found \"{\""},
        {null(), null()}},
       any_as(AnyValues::Json)},
      {"any to text of another layout",
       f(Kind::BinaryView),
       f(Kind::LargeUtf8),
       {{"[<a=1>5; %inf]",
         "[{\"$attributes\":{\"a\":1},\"$value\":5},{\"$type\":\"double\",\"$value\":\"inf\"}]"},
        {"\1\2\xff", "\"\xc3\xbf\""},
        {null(), null()}},
       any_as(AnyValues::YtJson)},
      {"json to utf8", json_field(), f(Kind::Utf8), {{"{}", "{}"}}},
      {"binary to fixed",
       f(Kind::Binary),
       f(fixed_size_binary(2)),
       {{"ab", "ab"}, {"a", {}, "expected 2 bytes, found 1"}, {null(), null()}}},
      {"bytes to list",
       f(Kind::LargeBinary),
       f(list(f(Kind::Uint8, false))),
       {{"ab", items({97, 98})}, {"", items({})}, {null(), null()}}},
      {"list to bytes",
       f(list(f(Kind::Uint8), Kind::LargeListView)),
       f(Kind::Binary),
       {{items({97, 98}), "ab"}, {items({}), ""}, {items({1, null()}), {}}, {null(), null()}}},
      {"fixed bytes to fixed list",
       f(fixed_size_binary(3)),
       f(fixed_size_list(f(Kind::Uint8, false), 3)),
       {{"abc", items({97, 98, 99})}, {null(), null()}}},
      {"fixed list to fixed bytes",
       f(fixed_size_list(f(Kind::Uint8), 2)),
       f(fixed_size_binary(2)),
       {{items({97, 98}), "ab"}, {items({97, null()}), {}}, {null(), null()}}},
      {"dictionary to text",
       f(dictionary(Kind::Int8, Kind::Utf8)),
       f(Kind::Utf8View),
       {{"a", "a"}, {long_text, long_text}, {null(), null()}}},
      {"text to dictionary",
       f(Kind::Utf8View),
       f(dictionary(Kind::Int8, Kind::Utf8)),
       {{"a", "a"}, {long_text, long_text}, {null(), null()}, {"a", "a"}, {"", ""}}},
      {"int64 to dictionary of int8",
       f(Kind::Int64),
       f(dictionary(Kind::Uint16, Kind::Int8)),
       {{1, 1}, {1000, {}}, {null(), null()}, {1, 1}}},
      {"run ends to text",
       f(run_end_encoded(Kind::Int32, f(Kind::Utf8))),
       f(Kind::Utf8),
       {{"a", "a"}, {"a", "a"}, {null(), null()}, {"b", "b"}}},
      {"dictionary of int64 to int8",
       f(dictionary(Kind::Uint16, Kind::Int64)),
       f(Kind::Int8),
       {{1, 1}, {1000, {}}, {null(), null()}}},
  };
  for (const Kind from : {Kind::Utf8, Kind::LargeUtf8, Kind::Utf8View, Kind::Binary,
                          Kind::LargeBinary, Kind::BinaryView}) {
    for (const Kind to : {Kind::Binary, Kind::LargeBinary, Kind::BinaryView, Kind::Utf8,
                          Kind::LargeUtf8, Kind::Utf8View}) {
      cases.push_back({std::string(kind_name(from)) + " to " + std::string(kind_name(to)),
                       f(from),
                       f(to),
                       {{"", ""},
                        {"twelve bytes", "twelve bytes"},
                        {null(), null()},
                        {long_text, long_text},
                        {long_text + "!", long_text + "!"}}});
    }
  }
  for (const Kind to : {Kind::Binary, Kind::LargeBinary, Kind::BinaryView}) {
    cases.push_back({"fixed to " + std::string(kind_name(to)),
                     f(fixed_size_binary(13)),
                     f(to),
                     {{"thirteen byte", "thirteen byte"}, {null(), null()}}});
  }
  return cases;
}

std::vector<Case> nested_cases() {
  const Field item = f(Kind::Int64);
  const Field narrow = f(Kind::Int16);
  std::vector<Case> cases = {
      {"list to fixed",
       f(list(item)),
       f(fixed_size_list(narrow, 2)),
       {{items({1, 2}), items({1, 2})},
        {items({1}), {}, "a list of 2 items, found 1"},
        {null(), null()},
        {items({1, 1 << 20}), {}}}},
      {"fixed to list",
       f(fixed_size_list(item, 2)),
       f(list(narrow, Kind::LargeListView)),
       {{items({1, null()}), items({1, null()})}, {null(), null()}}},
      {"struct by name",
       f(struct_({Field("a", Kind::Int64), Field("b", Kind::Utf8)})),
       f(struct_({Field("b", Kind::Utf8), Field("x", Kind::Int8), Field("a", Kind::Int8)})),
       {{items({1, "t"}), items({"t", null(), 1})}, {items({1000, "t"}), {}}, {null(), null()}}},
      {"map to list of pairs",
       f(utf8_map()),
       f(pair_list()),
       {{items({items({"a", 1}), items({"a", 2})}), items({items({"a", 1}), items({"a", 2})})},
        {items({}), items({})},
        {null(), null()},
        {items({items({"a", int64_t{1} << 40})}), {}}}},
      {"list of pairs to map",
       f(pair_list(true)),
       f(utf8_map()),
       {{items({items({"a", 1})}), items({items({"a", 1})})},
        {items({items({null(), 1})}), {}, "expected a value, found null"}}},
      {"map refuses repeated keys on request",
       f(utf8_map()),
       f(utf8_map()),
       {{items({items({"a", 1}), items({"b", 2})}), items({items({"a", 1}), items({"b", 2})})},
        {items({items({"a", 1}), items({"a", 2})}), {}, "each key once"},
        {null(), null()}},
       keys(DuplicateKeys::Error)},
      {"map keeps the last of repeated keys",
       f(utf8_map()),
       f(utf8_map()),
       {{items({items({"a", 1}), items({"b", 2}), items({"a", 3})}),
         items({items({"a", 3}), items({"b", 2})})},
        {null(), null()}},
       keys(DuplicateKeys::Last)},
      {"map refuses repeated keys if the target wants each once",
       f(utf8_map()),
       f(utf8_map()),
       {{items({items({"a", 1}), items({"b", 2})}), items({items({"a", 1}), items({"b", 2})})},
        {items({items({"a", 1}), items({"a", 2})}), {}, "each key once"},
        {null(), null()}},
       wanting_unique_keys(DuplicateKeys::AsTarget)},
      {"map keeps repeated keys on request",
       f(utf8_map()),
       f(utf8_map()),
       {{items({items({"a", 1}), items({"a", 2})}), items({items({"a", 1}), items({"a", 2})})}},
       wanting_unique_keys(DuplicateKeys::Keep)},
      {"map of a system with unique keys, as it is",
       f(utf8_map()),
       f(utf8_map()),
       {{items({items({"a", 1}), items({"b", 2})}), items({items({"a", 1}), items({"b", 2})})},
        {items({items({"a", 1}), items({"a", 2})}), {}, "each key once"},
        {null(), null()}},
       from_unique_keys(DuplicateKeys::AsTarget)},
      {"map of a system with unique keys, the last of each",
       f(utf8_map()),
       f(utf8_map()),
       {{items({items({"a", 1}), items({"b", 2}), items({"a", 3})}),
         items({items({"a", 3}), items({"b", 2})})}},
       from_unique_keys(DuplicateKeys::Last)},
      {"map of a system with unique keys, every pair",
       f(utf8_map()),
       f(utf8_map()),
       {{items({items({"a", 1}), items({"a", 2})}), items({items({"a", 1}), items({"a", 2})})}},
       from_unique_keys(DuplicateKeys::Keep)},
      {"map of a system with unique keys to a list of pairs",
       f(utf8_map()),
       f(pair_list()),
       {{items({items({"a", 1})}), items({items({"a", 1})})},
        {items({items({"a", 1}), items({"a", 2})}), {}, "each key once"},
        {null(), null()}},
       from_unique_keys(DuplicateKeys::AsTarget)},
      {"the last of each key to a list of pairs",
       f(utf8_map()),
       f(pair_list()),
       {{items({items({"a", 1}), items({"a", 2})}), items({items({"a", 2})})}},
       from_unique_keys(DuplicateKeys::Last)},
      {"map of many keys, one of them twice",
       f(utf8_map()),
       f(utf8_map()),
       {{pairs_of("abcdefghijkl"), pairs_of("abcdefghijkl")},
        {pairs_of("abcdefghijkb"), {}, "each key once"}},
       wanting_unique_keys(DuplicateKeys::AsTarget)},
      {"interval of unsigned parts",
       f(Kind::IntervalMonthDayNano),
       f(Kind::IntervalMonthDayNano),
       {{items({1, 2, int64_t{3'000'000}}), items({1, 2, int64_t{3'000'000}})},
        {items({-1, 2, int64_t{3'000'000}}), {}, "without negative parts"},
        {items({1, 2, int64_t{3'000'001}}), {}, "whole milliseconds"},
        {items({1, 2, int64_t{4'294'967'296'000'000}}), {}, "32 bits"},
        {null(), null()}},
       unsigned_millis()},
      {"months as an interval of unsigned parts",
       f(Kind::IntervalMonths),
       f(Kind::IntervalMonthDayNano),
       {{1, items({1, 0, int64_t{0}})}, {-1, {}, "without negative parts"}},
       unsigned_millis()},
      {"bytes that a rule accepts",
       f(Kind::Binary),
       f(Kind::Binary),
       {{"ab", "ab"}, {"abc", {}, "expected an even number of bytes"}, {null(), null()}},
       even_bytes()},
      {"dense to sparse union",
       f(abc_union(), false),
       f(abc_union(Kind::SparseUnion), false),
       {{alternative(0, 7), alternative(0, 7)},
        {alternative(1, "t"), alternative(1, "t")},
        {alternative(0, 8), alternative(0, 8)}}},
      {"sparse to dense union of narrower",
       f(abc_union(Kind::SparseUnion), false),
       f(union_({Field("t", Kind::Binary, false), Field("i", Kind::Int8, false)}), false),
       {{alternative(0, 7), alternative(1, 7)},
        {alternative(1, "t"), alternative(0, "t")},
        {alternative(0, 1000), {}}}},
      {"union to struct",
       f(abc_union(), false),
       f(struct_({Field("i", Kind::Int8), Field("t", Kind::Utf8)}), false),
       {{alternative(0, 7), items({7, null()})},
        {alternative(1, "t"), items({null(), "t"})},
        {alternative(0, 1000), {}}}},
      {"nullable alternatives are wrapped",
       f(abc_union(Kind::DenseUnion, true), false),
       f(struct_({Field("i", Kind::Int32), Field("t", struct_({Field("value", Kind::Utf8)}))}),
         false),
       {{alternative(1, null()), items({null(), items({null()})})},
        {alternative(1, "t"), items({null(), items({"t"})})},
        {alternative(0, 1), items({1, null()})}}},
      {"struct to union",
       f(struct_({Field("i", Kind::Int32), Field("t", Kind::Utf8)}), false),
       f(abc_union(), false),
       {{items({7, null()}), alternative(0, 7)},
        {items({null(), "t"}), alternative(1, "t")},
        {items({null(), null()}), {}, "exactly one alternative, found 0"},
        {items({1, "t"}), {}, "exactly one alternative, found 2"}}},
      {"wrapped struct to union",
       f(struct_({Field("i", Kind::Int32), Field("t", struct_({Field("value", Kind::Utf8)}))}),
         false),
       f(abc_union(Kind::DenseUnion, true), false),
       {{items({null(), items({null()})}), alternative(1, null())},
        {items({5, null()}), alternative(0, 5)}}},
      {"nested optional to one level",
       f(struct_({Field("value", Kind::Int32)})),
       f(Kind::Int32),
       {{items({1}), 1}, {null(), null()}, {items({null()}), {}, "`merge_nulls` merges"}}},
      {"nested optional to one level, no outer null among the rows",
       f(struct_({Field("value", Kind::Int32)})),
       f(Kind::Int32),
       {{items({1}), 1}, {items({null()}), {}, "`merge_nulls` merges"}}},
      {"nested optional of nothing",
       f(struct_({Field("value", Kind::Null)})),
       f(Kind::Null),
       {{null(), null()}, {items({null()}), {}, "`merge_nulls` merges"}}},
      {"nested optional of nothing, no outer null among the rows",
       f(struct_({Field("value", Kind::Null)})),
       f(Kind::Null),
       {{items({null()}), {}, "`merge_nulls` merges"}}},
      {"nested optional merged on request",
       f(struct_({Field("value", Kind::Int32)})),
       f(Kind::Int64),
       {{items({1}), 1}, {null(), null()}, {items({null()}), null()}},
       merging()},
      {"an optional union to a required one",
       f(struct_({Field("value", abc_union(), false)})),
       f(abc_union(), false),
       {{items({alternative(1, "t")}), alternative(1, "t")},
        {null(), {}, "expected a value, found null"},
        {items({alternative(0, 7)}), alternative(0, 7)}}},
      {"an optional union to a required one of another layout and narrower",
       f(struct_({Field("value", abc_union(Kind::SparseUnion), false)})),
       f(union_({Field("t", Kind::Binary, false), Field("i", Kind::Int8, false)}), false),
       {{null(), {}, "expected a value, found null"},
        {items({alternative(0, 7)}), alternative(1, 7)},
        {items({alternative(0, 1000)}), {}},
        {items({alternative(1, "t")}), alternative(0, "t")}}},
      {"a time without its zone on request",
       f(struct_({Field("time", timestamp(TimeUnit::Micro, "UTC"), false),
                  Field("zone", Kind::Utf8, false)})),
       f(timestamp(TimeUnit::Milli, "UTC")),
       {{items({5000, bytes("Europe/Berlin")}), 5},
        {null(), null()},
        {items({5001, bytes("Asia/Tokyo")}), {}, "5001"}},
       without_zones()},
      {"a value to a wrapper",
       f(Kind::Int32),
       f(struct_({Field("value", Kind::Int64)})),
       {{1, items({1})}, {null(), null()}}},
  };
  for (const Kind from : {Kind::List, Kind::LargeList, Kind::ListView, Kind::LargeListView}) {
    for (const Kind to : {Kind::List, Kind::LargeList, Kind::ListView, Kind::LargeListView}) {
      for (const Field& target : {item, narrow}) {
        cases.push_back({std::string(kind_name(from)) + " to " + to_string(list(target, to)),
                         f(list(item, from)),
                         f(list(target, to)),
                         {{items({1, 2, 3}), items({1, 2, 3})},
                          {null(), null()},
                          {items({}), items({})},
                          {items({null(), 5}), items({null(), 5})}}});
      }
    }
  }
  return cases;
}

std::vector<Case> asked_cases() {
  constexpr double kInfinity = std::numeric_limits<double>::infinity();
  const double nan = std::nan("");
  std::vector<Case> cases = {
      {"a number of half a byte",
       f(Kind::Int8),
       f(Kind::Utf8),
       {{-128, "-128"}, {null(), null()}},
       asked()},
      {"the least integer",
       f(Kind::Int64),
       f(Kind::BinaryView),
       {{kMin64, "-9223372036854775808"}},
       asked()},
      {"the greatest integer",
       f(Kind::Uint64),
       f(Kind::LargeUtf8),
       {{Int128{UINT64_MAX}, "18446744073709551615"}},
       asked()},
      {"doubles",
       f(Kind::Double),
       f(Kind::Utf8),
       {{1.0, "1.0"},
        {-0.0, "-0.0"},
        {0.1, "0.1"},
        {1e300, "1e+300"},
        {nan, "nan"},
        {-kInfinity, "-inf"}},
       asked()},
      {"floats have the digits of their own",
       f(Kind::Float),
       f(Kind::Utf8),
       {{static_cast<double>(0.1F), "0.1"}},
       asked()},
      {"floats of 16 bits", f(Kind::HalfFloat), f(Kind::Utf8), {{1.5, "1.5"}}, asked()},
      {"booleans", f(Kind::Bool), f(Kind::Utf8), {{1, "true"}, {0, "false"}}, asked()},
      {"decimals",
       f(decimal(128, 10, 2)),
       f(Kind::Utf8),
       {{-5, "-0.05"}, {12345, "123.45"}},
       asked()},
      {"dates",
       f(Kind::Date32),
       f(Kind::Utf8),
       {{0, "1970-01-01"}, {-719529, "-0001-12-31"}},
       asked()},
      {"dates in milliseconds",
       f(Kind::Date64),
       f(Kind::Utf8),
       {{-86'400'000, "1969-12-31"}},
       asked()},
      {"instants",
       f(timestamp(TimeUnit::Nano, "Europe/Berlin")),
       f(Kind::Utf8),
       {{-1, "1969-12-31T23:59:59.999999999Z"}},
       asked()},
      {"local times",
       f(timestamp(TimeUnit::Milli)),
       f(Kind::Utf8),
       {{1500, "1970-01-01T00:00:01.5"}},
       asked()},
      {"text of integers",
       f(Kind::Utf8),
       f(Kind::Int8),
       {{"-128", -128},
        {"007", 7},
        {"128", {}, "from -128 to 127, found \"128\""},
        {"", {}, "a whole number, found \"\""},
        {" 1", {}},
        {"1 ", {}},
        {"+1", {}},
        {"1.0", {}},
        {"0x1", {}},
        {null(), null()}},
       asked()},
      {"text of numbers without a sign",
       f(Kind::Utf8View),
       f(Kind::Uint64),
       {{"18446744073709551615", Int128{UINT64_MAX}}, {"18446744073709551616", {}}, {"-1", {}}},
       asked()},
      {"text of doubles",
       f(Kind::Binary),
       f(Kind::Double),
       {{"1e3", 1000.0},
        {".5", 0.5},
        {"-0", -0.0},
        {"nan", nan},
        {"inf", kInfinity},
        {"nan(1)", {}},
        {"1e999", {}, "fits double"},
        {"1,5", {}, "expected a number, found \"1,5\""},
        {"\xff", {}}},
       asked()},
      {"text of floats of 16 bits",
       f(Kind::Utf8),
       f(Kind::HalfFloat),
       {{"1.5", 1.5}, {"0.1", 0.0999755859375}, {"2049", {}}},
       asked()},
      {"text of booleans",
       f(Kind::LargeUtf8),
       f(Kind::Bool),
       {{"true", 1}, {"false", 0}, {"True", {}, "true or false"}, {"1", {}}},
       asked()},
      {"text of decimals",
       f(Kind::Utf8),
       f(decimal(128, 5, 2)),
       {{"1.5", 150},
        {"-0.05", -5},
        {"1.500", 150},
        {"999.99", 99999},
        {"1000", {}, "3 digits before"},
        {"1.505", {}, "round"},
        {"1.", {}},
        {".5", {}},
        {"-", {}},
        {"1e2", {}, "a decimal number"}},
       asked()},
      {"text of decimals that round",
       f(Kind::Utf8),
       f(decimal(128, 5, 2)),
       {{"1.505", 150}, {"1.515", 152}, {"999.995", {}}},
       asked(true)},
      {"text of dates",
       f(Kind::Utf8),
       f(Kind::Date32),
       {{"2024-02-29", 19782}, {"2023-02-29", {}, "a date such as"}, {"2024-2-9", {}}},
       asked()},
      {"text of instants",
       f(Kind::Utf8),
       f(timestamp(TimeUnit::Milli, "UTC")),
       {{"1970-01-01T00:00:01.5Z", 1500},
        {"1970-01-01 02:00:00+02:00", 0},
        {"1970-01-01T00:00:00", {}, "a zone"},
        {"1970-01-01T00:00:00.0001Z", {}, "smaller parts"}},
       asked()},
      {"text of local times",
       f(Kind::Utf8),
       f(timestamp(TimeUnit::Nano)),
       {{"1970-01-01T00:00:00.000000001", 1},
        {"1970-01-01T00:00:00Z", {}, "without a zone"},
        {"9999-01-01T00:00:00", {}, "fits"}},
       asked()},
      {"text of times",
       f(Kind::Utf8),
       f(time32(TimeUnit::Second)),
       {{"12:30:00", 45000}, {"24:00:00", {}}},
       asked()},
  };
  CastOptions of_system = ranged({0, 49672});
  of_system.values_as_text = true;
  cases.push_back({"text of dates that a system has",
                   f(Kind::Utf8),
                   f(Kind::Date32),
                   {{"1970-01-01", 0}, {"1969-12-31", {}, "from 1970-01-01"}},
                   of_system});
  return cases;
}

INSTANTIATE_TEST_SUITE_P(Asked, CastTest, ::testing::ValuesIn(asked_cases()));
INSTANTIATE_TEST_SUITE_P(Integers, CastTest, ::testing::ValuesIn(integer_cases()));
INSTANTIATE_TEST_SUITE_P(Times, CastTest, ::testing::ValuesIn(time_cases()));
INSTANTIATE_TEST_SUITE_P(Numbers, CastTest, ::testing::ValuesIn(number_cases()));
INSTANTIATE_TEST_SUITE_P(Texts, CastTest, ::testing::ValuesIn(text_cases()));
INSTANTIATE_TEST_SUITE_P(Nested, CastTest, ::testing::ValuesIn(nested_cases()));

TEST(CastFindingsTest, SayWhatMayBeRefusedAndShowAWitness) {
  const auto only = [](const Field& from, const Field& to, const CastOptions& options = {}) {
    const CompiledCast cast = compile_cast({{from}, {}}, {{to}, {}}, options);
    Findings worst;
    for (const Finding& finding : cast.findings()) {
      if (finding.effect != Effect::None) worst.push_back(finding);
    }
    EXPECT_EQ(worst.size(), 1U);
    return worst.empty() ? Finding{} : worst[0];
  };
  Finding finding = only(f(Kind::Int64), f(Kind::Int8));
  EXPECT_EQ(finding.rule, "range.narrowed");
  EXPECT_EQ(finding.effect, Effect::Refused);
  EXPECT_EQ(finding.witness, "128");
  EXPECT_EQ(finding.path.text(), "c");
  finding = only(f(timestamp(TimeUnit::Nano, "UTC")), f(timestamp(TimeUnit::Micro, "UTC")));
  EXPECT_EQ(finding.rule, "unit.coarser");
  EXPECT_EQ(finding.witness, "1970-01-01T00:00:00.000000001Z");
  finding = only(f(timestamp(TimeUnit::Nano)), f(timestamp(TimeUnit::Micro)), rounding());
  EXPECT_EQ(finding.effect, Effect::Altered);
  finding = only(f(decimal(128, 10, 2)), f(decimal(128, 10, 0)));
  EXPECT_EQ(finding.rule, "digits.fewer");
  EXPECT_EQ(finding.witness, "0.01");
  finding = only(f(Kind::Int32), f(Kind::Int32, false));
  EXPECT_EQ(finding.rule, "null.refused");
}

TEST(CastFindingsTest, TrustASourcesPromise) {
  CastOptions options;
  options.source = [](const Field&) { return Refinement{.range = Range{0, 100}}; };
  const CompiledCast cast = compile_cast({{f(Kind::Int64)}, {}}, {{f(Kind::Int8)}, {}}, options);
  for (const Finding& finding : cast.findings()) EXPECT_EQ(finding.effect, Effect::None);
  // The kernel does not: data may break the promise.
  const Schema schema{{f(Kind::Int64)}, {}};
  EXPECT_EQ(cast.run(testing::make_batch(schema, {items({300})})).bad.size(), 1U);
}

/// Half to even, by numbers of 128 bits.
Int128 plainly_rounded(Int128 value, Int128 divisor) {
  Int128 quotient = value / divisor;
  Int128 rest = value % divisor;
  if (rest < 0) {
    rest += divisor;
    --quotient;
  }
  if (2 * rest > divisor || (2 * rest == divisor && quotient % 2 != 0)) ++quotient;
  return quotient;
}

TEST(CastTest, RoundsTicksAsPlainly) {
  constexpr int64_t kSmall = int64_t{1} << 51;
  std::mt19937_64 random(3);
  for (const auto& [from, to, divisor] :
       {std::tuple(TimeUnit::Micro, TimeUnit::Second, int64_t{1'000'000}),
        std::tuple(TimeUnit::Nano, TimeUnit::Second, int64_t{1'000'000'000}),
        std::tuple(TimeUnit::Micro, TimeUnit::Milli, int64_t{1'000})}) {
    for (const int64_t most : {kSmall, kMax64}) {
      std::vector<int64_t> values = {0, 1, -1, kSmall - 1, -kSmall, most - 1, -most};
      if (most == kMax64) values.insert(values.end(), {kMax64, kMin64, kSmall, -kSmall - 1});
      for (int i = 0; i < 400; ++i) {
        const int64_t any = static_cast<int64_t>(random() >> (random() % 52)) % most;
        const int64_t half = any / divisor * divisor + divisor / 2;
        values.push_back(any);
        for (int64_t near : {half - 1, half, half + 1, -half - 1, -half, -half + 1}) {
          if (near >= -most && near < most) values.push_back(near);
        }
      }
      Case test{"rounded", f(timestamp(from, "UTC")), f(timestamp(to, "UTC")), {}, {}};
      test.options.round = true;
      for (const int64_t value : values) {
        test.values.push_back({value, Value(plainly_rounded(value, divisor))});
      }
      run_case(test);
    }
  }
}

TEST(CastTest, WidensDecimalsAsPlainly) {
  std::mt19937_64 random(4);
  for (const auto& [digits, shift] :
       {std::pair(50, 0), std::pair(38, 0), std::pair(20, 0), std::pair(76, 38), std::pair(50, 12),
        std::pair(40, 30), std::pair(76, 70)}) {
    for (const int bits : {32, 64, 128}) {
      const int given = bits == 32 ? 9 : bits == 64 ? 18 : 38;
      Case test{"widened", f(decimal(bits, given, 2)), f(decimal(256, digits, 2 + shift)), {}, {}};
      for (int i = 0; i < 300; ++i) {
        Int128 value = static_cast<Int128>(static_cast<Uint128>(random()) << 64 | random());
        value %= power_of_ten_128(1 + static_cast<int>(random() % static_cast<uint64_t>(given)));
        Int256 wanted(value);
        const bool fits = multiply_by_power_of_ten(&wanted, shift) && fits_digits(wanted, digits);
        test.values.push_back({Value(value), fits ? std::optional<Value>(wanted) : std::nullopt});
      }
      run_case(test);
    }
  }
}

TEST(CastTest, ViewsOfEverySizeAreTheirText) {
  std::mt19937_64 random(5);
  for (const Kind kind : {Kind::Utf8, Kind::Binary}) {
    for (const size_t most : {size_t{12}, size_t{40}}) {
      Case test{
          "views", f(kind), f(kind == Kind::Utf8 ? Kind::Utf8View : Kind::BinaryView), {}, {}};
      for (int i = 0; i < 200; ++i) {
        std::string text(random() % (most + 1), 'x');
        for (char& c : text) c = static_cast<char>('a' + random() % 26);
        test.values.push_back({bytes(text), bytes(text)});
        if (i % 7 == 0) test.values.push_back({null(), null()});
      }
      run_case(test);
    }
  }
}

TEST(CastTest, SharesWhatDoesNotChange) {
  const Schema from{{Field("a", Kind::Int64), Field("b", Kind::Utf8)}, {}};
  const Schema to{{Field("b", Kind::Binary), Field("a", Kind::Uint64)}, {}};
  Batch batch = testing::make_batch(from, {items({1, "x"}), items({2, "y"})});
  const void* numbers = batch.array.children[0].buffers[1];
  const void* texts = batch.array.children[1].buffers[2];
  Batch out = compile_cast(from, to).run(std::move(batch));
  EXPECT_EQ(out.array.children[0].buffers[2], texts);
  EXPECT_EQ(out.array.children[1].buffers[1], numbers);
  EXPECT_TRUE(compile_cast(from, from).is_identity());
}

TEST(CastTest, HalfNansOfAnyBitsAreOneKey) {
  const Schema schema{{f(map(Field("key", Kind::HalfFloat, false), f(Kind::Int32)))}, {}};
  Batch batch = testing::make_batch(schema, {items({items({items({0.5, 1}), items({0.25, 2})})}),
                                             items({items({items({0.5, 3})})})});
  Array rows = batch.array;
  Array& keys = rows.children[0].children[0].children[0];
  Buffer halves(keys.length * 2);
  const uint16_t bits[] = {0x7e00, 0xfe01, 0x7e00};
  ASSERT_EQ(keys.length, 3);
  std::memcpy(halves.as<void>(), bits, sizeof bits);
  keys.buffers[1] = halves.as<void>();
  keys.owners.push_back(halves.owner());
  batch.array = rows;
  CastOptions once;
  once.duplicate_keys = DuplicateKeys::Error;
  const Batch out = compile_cast(schema, schema, once).run(std::move(batch));
  ASSERT_EQ(out.bad.size(), 1U);
  EXPECT_EQ(out.bad[0].index, 0);
}

TEST(CastTest, RefusesNullsThatTheSchemaDoesNotAllowWhereAsked) {
  const auto schema = [](bool nullable) {
    const Field x("x", Kind::Int32, nullable);
    return Schema{
        {Field("a", Kind::Int32, nullable), Field("s", struct_({x})), Field("l", list(x), nullable),
         Field("v", list(x, Kind::ListView)), Field("f", fixed_size_list(x, 1)),
         Field("m", map(Field("key", Kind::Int32, false), x))},
        {}};
  };
  const Value one = items({1});
  const Value gap = items({null()});
  const Value pair = items({items({1, 1})});
  const std::vector<Value> rows = {
      items({1, one, one, one, one, pair}),
      items({1, null(), items({}), null(), null(), null()}),
      items({null(), one, one, one, one, pair}),
      items({1, gap, one, one, one, pair}),
      items({1, one, null(), one, one, pair}),
      items({1, one, gap, one, one, pair}),
      items({1, one, one, gap, one, pair}),
      items({1, one, one, one, gap, pair}),
      items({1, one, one, one, one, items({items({1, null()})})}),
  };
  CastOptions strict;
  strict.check_required = true;
  Batch batch = testing::make_batch(schema(true), rows);
  const Batch out = compile_cast(schema(false), schema(false), strict).run(std::move(batch));
  std::vector<std::string> paths;
  for (const BadRow& bad : out.bad) {
    EXPECT_THAT(bad.error.describe(), ::testing::HasSubstr("expected a value, found null"));
    EXPECT_EQ(static_cast<size_t>(bad.index), paths.size() + 2);
    paths.push_back(bad.error.place().path.text());
  }
  EXPECT_THAT(paths, ::testing::ElementsAre("a", "s.x", "l", "l[]", "v[]", "f[]", "m{value}"));
  EXPECT_TRUE(compile_cast(schema(false), schema(false)).is_identity());
}

/// Below a null, bytes may be anything; as text they would make the whole array invalid.
TEST(CastTest, TextBelowANullIsTextToo) {
  const auto nested = [](Kind kind) {
    return Schema{
        {f(list(f(kind))), f(list(f(kind), Kind::LargeList)), f(fixed_size_list(f(kind), 1)),
         f(struct_({f(kind)})), f(map(Field("key", kind, false), f(kind)))},
        {}};
  };
  const Value one = items({"\xff"});
  const Schema from = nested(Kind::Binary);
  Batch batch = testing::make_batch(
      from, {items({one, one, one, one, items({items({"\xff", "\xff"})})}),
             items({items({"a"}), items({"a"}), items({"a"}), items({"a"}), items({})})});
  Array rows = batch.array;
  for (Array& column : rows.children) {
    Buffer bits(1);
    *bits.as<uint8_t>() = 0b10;
    column.buffers[0] = bits.as<void>();
    column.owners.push_back(bits.owner());
    column.null_count = 1;
  }
  batch.array = rows;
  const Schema to = nested(Kind::Utf8);
  Batch out = compile_cast(from, to).run(std::move(batch));
  EXPECT_TRUE(out.bad.empty());
  const Array cast = out.array;
  std::function<void(const Array&)> look = [&](const Array& array) {
    if (array.children.empty()) {
      for (int64_t i = 0; i < array.length; ++i) {
        if (!is_valid(array, i)) continue;
        const auto* at = array.values<int32_t>() + i;
        EXPECT_EQ(std::string(array.raw<char>(2) + at[0], array.raw<char>(2) + at[1]), "a");
      }
    }
    for (const Array& child : array.children) look(child);
  };
  for (const Array& column : cast.children) {
    EXPECT_FALSE(is_valid(column, 0));
    EXPECT_TRUE(is_valid(column, 1));
    look(column);
  }
}

/// Below a null list, items that are never null have no null: readers refuse arrays that have.
TEST(CastTest, ItemsBelowANullFixedSizeListAreAsDeclared) {
  const Field whole("whole", Kind::Int32, false);
  const Field inner("item", struct_({whole}), false);
  for (const Kind kind : {Kind::Int8, Kind::Int64}) {
    const Field narrow("item", struct_({Field("whole", kind, false)}), false);
    for (const Type& from : {fixed_size_list(narrow, 2), list(narrow)}) {
      for (const std::vector<Value>& rows :
           {std::vector<Value>{items({null()})},
            {items({null()}), items({items({items({1}), items({2})})})}}) {
        const Schema schema{{f(from)}, {}};
        const Schema to{{f(fixed_size_list(inner, 2))}, {}};
        const Batch out = compile_cast(schema, to).run(testing::make_batch(schema, rows));
        EXPECT_TRUE(out.bad.empty());
        const Array& lists = out.array.children[0];
        EXPECT_EQ(count_nulls(lists), 1);
        EXPECT_EQ(count_nulls(lists.children[0]), 0);
        EXPECT_EQ(count_nulls(lists.children[0].children[0]), 0);
      }
    }
  }
}

// An instant of seconds that the target stores as milliseconds, and a duration as a number: values
// become those of the type between first.
TEST(CastTest, GoesThroughTheMeaning) {
  struct Way {
    Field from;
    Field between;
    Field to;
    std::vector<Pair> values;
  };
  const std::vector<Way> ways = {
      {f(Kind::Int64),
       f(timestamp(TimeUnit::Second)),
       f(timestamp(TimeUnit::Milli)),
       {{5, 5000}, {-1, -1000}, {kMax64, {}}}},
      {f(duration(TimeUnit::Micro)),
       f(duration(TimeUnit::Second)),
       f(Kind::Int64),
       {{2000000, 2}, {1500000, {}, "whole number of s"}}},
      {f(Kind::Int64), f(duration(TimeUnit::Milli)), f(duration(TimeUnit::Micro)), {{3, 3000}}},
      {f(time32(TimeUnit::Milli)),
       f(time32(TimeUnit::Second)),
       f(Kind::Int64),
       {{2000, 2}, {1500, {}}}},
      {f(Kind::Int64),
       f(time32(TimeUnit::Second)),
       f(Kind::Int64),
       {{86399, 86399}, {86400, {}}, {-1, {}}}},
      {f(Kind::Utf8), f(Kind::Int8), f(Kind::Utf8), {}},
  };
  for (const Way& way : ways) {
    auto meanings = std::make_shared<Meanings>();
    const Between between = way.values.empty() ? Between::Cast : Between::Stored;
    meanings->at[Path::column("c")] = {{way.between, nullptr, between}};
    CastOptions options;
    options.meanings = meanings;
    const Schema from{{way.from}, {}};
    const Schema to{{way.to}, {}};
    if (way.values.empty()) {
      // The user requested a number; storing it as text again was not requested.
      EXPECT_THROW(compile_cast(from, to, options), Error);
      continue;
    }
    std::vector<Value> rows;
    for (const Pair& pair : way.values) rows.push_back(items({pair.from}));
    const Batch out = compile_cast(from, to, options).run(testing::make_batch(from, rows));
    const std::vector<Value> got = testing::read_batch(to, out);
    std::vector<bool> refused(rows.size(), false);
    for (const BadRow& bad : out.bad) refused[static_cast<size_t>(bad.index)] = true;
    for (size_t i = 0; i < rows.size(); ++i) {
      EXPECT_EQ(refused[i], !way.values[i].to.has_value()) << to_text(rows[i]);
      if (!way.values[i].to) continue;
      EXPECT_EQ(got[i], items({*way.values[i].to}));
    }
  }
  // A date means nothing as a duration, though both are stored as integers.
  auto meanings = std::make_shared<Meanings>();
  meanings->at[Path::column("c")] = {{f(duration(TimeUnit::Milli)), nullptr, Between::Cast}};
  CastOptions options;
  options.meanings = meanings;
  EXPECT_THROW(compile_cast({{f(Kind::Date32)}, {}}, {{f(Kind::Int64)}, {}}, options), Error);
}

// Every column without a way is named with its first reason, and so is each that is lacking.
TEST(CastTest, NamesAllColumnsWithoutAWay) {
  const Field number("x", Kind::Int64);
  const Field item_of("x", list(number));
  const Schema from{
      {Field("a", Kind::Int64), item_of, Field("x", Kind::Bool),
       Field("s", struct_({item_of, Field("y", list(number))})),
       Field("u", union_({Field("p", Kind::Bool)}, Kind::DenseUnion)), Field("m", Kind::Date32)},
      {}};
  const Schema to{
      {Field("m", Kind::Int64), Field("must", Kind::Int64, false), Field("a", Kind::Int64), number,
       Field("x", Kind::Bool), Field("s", struct_({number, Field("y", Kind::Int64)})),
       Field("u", union_({Field("q", Kind::Bool)}, Kind::DenseUnion)), Field("may", Kind::Int64),
       Field("too", Kind::Utf8, false)},
      {}};
  auto meanings = std::make_shared<Meanings>();
  meanings->at[Path::column("m")] = {{f(duration(TimeUnit::Milli)), nullptr, Between::Cast}};
  CastOptions options;
  options.meanings = meanings;
  NoCast none;
  EXPECT_FALSE(find_cast(from, to, options, &none));
  const auto paths_of = [](const std::map<size_t, Error>& columns) {
    std::vector<std::pair<size_t, std::string>> out;
    for (const auto& [place, why] : columns) {
      EXPECT_EQ(why.code(), ErrorCode::Unsupported);
      out.emplace_back(place, why.place().path.text());
    }
    return out;
  };
  using ::testing::ElementsAre;
  using ::testing::Pair;
  EXPECT_THAT(paths_of(none.of_source),
              ElementsAre(Pair(1, "x"), Pair(3, "s.x"), Pair(4, "u<p>"), Pair(5, "m")));
  EXPECT_THAT(paths_of(none.of_target), ElementsAre(Pair(1, "must"), Pair(8, "too")));
  ASSERT_TRUE(none.first);
  EXPECT_EQ(none.first->place().path.text(), "m");
  try {
    (void)compile_cast(from, to, options);
    FAIL() << "a cast without a way was compiled";
  } catch (const Error& error) {
    EXPECT_EQ(error.describe(), none.first->describe());
  }
}

// The entries of a dictionary are looked at as values of a plain column are.
TEST(CastTest, LooksAtTheEntriesOfDictionariesAndRuns) {
  for (const Type& type : {dictionary(Kind::Int32, Kind::Utf8), dictionary(Kind::Int8, Kind::Utf8),
                           dictionary(Kind::Uint16, Kind::LargeUtf8),
                           run_end_encoded(Kind::Int32, Field("values", Kind::Utf8))}) {
    const Schema from{{f(type)}, {}};
    const Schema to{{with_extension(f(type), "arrow.json")}, {}};
    const CompiledCast cast = compile_cast(from, to);
    ASSERT_FALSE(cast.is_identity()) << to_string(type);
    const Batch out = cast.run(testing::make_batch(
        from, {items({"{}"}), items({"{"}), items({null()}), items({"1"}), items({"{"})}));
    std::vector<int64_t> refused;
    for (const BadRow& bad : out.bad) refused.push_back(bad.index);
    EXPECT_THAT(refused, ::testing::ElementsAre(1, 4)) << to_string(type);
    EXPECT_TRUE(compile_cast(to, from).is_identity()) << to_string(type);
  }
}

TEST(CastTest, RefusesMoreDistinctValuesThanADictionaryNumbers) {
  std::vector<Value> rows;
  for (int i = 0; i < 200; ++i) rows.push_back(items({i % 150}));
  const Schema from{{f(Kind::Int32)}, {}};
  const Schema to{{f(dictionary(Kind::Int8, Kind::Int32))}, {}};
  Batch out = compile_cast(from, to).run(testing::make_batch(from, rows));
  ASSERT_EQ(out.bad.size(), 22u);
  EXPECT_EQ(out.bad[0].index, 128);
}

TEST(CastTest, ReadsTextOnlyWhereSomebodyAskedForTheType) {
  const Field number("c", Kind::Int64);
  const Field text("c", Kind::Utf8);
  EXPECT_THROW(compile_cast({{number}, {}}, {{text}, {}}), Error);
  EXPECT_THROW(compile_cast({{text}, {}}, {{number}, {}}), Error);
  CastOptions elsewhere;
  auto meanings = std::make_shared<Meanings>();
  meanings->at[Path::column("d")] = {{Field("d", Kind::Utf8), nullptr, Between::Cast}};
  elsewhere.meanings = meanings;
  EXPECT_THROW(compile_cast({{number}, {}}, {{text}, {}}, elsewhere), Error);
  const CompiledCast written = compile_cast({{number}, {}}, {{text}, {}}, asked());
  ASSERT_EQ(written.findings().size(), 1U);
  EXPECT_EQ(written.findings()[0].rule, "text.from-value");
  EXPECT_EQ(written.findings()[0].effect, Effect::None);
  const CompiledCast read = compile_cast({{text}, {}}, {{number}, {}}, asked());
  ASSERT_EQ(read.findings().size(), 1U);
  EXPECT_EQ(read.findings()[0].rule, "text.to-value");
  EXPECT_EQ(read.findings()[0].effect, Effect::Refused);
  // Two spellings of one number would be one key twice.
  const auto map_of = [](Kind key) {
    return Field("c", map(Field("key", key, false), Field("value", Kind::Int64)));
  };
  EXPECT_NO_THROW(compile_cast({{map_of(Kind::Int64)}, {}}, {{map_of(Kind::Utf8)}, {}}, asked()));
  EXPECT_THROW(compile_cast({{map_of(Kind::Utf8)}, {}}, {{map_of(Kind::Int64)}, {}}, asked()),
               Error);
}

TEST(CastTest, ThrowsWhereThereIsNoWay) {
  try {
    compile_cast({{Field("s", struct_({Field("x", Kind::Bool)}))}, {}},
                 {{Field("s", struct_({Field("x", Kind::Utf8)}))}, {}});
    FAIL() << "expected an error";
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), ErrorCode::Unsupported);
    EXPECT_EQ(error.place().path.text(), "s.x");
  }
}

TEST(FilterTest, DropsBadRowsOfEveryType) {
  const std::string long_text = "a text of more than twelve bytes";
  const std::vector<std::pair<Type, std::vector<Value>>> columns = {
      {Kind::Null, {null(), null(), null(), null()}},
      {Kind::Bool, {1, 0, null(), 1}},
      {Kind::Int32, {1, 2, null(), 4}},
      {decimal(256, 50, 1), {1, -2, null(), 4}},
      {Kind::Utf8, {"a", "", null(), long_text}},
      {Kind::LargeBinary, {"a", "", null(), long_text}},
      {Kind::Utf8View, {"a", "", null(), long_text}},
      {fixed_size_binary(2), {"ab", "cd", null(), "ef"}},
      {list(f(Kind::Int8)), {items({1}), items({}), null(), items({2, 3})}},
      {list(f(Kind::Int8), Kind::ListView), {items({1}), items({}), null(), items({2, 3})}},
      {fixed_size_list(f(Kind::Int8), 2),
       {items({1, 2}), items({3, 4}), null(), items({null(), 6})}},
      {struct_({f(Kind::Int8)}), {items({1}), items({null()}), null(), items({2})}},
      {utf8_map(), {items({items({"a", 1})}), items({}), null(), items({items({"b", null()})})}},
      {abc_union(),
       {alternative(0, 1), alternative(1, "a"), alternative(0, 2), alternative(1, "b")}},
      {abc_union(Kind::SparseUnion),
       {alternative(0, 1), alternative(1, "a"), alternative(0, 2), alternative(1, "b")}},
      {dictionary(Kind::Int16, Kind::Utf8), {"a", "b", null(), "a"}},
      {run_end_encoded(Kind::Int16, f(Kind::Int8)), {1, 1, null(), 2}},
      {Kind::IntervalMonthDayNano, {items({1, 2, 3}), items({4, 5, 6}), null(), items({7, 8, 9})}},
  };
  Schema schema;
  std::vector<Value> rows(4, items({}));
  for (const auto& [type, values] : columns) {
    schema.fields.emplace_back("c" + std::to_string(schema.fields.size()), type);
    for (size_t i = 0; i < rows.size(); ++i) rows[i].items.push_back(values[i]);
  }
  for (const std::vector<int64_t>& bad :
       {std::vector<int64_t>{1}, std::vector<int64_t>{0, 2}, std::vector<int64_t>{0, 1, 2, 3}}) {
    Batch batch = testing::make_batch(schema, rows);
    batch.first_row = 70;
    std::vector<Value> expected;
    for (size_t i = 0; i < rows.size(); ++i) {
      if (std::ranges::find(bad, static_cast<int64_t>(i)) == bad.end()) expected.push_back(rows[i]);
    }
    for (const int64_t row : bad) {
      batch.bad.push_back({row, Error(ErrorCode::Input, "no"), "raw"});
    }
    std::vector<BadRow> dropped;
    Batch out = drop_bad_rows(std::move(batch), schema, &dropped);
    EXPECT_TRUE(out.bad.empty());
    ASSERT_EQ(dropped.size(), bad.size());
    EXPECT_EQ(dropped[0].error.place().row, static_cast<uint64_t>(70 + bad[0]));
    EXPECT_EQ(testing::read_batch(schema, std::move(out)), expected);
  }
}

TEST(ChecksTest, LooksIntoLayoutsAndAlternatives) {
  const Field text("s", Kind::Utf8);
  const Field time("s", time32(TimeUnit::Second));
  const Field decimal_of_3("s", decimal(128, 3, 1));
  const Field number("i", Kind::Int64);
  const auto unions = [&](const Field& field, Kind kind) { return union_({number, field}, kind); };
  struct Column {
    Type type;
    std::vector<Value> rows;
    std::string path;
  };
  std::vector<Column> cases;
  const std::vector<std::tuple<Field, Value, Value>> leaves = {
      {text, Value("a"), Value("\xff")},
      {time, Value(5), Value(86400)},
      {decimal_of_3, Value(999), Value(1000)},
  };
  for (const auto& [leaf, good, bad] : leaves) {
    for (const Kind kind : {Kind::DenseUnion, Kind::SparseUnion}) {
      const Type both = unions(leaf, kind);
      cases.push_back(
          {both,
           {alternative(1, good), alternative(0, 7), alternative(1, bad), alternative(1, good)},
           "c<s>"});
      cases.push_back({list(Field("item", both)),
                       {items({alternative(0, 1), alternative(1, good)}), null(),
                        items({alternative(1, good), alternative(1, bad)}), items({})},
                       "c[]<s>"});
    }
    const Type runs = run_end_encoded(Kind::Int32, Field("values", leaf.type));
    cases.push_back({runs, {good, good, bad, good}, "c"});
    cases.push_back(
        {unions(Field("s", runs), Kind::DenseUnion),
         {alternative(0, 1), alternative(1, good), alternative(1, bad), alternative(0, 1)},
         "c<s>"});
    cases.push_back({dictionary(Kind::Int8, leaf.type), {good, null(), bad, good}, "c"});
  }
  for (const Column& test : cases) {
    SCOPED_TRACE(to_string(test.type));
    const Schema schema{{f(test.type)}, {}};
    std::vector<Value> rows;
    for (const Value& value : test.rows) rows.push_back(items({value}));
    const CompiledCast checks = compile_checks(schema);
    Batch checked = checks.run(testing::make_batch(schema, rows));
    ASSERT_EQ(checked.bad.size(), 1U);
    EXPECT_EQ(checked.bad[0].index, 2);
    EXPECT_EQ(checked.bad[0].error.place().path.text(), test.path);
    // What was refused is in no layout any more, shown or not.
    std::vector<BadRow> dropped;
    Batch kept = drop_bad_rows(std::move(checked), schema, &dropped);
    const Array& column = kept.array.children[0];
    Schema below;
    Batch inner;
    if (column.dictionary) {
      below.fields = {Field("c", test.type.child().type)};
      inner.array.children = {*column.dictionary};
    } else if (test.type.kind() == Kind::SparseUnion || test.type.kind() == Kind::DenseUnion) {
      below.fields = {test.type.child(1)};
      inner.array.children = {column.children[1]};
    } else {
      continue;
    }
    inner.array.length = inner.array.children[0].length;
    inner.array.buffers = {nullptr};
    EXPECT_TRUE(compile_checks(below).run(std::move(inner)).bad.empty());
  }
}

TEST(ChecksTest, RefusesNullsOfAlternativesThatAreRequired) {
  for (const Kind kind : {Kind::DenseUnion, Kind::SparseUnion}) {
    const Schema schema{
        {f(union_({Field("i", Kind::Int64, false), Field("s", Kind::Utf8)}, kind), false)}, {}};
    CastOptions options;
    options.check_required = true;
    const CompiledCast cast = compile_cast(schema, schema, options);
    Batch batch =
        testing::make_batch(schema, {items({alternative(0, 1)}), items({alternative(0, null())}),
                                     items({alternative(1, null())})});
    Batch checked = cast.run(std::move(batch));
    ASSERT_EQ(checked.bad.size(), 1U);
    EXPECT_EQ(checked.bad[0].index, 1);
    EXPECT_EQ(checked.bad[0].error.place().path.text(), "c<i>");
  }
}

TEST(CastTest, PairsMembersByNameOnly) {
  const auto struct_of = [](std::vector<std::string> names, bool nullable = true) {
    std::vector<Field> fields;
    for (std::string& name : names) fields.emplace_back(std::move(name), Kind::Int8, nullable);
    return Schema{std::move(fields), {}};
  };
  const auto found = [](const CompiledCast& cast) {
    std::vector<std::string> out;
    for (const Finding& finding : cast.findings()) {
      out.push_back(std::string(finding.rule) + " " + finding.path.text());
    }
    return out;
  };
  // Another name is another column, however alike the two are.
  const CompiledCast other = compile_cast(struct_of({"a", "b"}), struct_of({"a", "c"}));
  EXPECT_EQ(found(other), (std::vector<std::string>{"member.added c", "member.left-out b"}));
  const Schema ab = struct_of({"a", "b"});
  Batch out = other.run(testing::make_batch(ab, {items({1, 2})}));
  EXPECT_EQ(testing::read_batch(struct_of({"a", "c"}), std::move(out)),
            std::vector<Value>{items({1, null()})});
  EXPECT_THROW(compile_cast(struct_of({"a", "b"}), struct_of({"a", "c"}, false)), Error);
  // Unless it is said to be the same.
  CastOptions options;
  options.renames["b"] = {{"c", "as requested", true}};
  const CompiledCast renamed = compile_cast(ab, struct_of({"c", "a"}), options);
  EXPECT_EQ(found(renamed), (std::vector<std::string>{"name.changed b", "order.changed "}));
  out = renamed.run(testing::make_batch(ab, {items({1, 2})}));
  EXPECT_EQ(testing::read_batch(struct_of({"c", "a"}), std::move(out)),
            std::vector<Value>{items({2, 1})});
  // The k-th of a name goes with the k-th.
  const CompiledCast twice = compile_cast(struct_of({"a", "a", "b"}), struct_of({"b", "a", "a"}));
  out = twice.run(testing::make_batch(struct_of({"a", "a", "b"}), {items({1, 2, 3})}));
  EXPECT_EQ(testing::read_batch(struct_of({"b", "a", "a"}), std::move(out)),
            std::vector<Value>{items({3, 1, 2})});
}

TEST(CastTest, AlikeMembersAreCastAndRefusedEachAtItsPath) {
  // In wide structs, members like an earlier one are compiled when they first run.
  constexpr size_t kMembers = 40;
  std::vector<Field> from;
  std::vector<Field> to;
  for (size_t i = 0; i < kMembers; ++i) {
    const std::string name = "column_" + std::to_string(i);
    const bool times = i % 2 != 0;
    from.emplace_back(name, times ? timestamp(TimeUnit::Micro) : Type(Kind::Int64));
    to.emplace_back(name, times ? timestamp(TimeUnit::Second) : Type(Kind::Int32), i % 4 != 2);
  }
  for (const bool nested : {false, true}) {
    const Schema source = nested ? Schema{{Field("s", struct_(from))}, {}} : Schema{from, {}};
    const Schema target = nested ? Schema{{Field("s", struct_(to))}, {}} : Schema{to, {}};
    const CompiledCast cast = compile_cast(source, target);
    std::vector<std::string> wide;
    for (const Finding& finding : cast.findings()) {
      if (finding.rule == "range.narrowed") wide.push_back(finding.path.text());
    }
    EXPECT_EQ(wide.size(), kMembers / 2);
    std::vector<Value> rows;
    std::vector<Value> wanted;
    const auto row = [&](const std::vector<Value>& members) {
      return nested ? items({items(members)}) : items(members);
    };
    for (size_t bad = 0; bad < kMembers; ++bad) {
      std::vector<Value> given;
      std::vector<Value> cast_to;
      for (size_t i = 0; i < kMembers; ++i) {
        const auto number = static_cast<int64_t>(1 + i + bad);
        given.emplace_back(i % 2 == 0 ? number : number * 1'000'000);
        cast_to.emplace_back(number);
      }
      given[bad] = bad % 2 == 0 ? Value(kMax64) : Value(int64_t{1'500'000});
      rows.push_back(row(given));
      wanted.push_back(row(cast_to));
    }
    Batch out = cast.run(testing::make_batch(source, rows));
    ASSERT_EQ(out.bad.size(), kMembers);
    for (size_t i = 0; i < kMembers; ++i) {
      const std::string name = (nested ? "s.column_" : "column_") + std::to_string(i);
      EXPECT_EQ(out.bad[i].error.place().path.text(), name);
    }
    const std::vector<Value> got = testing::read_batch(target, std::move(out));
    for (size_t bad = 0; bad < kMembers; ++bad) {
      const Value& members = nested ? got[bad].items[0] : got[bad];
      const Value& hoped = nested ? wanted[bad].items[0] : wanted[bad];
      for (size_t i = 0; i < kMembers; ++i) {
        if (i == bad) continue;
        EXPECT_EQ(members.items[i], hoped.items[i]) << bad << ", " << i;
      }
    }
  }
}

TEST(CastTest, PairsAlternativesByNameOnly) {
  const auto of = [](std::vector<std::string> names) {
    std::vector<Field> fields;
    for (std::string& name : names) fields.emplace_back(std::move(name), Kind::Int8, false);
    return fields;
  };
  const auto members = [&](std::vector<std::string> names) {
    std::vector<Field> fields = of(std::move(names));
    for (Field& field : fields) field.nullable = true;
    return struct_(std::move(fields));
  };
  const auto cast_one = [](const Type& from, const Type& to, Value value,
                           const Renames& renames = {}) {
    const Schema source{{f(from)}, {}};
    const Schema target{{f(to)}, {}};
    CastOptions options;
    options.renames = renames;
    Batch out = compile_cast(source, target, options)
                    .run(testing::make_batch(source, {items({std::move(value)})}));
    EXPECT_TRUE(out.bad.empty());
    return testing::read_batch(target, std::move(out)).front().items[0];
  };
  const Type twice = union_(of({"a", "a"}));
  const Renames second = {{"c<a>", {{"a", "", false}, {"a_2", "twice", false}}}};
  // Union to union, to the struct of its alternatives, and back.
  EXPECT_EQ(cast_one(twice, union_(of({"a", "a"}), Kind::SparseUnion), alternative(1, 7)),
            alternative(1, 7));
  EXPECT_EQ(cast_one(twice, union_(of({"a", "a_2"})), alternative(1, 7), second),
            alternative(1, 7));
  EXPECT_EQ(cast_one(union_(of({"a", "b"})), union_(of({"b", "a"})), alternative(1, 7)),
            alternative(0, 7));
  EXPECT_EQ(cast_one(union_(of({"a", "b"})), members({"b", "a"}), alternative(0, 7)),
            items({null(), 7}));
  EXPECT_EQ(cast_one(twice, members({"a", "a_2"}), alternative(1, 7), second), items({null(), 7}));
  EXPECT_EQ(cast_one(members({"a", "b"}), union_(of({"b", "a"})), items({null(), 7})),
            alternative(0, 7));
  EXPECT_EQ(cast_one(members({"a", "a"}), twice, items({null(), 7})), alternative(1, 7));
  EXPECT_THROW(cast_one(twice, members({"a", "b"}), alternative(1, 7)), Error);
  EXPECT_THROW(cast_one(members({"a", "b"}), twice, items({null(), 7})), Error);
}

TEST(FilterTest, SlicesWithoutLosingValues) {
  const Schema schema{{Field("a", Kind::Bool), Field("b", list(f(Kind::Int8)))}, {}};
  std::vector<Value> rows;
  for (int i = 0; i < 40; ++i) rows.push_back(items({i % 3 == 0 ? 1 : 0, items({i, null()})}));
  Batch batch = testing::make_batch(schema, rows);
  batch.bad.push_back({12, Error(ErrorCode::Input, "no"), {}});
  Batch out = slice(std::move(batch), 11, 20);
  EXPECT_EQ(out.first_row, 11);
  ASSERT_EQ(out.bad.size(), 1U);
  EXPECT_EQ(out.bad[0].index, 1);
  EXPECT_EQ(testing::read_batch(schema, std::move(out)),
            std::vector<Value>(rows.begin() + 11, rows.begin() + 31));
}

// Below a row that is not there, a required item or member has a placeholder and no null.
TEST(TakeTest, WhatIsNotThereIsNullOnlyWhereThatIsAllowed) {
  const Type pair =
      struct_({Field("required", Kind::Utf8, false), Field("optional", Kind::Utf8, true)});
  const Schema schema{{f(fixed_size_list(Field("item", pair, false), 1))}, {}};
  const Batch batch =
      testing::make_batch(schema, {items({items({items({Value("a"), Value("b")})})})});
  const std::vector<int64_t> rows = {0, -1};
  const Array taken = cast::take(batch.array.children[0], schema.fields[0].type, rows);
  EXPECT_EQ(count_nulls(taken), 1);
  const Array& pairs = taken.children[0];
  EXPECT_EQ(count_nulls(pairs), 0);
  EXPECT_EQ(count_nulls(pairs.children[0]), 0);
  EXPECT_EQ(count_nulls(pairs.children[1]), 1);
}

// Readers look up indices wherever no null forbids it.
TEST(CastTest, IndicesOfADictionaryAreThereUnderNulls) {
  const Schema plain{{f(Kind::Utf8)}, {}};
  const Schema encoded{{f(dictionary(Kind::Int64, Kind::Utf8))}, {}};
  std::vector<Value> rows(200, items({null()}));
  rows.push_back(items({Value("a")}));
  const Batch out = compile_cast(plain, encoded).run(testing::make_batch(plain, rows));
  const auto* indices = out.array.children[0].values<int64_t>(1);
  EXPECT_EQ(std::count(indices, indices + 201, 0), 201);
}

// Entries are cast instead of rows, which are refused only for the values they show.
TEST(CastTest, DictionariesThatStayHoldWhatTheCastGives) {
  struct Entries {
    Type from;
    Type to;
    std::vector<Value> values;
  };
  const std::vector<Entries> cases = {
      {Kind::Utf8, Kind::Utf8, {"a", "", "ключ", null()}},
      {Kind::LargeUtf8, Kind::Utf8, {"a", "b", null()}},
      {Kind::Utf8View, Kind::Utf8, {"a", "more than twelve bytes", "b"}},
      {Kind::Binary, Kind::Utf8, {"a", "\xff", "b", null()}},
      {Kind::Int64, Kind::Int8, {1, 300, -128}},
      {list(Field("item", Kind::Int64)),
       list(Field("item", Kind::Int8)),
       {items({1}), items({300})}},
  };
  uint32_t random = 5;
  for (const Entries& test : cases) {
    for (const Kind index : {Kind::Int8, Kind::Int32, Kind::Uint32, Kind::Uint64}) {
      for (const int count : {0, 1, 40}) {
        const Schema from{{f(dictionary(index, test.from))}, {}};
        const Schema to{{f(test.to)}, {}};
        SCOPED_TRACE(to_string(from.fields[0].type) + " to " + to_string(test.to));
        // The last entries are no row's now and then.
        std::vector<Value> rows;
        for (int i = 0; i < count; ++i) {
          random = random * 1664525 + 1013904223;
          rows.push_back(items({test.values[(random >> 16) % test.values.size()]}));
        }
        const Batch batch = testing::make_batch(from, rows);
        const CompiledCast plain = compile_cast(from, to);
        const auto all = [](size_t) { return true; };
        const auto none = [](size_t) { return false; };
        const CompiledCast kept = keep_dictionaries(plain, from, all);
        EXPECT_EQ(kept.to().fields[0].type, dictionary(Kind::Int32, test.to));
        EXPECT_EQ(keep_dictionaries(plain, from, none).to(), to);
        const Batch expected = plain.run(batch);
        // Whole, and as two slices that share the dictionary.
        for (const int64_t cut : {int64_t{0}, batch.rows() / 2}) {
          for (const auto& [begin, end] : {std::pair(int64_t{0}, cut), {cut, batch.rows()}}) {
            const Batch found = kept.run(slice(batch, begin, end - begin));
            const Batch wanted = slice(expected, begin, end - begin);
            ASSERT_EQ(found.bad.size(), wanted.bad.size());
            for (size_t i = 0; i < found.bad.size(); ++i) {
              EXPECT_EQ(found.bad[i].index, wanted.bad[i].index);
              EXPECT_EQ(found.bad[i].error.message(), wanted.bad[i].error.message());
            }
            const Batch good = drop_bad_rows(found, kept.to(), nullptr);
            EXPECT_EQ(testing::read_batch(kept.to(), good),
                      testing::read_batch(to, drop_bad_rows(wanted, to, nullptr)));
          }
        }
      }
    }
  }
}

TEST(CastTest, DictionariesStayWhereNoNullIsRefused) {
  const Schema from{{f(dictionary(Kind::Int32, Kind::Utf8))}, {}};
  const Schema to{{Field("c", Kind::Utf8, false)}, {}};
  const CompiledCast plain = compile_cast(from, to);
  EXPECT_EQ(keep_dictionaries(plain, from, [](size_t) { return true; }).to(), to);
}

}  // namespace
}  // namespace xwalk::hub
