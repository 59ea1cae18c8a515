// Lines that are transcoded in one pass against the same lines by the way that knows everything.

#include "xwalk/yt/json_transcoder.h"

#include <array>
#include <cstddef>
#include <cstdint>
#include <random>
#include <string>
#include <string_view>
#include <utility>

#include <gtest/gtest.h>

#include "tests/rounds.h"
#include "xwalk/yson/writer.h"
#include "xwalk/yt/forms.h"

namespace xwalk::yt {
namespace {

constexpr std::string_view kSchema =
    "<strict=%false>[{name=a;type_v3=int64};{name=b;type_v3={type_name=optional;item=uint64}};"
    "{name=real;type_v3={type_name=optional;item=double}};{name=flag;type_v3={type_name=optional;"
    "item=bool}};{name=text_of_row;type_v3={type_name=optional;item=utf8}};{name=bytes;type_v3="
    "{type_name=optional;item=string}};{name=any;type_v3={type_name=optional;item=yson}};{name="
    "\"\xD0\xB8\xD0\xBC\xD1\x8F\";type_v3={type_name=optional;item=int8}};{name=\"a \\\"b\\\"\";"
    "type_v3={type_name=optional;item=int64}};{name=\"$d\";type_v3={type_name=optional;item=int64}"
    "};{name=list;type_v3={type_name=optional;item={type_name=list;item=double}}};{name=s;type_v3="
    "{type_name=optional;item={type_name=struct;members=[{name=x;type=uint8};{name=yy;type={"
    "type_name=optional;item=string}}]}}};{name=t;type_v3={type_name=optional;item={type_name=tuple"
    ";elements=[{type=double};{type=uint64}]}}};{name=v;type_v3={type_name=optional;item={type_name"
    "=variant;members=[{name=one;type=double};{name=two;type=uint64}]}}};{name=w;type_v3={type_name"
    "=optional;item={type_name=variant;elements=[{type=double};{type=uint64}]}}};{name=d;type_v3={"
    "type_name=optional;item={type_name=dict;key=string;value=double}}};{name=o;type_v3={type_name="
    "optional;item={type_name=optional;item=double}}};"
    "{name=a_name_that_is_longer_than_one_compare;type_v3={type_name=optional;item=int64}}]";

constexpr auto kKeys = std::to_array<const char*>(
    {R"("a")", R"("b")", R"("real")", R"("flag")", R"("text_of_row")", R"("bytes")", R"("any")",
     "\"\xD0\xB8\xD0\xBC\xD1\x8F\"", R"("a \"b\"")", R"("$$d")", R"("list")", R"("s")", R"("t")",
     R"("v")", R"("w")", R"("d")", R"("o")", R"("a_name_that_is_longer_than_one_compare")",
     // Not in any column, or not keys.
     R"("")", R"("A")", R"("real\u0031")", R"("\u0061")", R"("$d")", R"("$value")", "\"\xFF\"",
     "\"\xC3\xA9\"", R"("x)", "a", R"("text_of_row_)", "\"t\tb\"", R"("b\)"});

constexpr auto kScalars = std::to_array<const char*>(
    {"0",
     "-0",
     "00",
     "-",
     "1",
     "-1",
     "01",
     "-01",
     "12345678",
     "123456789012345678",
     "9223372036854775807",
     "9223372036854775808",
     "-9223372036854775808",
     "-9223372036854775809",
     "18446744073709551615",
     "18446744073709551616",
     "99999999999999999999",
     "100000000000000000000000",
     "0.0",
     "-0.0",
     "-0.",
     ".5",
     "1.",
     "1.5",
     "-1.25",
     "00.5",
     "0.1",
     "3.141592653589793",
     "0.30000000000000004",
     "123456789.123456789",
     "1e5",
     "1E+5",
     "1e-5",
     "-1.5e300",
     "1e309",
     "-1e309",
     "1e-400",
     "5e-324",
     "2.2250738585072011e-308",
     "1e",
     "1e+",
     "1.5e",
     "1.e5",
     "0.1234567890123456789012345",
     "9007199254740993",
     "9007199254740993.0",
     "12345678901234567890.5",
     "+1",
     "1u",
     "0x1",
     "1-",
     "1.2.3",
     "1_",
     "true",
     "false",
     "tru",
     "truee",
     "True",
     "null",
     "nul",
     "nulll",
     "NaN",
     "nan",
     "inf",
     "-inf",
     "Infinity",
     R"("")",
     R"("x")",
     R"("nan")",
     R"("inf")",
     R"("-inf")",
     R"("5")",
     R"("1.5")",
     R"("true")",
     R"("fifteen bytes..")",
     R"("sixteen bytes...")",
     R"("thirty-two bytes are here, 32...")",
     R"("more than sixty-four bytes make the length of this string two bytes long in YSON")",
     R"("\n")",
     R"("a\"b")",
     R"("\\")",
     R"("\\\"")",
     R"("\u00e9")",
     R"("\u20AC \ud83d\ude00")",
     R"("\ud83d")",
     R"("\x41")",
     R"("\)",
     R"("\")",
     R"("\u12")",
     "\"\xC3\xA9\"",
     "\"\xD0\xB6\"",
     "\"\xC3\x83\xC2\xA9\"",
     "\"\xFF\"",
     "\"\xC3\"",
     "\"a\tb\"",
     "\"a\x01\"",
     "\"\x7F\"",
     R"("after a long plain part \n")",
     "'x'",
     "x",
     "<a=1>#",
     "#"});

