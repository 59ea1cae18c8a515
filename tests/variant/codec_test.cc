#include <algorithm>
#include <fstream>
#include <random>
#include <string>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "tests/rounds.h"
#include "tests/yson/random_node.h"
#include "xwalk/base/hex.h"
#include "xwalk/base/text.h"
#include "xwalk/variant/metadata.h"
#include "xwalk/variant/transcode.h"
#include "xwalk/yson/parse.h"
#include "xwalk/yson/print.h"

namespace xwalk::variant {
namespace {

using yson::Node;

struct Owned {
  std::string metadata;
  std::string value;
  Fault fault = Fault::None;

  Encoded view() const { return {metadata, value}; }
};

Owned finished(const Outcome& outcome, Writer* writer, const yson::Buffer& value) {
  if (!outcome.ok()) return {.fault = outcome.fault};
  yson::Buffer metadata;
  writer->finish(&metadata);
  return {.metadata = std::string(metadata.view()), .value = std::string(value.view())};
}

Owned from_yson(std::string_view text) {
  Writer writer;
  yson::Buffer out;
  return finished(write_yson_variant(text, &writer, &out), &writer, out);
}

Owned from_json(std::string_view text) {
  Writer writer;
  yson::Buffer out;
  return finished(write_json_variant(text, &writer, &out), &writer, out);
}

std::string to_yson(const Encoded& variant, Foreign foreign = Foreign::Refuse) {
  Reader reader;
  yson::Buffer out;
  const Outcome outcome = reader.to_yson(variant, yson::Format::Text, foreign, &out);
  return outcome.ok() ? std::string(out.view()) : "! " + std::string(describe(outcome.fault));
}

std::string to_json(const Encoded& variant, Foreign foreign = Foreign::Refuse) {
  Reader reader;
  yson::Buffer out;
  const Outcome outcome = reader.to_json(variant, foreign, &out);
  return outcome.ok() ? std::string(out.view()) : "! " + std::string(describe(outcome.fault));
}

Fault check(std::string_view metadata_hex, std::string_view value_hex) {
  const std::string metadata = from_hex(std::string(metadata_hex));
  const std::string value = from_hex(std::string(value_hex));
  return Reader().check({metadata, value}).fault;
}

TEST(Variant, ReadsValuesOfSpark) {
  std::ifstream file(XWALK_TEST_DATA "/variant/spark.json");
  const auto cases = nlohmann::json::parse(file);
  ASSERT_GT(cases.size(), 25U);
  for (const auto& one : cases) {
    SCOPED_TRACE(one["name"]);
    const std::string metadata = from_hex(one["metadata"].get<std::string>());
    const std::string value = from_hex(one["value"].get<std::string>());
    const Encoded variant{metadata, value};
    EXPECT_EQ(nlohmann::json::parse(to_json(variant, Foreign::Text)), one["json"]);
    // Rewritten, it is the same value.
    Writer writer;
    yson::Buffer out;
    const Owned again = finished(Reader().to_variant(variant, &writer, &out), &writer, out);
    EXPECT_EQ(to_json(again.view(), Foreign::Text), to_json(variant, Foreign::Text));
    EXPECT_LE(again.value.size(), value.size());
  }
}

TEST(Variant, WritesTheBytesOfTheSpecification) {
  EXPECT_EQ(to_hex(from_yson("#").value), "00");
  EXPECT_EQ(to_hex(from_yson("%true").value), "04");
  EXPECT_EQ(to_hex(from_yson("%false").value), "08");
  EXPECT_EQ(to_hex(from_yson("-128").value), "0c80");
  EXPECT_EQ(to_hex(from_yson("128").value), "108000");
  EXPECT_EQ(to_hex(from_yson("-32769").value), "14ff7fffff");
  EXPECT_EQ(to_hex(from_yson("2147483648").value), "180000008000000000");
  EXPECT_EQ(to_hex(from_yson("5u").value), "200005000000");
  EXPECT_EQ(to_hex(from_yson("1.5").value), "1c000000000000f83f");
  EXPECT_EQ(to_hex(from_yson("abc").value), "0d616263");
  EXPECT_EQ(to_hex(from_yson("\"\\xff\"").value), "3c01000000ff");
  EXPECT_EQ(to_hex(from_yson("[1;[]]").value),
            "0302000205"
            "0c01"
            "030000");
  // The values keep their order; ids and offsets have the order of the names.
  const Owned object = from_yson("{b=1;a=2}");
  EXPECT_EQ(to_hex(object.metadata),
            "0102000102"
            "6261");
  EXPECT_EQ(to_hex(object.value),
            "02020100020004"
            "0c01"
            "0c02");
  EXPECT_EQ(to_yson(object.view()), "{\"b\"=1;\"a\"=2;}");
  EXPECT_EQ(to_hex(from_yson("{a=1;b=2}").metadata),
            "1102000102"
            "6162");
}

/// The value as it comes back: maps must be without attributes and repeated keys.
bool has_variant(const Node& node) {
  if (!node.attributes().empty()) return false;
  if (node.is(Node::Kind::List)) return std::ranges::all_of(node.as_list(), has_variant);
  if (!node.is(Node::Kind::Map)) return true;
  std::vector<std::string_view> keys;
  for (const auto& [key, value] : node.as_map()) {
    if (!is_valid_utf8(key) || !has_variant(value)) return false;
    keys.push_back(key);
  }
  std::ranges::sort(keys);
  return std::ranges::adjacent_find(keys) == keys.end();
}

TEST(Variant, KeepsEveryYsonValueThatItAccepts) {
  yson::testing::RandomNode random(7);
  // One writer and one reader for all, as in a column.
  Writer writer;
  Reader reader;
  int accepted = 0;
  for (int i = 0; i < 20000; ++i) {
    const Node node = random();
    const std::string binary = yson::print(node, yson::Format::Binary);
    yson::Buffer value;
    const Outcome outcome = write_yson_variant(binary, &writer, &value);
    ASSERT_EQ(outcome.ok(), has_variant(node)) << yson::print(node, yson::Format::Text);
    if (!outcome.ok()) continue;
    ++accepted;
    const Owned variant = finished(outcome, &writer, value);
    yson::Buffer out;
    const Outcome back =
        reader.to_yson(variant.view(), yson::Format::Binary, Foreign::Refuse, &out);
    ASSERT_TRUE(back.ok()) << describe(back.fault);
    // The same bytes: the order of keys and the kinds of numbers too.
    ASSERT_EQ(to_hex(out.view()), to_hex(binary));
    const Owned fresh = from_yson(binary);
    ASSERT_EQ(to_hex(fresh.metadata), to_hex(variant.metadata));
    ASSERT_EQ(to_hex(fresh.value), to_hex(variant.value));
    yson::Buffer again;
    ASSERT_EQ(finished(reader.to_variant(variant.view(), &writer, &again), &writer, again).value,
              variant.value);
  }
  EXPECT_GT(accepted, 5000);
}

TEST(Variant, RefusesWhatYsonHasAlone) {
  EXPECT_EQ(from_yson("<a=1>2").fault, Fault::Attributes);
  EXPECT_EQ(from_yson("[<a=1>2]").fault, Fault::Attributes);
  EXPECT_EQ(from_yson("{a=1;b=2;a=3}").fault, Fault::RepeatedKey);
  EXPECT_EQ(from_yson("{\"\\xff\"=1}").fault, Fault::NotText);
  EXPECT_EQ(from_yson("{a=").fault, Fault::Yson);
  EXPECT_EQ(from_yson("1 2").fault, Fault::Yson);
  const std::string deep = std::string(255, '[') + std::string(255, ']');
  EXPECT_EQ(from_yson(deep).fault, Fault::None);
  EXPECT_EQ(to_json(from_yson(deep).view()), deep);
  EXPECT_EQ(from_yson("[" + deep + "]").fault, Fault::TooDeep);
}

TEST(Variant, ReadsJson) {
  const auto trip = [](std::string_view json) { return to_json(from_json(json).view()); };
  for (const std::string_view same :
       {"null", "true", "false", "0", "-1", "9223372036854775807", "18446744073709551615",
        "-99999999999999999999999999999999999999", "1.50", "0.1", "-0.0", "1e+21", "\"\"",
        "\"a\\n\\u0000é\"", "[]", "{}", "{\"b\":[1,{\"a\":null}],\"a\":\"x\"}"}) {
    EXPECT_EQ(trip(same), same);
  }
  EXPECT_EQ(trip(" [ 1 , 2.0e3 ,\"\\ud83d\\ude00\\/\" ] "), "[1,2000.0,\"\U0001F600/\"]");
  // Decimals have no negative zero.
  EXPECT_EQ(trip("-0"), "-0.0");
  for (const std::string_view wrong :
       {"",           " ",         "nul",   "nullx",   "01",     "1.",       ".5",
        "+1",         "1e",        "\"",    "\"\\x\"", "\"\n\"", "[1,]",     "[1 2]",
        "{\"a\":1,}", "{\"a\" 1}", "{a:1}", "[",       "1 1",    "\"\\u12\""}) {
    EXPECT_EQ(from_json(wrong).fault, Fault::Json) << wrong;
  }
  EXPECT_EQ(from_json("\"\\ud800\"").fault, Fault::NotText);
  EXPECT_EQ(from_json("\"\xff\"").fault, Fault::NotText);
  EXPECT_EQ(from_json("1e400").fault, Fault::Number);
  EXPECT_EQ(from_json("1" + std::string(38, '0')).fault, Fault::Number);
  EXPECT_EQ(from_json("{\"a\":1,\"a\":1}").fault, Fault::RepeatedKey);
  EXPECT_EQ(from_json(std::string(256, '[')).fault, Fault::TooDeep);
}

TEST(Variant, SaysWhatYsonAndJsonLack) {
  struct Case {
    std::string_view value;
    std::string_view yson;
    std::string_view yson_text;
    std::string_view json;
    std::string_view json_text;
    /// As text if empty.
    std::string_view yson_number = {};
    std::string_view json_number = {};
  };
  const std::string date = "! a date";
  const std::string time = "! a time";
  const std::string timestamp = "! a timestamp";
  const std::string decimal = "! " + std::string(describe(Fault::DecimalDigits));
  const std::string uuid = "! a UUID";
  const std::string not_finite = "! " + std::string(describe(Fault::NotFinite));
  const std::string not_text = "! " + std::string(describe(Fault::NotText));
  const std::string text_bytes = "! " + std::string(describe(Fault::TextBytes));
  const Case cases[] = {
      {"2ce24e0000", date, "\"2025-04-16\"", date, "\"2025-04-16\"", "20194", "20194"},
      {"30e05297dde7320600", timestamp, "\"2025-04-16T16:34:56.78Z\"", timestamp,
       "\"2025-04-16T16:34:56.78Z\"", "1744821296780000", "1744821296780000"},
      {"34e05297dde7320600", timestamp, "\"2025-04-16T16:34:56.78\"", timestamp,
       "\"2025-04-16T16:34:56.78\"", "1744821296780000", "1744821296780000"},
      {"440500000000000000", time, "\"00:00:00.000005\"", time, "\"00:00:00.000005\"", "5", "5"},
      {"48ffffffffffffffff", timestamp, "\"1969-12-31T23:59:59.999999999Z\"", timestamp,
       "\"1969-12-31T23:59:59.999999999Z\"", "-1", "-1"},
      {"380000c03f", "1.5", "1.5", "1.5", "1.5"},
      {"380000c07f", "%nan", "%nan", not_finite, "\"nan\""},
      {"1c000000000000f07f", "%inf", "%inf", not_finite, "\"inf\""},
      // The shortest text of the double is the decimal.
      {"2002d2040000", "12.34", "\"12.34\"", "12.34", "12.34", "12.34"},
      {"2000ffffffff", "-1", "-1", "-1", "-1"},
      {"280100000000000000000000000000000001", decimal,
       "\"132922799578491587290380706028034457.6\"", "132922799578491587290380706028034457.6",
       "132922799578491587290380706028034457.6", "1.329227995784916e+35"},
      {"3c0100000061", text_bytes, "\"a\"", not_text, "\"YQ==\""},
      {"3c01000000ff", "\"\\xFF\"", "\"\\xFF\"", not_text, "\"/w==\""},
      {"50f24f9b6481fa49d1b74e8c09a6e31c56", uuid, "\"f24f9b64-81fa-49d1-b74e-8c09a6e31c56\"", uuid,
       "\"f24f9b64-81fa-49d1-b74e-8c09a6e31c56\""},
  };
  const std::string metadata = from_hex("010000");
  for (const Case& one : cases) {
    SCOPED_TRACE(one.value);
    const std::string value = from_hex(std::string(one.value));
    const Encoded variant{metadata, value};
    EXPECT_EQ(to_yson(variant), one.yson);
    EXPECT_EQ(to_yson(variant, Foreign::Text), one.yson_text);
    EXPECT_EQ(to_json(variant), one.json);
    EXPECT_EQ(to_json(variant, Foreign::Text), one.json_text);
    EXPECT_EQ(to_yson(variant, Foreign::Number),
              one.yson_number.empty() ? one.yson_text : one.yson_number);
    EXPECT_EQ(to_json(variant, Foreign::Number),
              one.json_number.empty() ? one.json_text : one.json_number);
  }
}

TEST(Variant, RefusesHostileBytes) {
  constexpr std::string_view kEmpty = "010000";
  constexpr std::string_view kAb = "01020001026162";
  EXPECT_EQ(check(kAb, "020200010002040c010c02"), Fault::None);
  // Metadata.
  EXPECT_EQ(check("", "00"), Fault::Truncated);
  EXPECT_EQ(check("0200", "00"), Fault::Version);
  EXPECT_EQ(check("01", "00"), Fault::Truncated);
  EXPECT_EQ(check("0101", "00"), Fault::Truncated);
  EXPECT_EQ(check("c1ffffffff00000000", "00"), Fault::Truncated);
  EXPECT_EQ(check("0102000302616263", "00"), Fault::TrailingBytes);
  EXPECT_EQ(check("01020103026162", "00"), Fault::Dictionary);
  EXPECT_EQ(check("010100016100", "00"), Fault::TrailingBytes);
  EXPECT_EQ(check("01010001ff", "00"), Fault::NotText);
  EXPECT_EQ(check("0102000102c3a9", "00"), Fault::NotText);
  EXPECT_EQ(check("11020001026261", "00"), Fault::Dictionary);
  EXPECT_EQ(check("11020001026161", "00"), Fault::Dictionary);
  // Repeated names in an unsorted dictionary are allowed, in an object they are not.
  EXPECT_EQ(check("01020001026161", "00"), Fault::None);
  EXPECT_EQ(check("01020001026161", "020200010002040c010c02"), Fault::FieldOrder);
  // Values.
  EXPECT_EQ(check(kEmpty, ""), Fault::Truncated);
  EXPECT_EQ(check(kEmpty, "0000"), Fault::TrailingBytes);
  EXPECT_EQ(check(kEmpty, "54"), Fault::UnknownType);
  EXPECT_EQ(check(kEmpty, "0c"), Fault::Truncated);
  EXPECT_EQ(check(kEmpty, "0961"), Fault::Truncated);
  EXPECT_EQ(check(kEmpty, "05ff"), Fault::NotText);
  EXPECT_EQ(check(kEmpty, "40ffffffff61"), Fault::Truncated);
  EXPECT_EQ(check(kEmpty, "202700000000"), Fault::Decimal);
  EXPECT_EQ(check(kEmpty, "2800ffffffffffffffffffffffffffffff7f"), Fault::Decimal);
  // Objects: unknown ids, names out of order, values that overlap, leave bytes out or are missing.
  EXPECT_EQ(check(kAb, "020202010002040c010c02"), Fault::FieldId);
  EXPECT_EQ(check(kAb, "020201000002040c010c02"), Fault::FieldOrder);
  EXPECT_EQ(check(kAb, "020200010000040c010c02"), Fault::Offsets);
  EXPECT_EQ(check(kAb, "020200010001040c010c02"), Fault::Offsets);
  EXPECT_EQ(check(kAb, "020200010003050c01000c02"), Fault::Offsets);
  EXPECT_EQ(check(kAb, "020200010002050c010c02"), Fault::Truncated);
  EXPECT_EQ(check(kAb, "0202000100020a0c010c02"), Fault::Truncated);
  EXPECT_EQ(check(kAb, "020200010002030c010c02"), Fault::Truncated);
  EXPECT_EQ(check(kEmpty, "0f"), Fault::Truncated);
  EXPECT_EQ(check(kEmpty, "1fffffffff00"), Fault::Truncated);
  EXPECT_EQ(check(kEmpty,
                  "0302020004"
                  "0c010c02"),
            Fault::Offsets);
  std::string deep = from_hex("00");
  const auto nested = [](const std::string& inner) {
    return from_hex("07010000") + static_cast<char>(inner.size() & 0xFF) +
           static_cast<char>(inner.size() >> 8) + inner;
  };
  for (int i = 0; i < 255; ++i) deep = nested(deep);
  EXPECT_EQ(check(kEmpty, to_hex(deep)), Fault::None);
  EXPECT_EQ(check(kEmpty, to_hex(nested(deep))), Fault::TooDeep);
}

TEST(Variant, SurvivesEveryDamagedByte) {
  const Owned good = from_yson("{b=[1;2.5;{c=\"text\"}];a={d=5u};\"\"=#}");
  for (size_t at = 0; at < good.value.size() + good.metadata.size(); ++at) {
    for (int byte = 0; byte < 256; ++byte) {
      Owned bad = good;
      (at < good.value.size() ? bad.value[at] : bad.metadata[at - good.value.size()]) =
          static_cast<char>(byte);
      Reader reader;
      yson::Buffer out;
      const Outcome outcome = reader.to_json(bad.view(), Foreign::Text, &out);
      if (outcome.ok()) {
        ASSERT_TRUE(from_json(out.view()).fault == Fault::None) << out.view();
      }
    }
  }
}

TEST(Variant, WritesLargeObjectsAndStrings) {
  std::string yson = "{";
  for (int i = 0; i < 70000; ++i) yson += "k" + std::to_string(i) + "=" + std::to_string(i) + ";";
  yson += "}";
  const Owned object = from_yson(yson);
  ASSERT_EQ(object.fault, Fault::None);
  EXPECT_EQ(yson::parse(to_yson(object.view())), yson::parse(yson));
  for (const size_t size : {0U, 63U, 64U, 255U, 256U, 70000U}) {
    const std::string text = '"' + std::string(size, 'x') + '"';
    EXPECT_EQ(to_yson(from_yson(text).view()), text);
    EXPECT_EQ(to_yson(from_yson("[" + text + "]").view()), "[" + text + ";]");
  }
}

/// Returns a value with few names in many orders; some objects repeat a name.
std::string random_similar(std::mt19937* random, int depth) {
  const auto below = [&](unsigned limit) { return (*random)() % limit; };
  if (depth == 0 || below(4) == 0) return below(2) == 0 ? "\"text\"" : "-70000";
  const bool object = below(3) > 0;
  std::vector<std::string> items;
  const unsigned count = below(12) == 0 ? 90 : below(6);
  for (unsigned i = 0; i < count; ++i) {
    std::string name = below(100) == 0 ? "a" : std::string(i % 11, 'n') + std::to_string(i);
    if (below(9) == 0) name = '"' + name + '"';
    items.push_back((object ? name + (below(9) == 0 ? " = " : "=") : "") +
                    random_similar(random, depth - 1));
  }
  if (below(3) == 0) std::shuffle(items.begin(), items.end(), *random);
  std::string out(1, object ? '{' : '[');
  for (const std::string& item : items) out += item + ';';
  return out + (object ? '}' : ']');
}

// A writer keeps names, orders of fields, dictionaries and sizes of tables from value to value.
TEST(Variant, ValuesDoNotDependOnValuesBefore) {
  std::mt19937 random(5);
  Writer kept;
  yson::Buffer out;
  size_t faults = 0;
  constexpr size_t kValues = test::rounds(3000);
  for (size_t i = 0; i < kValues; ++i) {
    const std::string yson = random_similar(&random, 4);
    out.clear();
    const Owned value = finished(write_yson_variant(yson, &kept, &out), &kept, out);
    const Owned alone = from_yson(yson);
    ASSERT_EQ(value.fault, alone.fault) << yson;
    ASSERT_EQ(value.metadata, alone.metadata) << yson;
    ASSERT_EQ(value.value, alone.value) << yson;
    faults += value.fault == Fault::None ? 0 : 1;
    if (value.fault == Fault::None) {
      ASSERT_EQ(yson::parse(to_yson(value.view())), yson::parse(yson)) << yson;
    }
  }
  EXPECT_GT(faults, kValues / 30);
  EXPECT_LT(faults, kValues * 2 / 3);
}

}  // namespace
}  // namespace xwalk::variant