class Lines {
 public:
  explicit Lines(uint64_t seed) : random_(seed) {}

  std::string row() {
    out_.clear();
    white();
    object(0, true);
    white();
    if (one_in(40)) out_ += one_in(2) ? "," : "{}";
    if (one_in(12)) damage();
    return out_;
  }

 private:
  uint64_t below(uint64_t count) { return random_() % count; }
  bool one_in(uint64_t count) { return below(count) == 0; }
  void white() {
    constexpr auto kWhite = std::to_array<const char*>({" ", "\t", "\r", "  ", " \t ", "\v"});
    if (spaced_ ? one_in(2) : one_in(60)) out_ += kWhite[below(one_in(50) ? 6 : 5)];
  }
  /// A plain value has nothing unusual, so that the rest of its row is read.
  void scalar() {
    constexpr auto kPlain =
        std::to_array<const char*>({"0", "17", "-3", "1.5", "null", "true", R"("x")", "4.0"});
    out_ += one_in(6) ? kScalars[below(kScalars.size())] : kPlain[below(kPlain.size())];
  }
  void value(int depth) {
    const uint64_t what = depth > 4 ? 0 : below(8);
    if (what == 7) {
      object(depth + 1, false);
    } else if (what == 6) {
      array(depth + 1);
    } else {
      scalar();
    }
  }
  void array(int depth) {
    out_ += '[';
    const uint64_t items = below(4);
    for (uint64_t i = 0; i < items; ++i) {
      if (i > 0) out_ += ',';
      white();
      if (i == 0 && one_in(3)) {
        out_ += one_in(2) ? R"("two")" : "1";
      } else {
        value(depth);
      }
      white();
    }
    if (one_in(60)) out_ += ',';
    white();
    out_ += one_in(100) ? '}' : ']';
  }
  void object(int depth, bool top) {
    if (top) spaced_ = one_in(3);
    out_ += '{';
    white();
    const uint64_t keys = below(6);
    uint64_t next = below(kKeys.size());
    for (uint64_t i = 0; i < keys; ++i) {
      if (i > 0) out_ += ',';
      white();
      // In order, mostly.
      next = one_in(4) ? below(kKeys.size()) : (next + 1) % 18;
      out_ += !top && one_in(2) ? (one_in(2) ? R"("x")" : R"("yy")") : kKeys[next];
      white();
      out_ += one_in(200) ? '=' : ':';
      white();
      value(depth);
      white();
    }
    if (one_in(60)) out_ += ',';
    out_ += one_in(100) ? ']' : '}';
  }
  void damage() {
    if (out_.empty()) return;
    const size_t at = below(out_.size());
    switch (below(3)) {
      case 0:
        out_.resize(at);
        break;
      case 1:
        out_.erase(at, 1);
        break;
      default:
        out_[at] = static_cast<char>(below(256));
    }
  }

  std::mt19937_64 random_;
  std::string out_;
  bool spaced_ = false;
};

ValueOptions options_of(int form) {
  ValueOptions options;
  options.json.living = true;
  options.json.encode_utf8 = (form & 1) != 0;
  options.json.stringify = (form & 2) != 0;
  options.json.plain = (form & 4) != 0;
  options.json.not_finite = (form & 8) != 0 ? NotFinite::Unquoted : NotFinite::Refuse;
  if ((form & 16) != 0) options.complex_type_mode = ComplexTypeMode::Positional;
  return json_values(options);
}

/// What a row became, and what is known of its strings.
struct Outcome {
  bool taken = false;
  std::string yson;
  uint64_t as_bytes = 0;
  uint64_t as_text = 0;
  std::string fault;

  friend bool operator==(const Outcome&, const Outcome&) = default;
};

template <typename Take>
Outcome outcome_of(const JsonTranscoder& compiled, const std::string& line, const Take& take) {
  std::string padded = line + std::string(JsonTranscoder::kPadding, '}');
  JsonTranscoder transcoder = compiled;
  yson::Buffer out;
  out.append("before");
  Outcome outcome;
  outcome.taken = take(&transcoder, std::string_view(padded).substr(0, line.size()), &out);
  outcome.yson = out.view();
  outcome.as_bytes = transcoder.strings().as_bytes;
  outcome.as_text = transcoder.strings().as_text;
  if (!outcome.taken) outcome.fault = transcoder.fault().message;
  return outcome;
}

void expect_same(const JsonTranscoder& compiled, const std::string& line) {
  const Outcome one = outcome_of(compiled, line, [](JsonTranscoder* its, auto text, auto* out) {
    return its->row(text, out);
  });
  const Outcome other = outcome_of(compiled, line, [](JsonTranscoder* its, auto text, auto* out) {
    return its->careful_row(text, out);
  });
  // Only the careful way reports errors. Strings before an error are counted by both or neither.
  ASSERT_EQ(one.taken, other.taken) << line;
  ASSERT_EQ(one.yson, other.yson) << line;
  ASSERT_EQ(one.fault, other.fault) << line;
  if (one.taken) {
    ASSERT_EQ(one.as_bytes, other.as_bytes) << line;
    ASSERT_EQ(one.as_text, other.as_text) << line;
  }
}

TEST(JsonTranscoder, OnePassIsTheCarefulWay) {
  const TableSchema table = parse_table_schema(kSchema);
  for (int form = 0; form < 32; ++form) {
    for (const TableSchema* schema : {&table, static_cast<const TableSchema*>(nullptr)}) {
      const JsonTranscoder transcoder(schema, options_of(form));
      Lines lines(static_cast<uint64_t>(form) + 1);
      for (unsigned i = 0; i < test::rounds(600); ++i) {
        ASSERT_NO_FATAL_FAILURE(expect_same(transcoder, lines.row())) << form;
      }
    }
  }
}

TEST(JsonTranscoder, EveryScalarInEveryColumn) {
  const TableSchema table = parse_table_schema(kSchema);
  for (int form : {0, 1, 8}) {
    const JsonTranscoder transcoder(&table, options_of(form));
    for (const char* key : kKeys) {
      for (const char* scalar : kScalars) {
        for (const auto& [before, behind] :
             {std::pair("{", "}"), std::pair("{\"a\":1,", " , \"b\":2}"), std::pair("{", "")}) {
          const std::string line = std::string(before) + key + ":" + scalar + behind;
          ASSERT_NO_FATAL_FAILURE(expect_same(transcoder, line)) << form;
        }
        const std::string nested = std::string("{") + key + ":[[" + scalar + "," + scalar + "]]}";
        ASSERT_NO_FATAL_FAILURE(expect_same(transcoder, nested)) << form;
      }
    }
  }
}

TEST(JsonTranscoder, LongLinesAndDeepOnes) {
  const TableSchema table = parse_table_schema(kSchema);
  const JsonTranscoder transcoder(&table, options_of(0));
  for (const int depth : {1, 31, 32, 33, 254, 255, 256, 1100}) {
    for (const char* open : {"[", "{\"x\":"}) {
      std::string line = "{\"any\":";
      for (int i = 0; i < depth; ++i) line += open;
      line += "1";
      for (int i = 0; i < depth; ++i) line += *open == '[' ? ']' : '}';
      line += '}';
      ASSERT_NO_FATAL_FAILURE(expect_same(transcoder, line)) << depth;
    }
  }
  // As much as a row of numbers grows, below and above what is made room for at once.
  for (const size_t count : {1000, 100'000, 600'000}) {
    std::string line = "{\"list\":[1";
    for (size_t i = 0; i < count; ++i) line += ",2";
    ASSERT_NO_FATAL_FAILURE(expect_same(transcoder, line + "]}"));
  }
}

/// The order of keys is learned from row to row, and never changes the result.
TEST(JsonTranscoder, WhatWasBeforeDoesNotMatter) {
  const TableSchema table = parse_table_schema(kSchema);
  JsonTranscoder one(&table, options_of(0));
  JsonTranscoder other(&table, options_of(0));
  Lines lines(7);
  for (unsigned i = 0; i < test::rounds(20'000); ++i) {
    const std::string line = lines.row();
    std::string padded = line + std::string(JsonTranscoder::kPadding, ' ');
    const auto text = std::string_view(padded).substr(0, line.size());
    yson::Buffer quick;
    yson::Buffer careful;
    ASSERT_EQ(one.row(text, &quick), other.careful_row(text, &careful)) << line;
    ASSERT_EQ(quick.view(), careful.view()) << line;
  }
}

}  // namespace
}  // namespace xwalk::yt
