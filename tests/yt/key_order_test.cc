#include "xwalk/yt/key_order.h"

#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "xwalk/base/error.h"
#include "xwalk/yt/forms.h"
#include "xwalk/yt/hub.h"
#include "xwalk/yt/row_decoder.h"
#include "xwalk/yt/schema.h"
#include "xwalk/yt/values.h"

namespace xwalk::yt {
namespace {

TableSchema key_of(std::vector<std::string> types, SortOrder order = SortOrder::Ascending) {
  TableSchema schema;
  for (const std::string& type : types) {
    schema.columns.emplace_back("k" + std::to_string(schema.columns.size()), parse_type(type));
    schema.columns.back().sort_order = order;
  }
  return schema;
}

/// Returns the keys of rows of one column.
std::vector<std::string> keys_of(const TableSchema& schema, const std::vector<std::string>& values,
                                 UuidOrder order) {
  ReadOptions read;
  read.values.uuid_order = order;
  std::string rows;
  for (const std::string& value : values) rows += "{k0=" + value + "};";
  RowDecoder decoder(schema, read);
  const hub::Batch batch = decoder.decode(rows, 0);
  const KeyOrder keys(decoder.schema(), decoder.schema(), order);
  std::vector<std::string> out(values.size());
  for (size_t i = 0; i < out.size(); ++i) {
    keys.append(batch.array, static_cast<int64_t>(i), &out[i]);
  }
  return out;
}

struct Case {
  const char* type;
  std::vector<std::string> ascending;
};

class Order : public testing::TestWithParam<Case> {};

TEST_P(Order, EachBeforeTheNext) {
  const auto& [type, values] = GetParam();
  for (const UuidOrder order : {UuidOrder::Rfc, UuidOrder::Raw}) {
    const std::vector<std::string> up = keys_of(key_of({type}), values, order);
    const std::vector<std::string> down =
        keys_of(key_of({type}, SortOrder::Descending), values, order);
    for (size_t a = 0; a < values.size(); ++a) {
      for (size_t b = 0; b < values.size(); ++b) {
        EXPECT_EQ(up[a] < up[b], a < b) << type << ": " << values[a] << " and " << values[b];
        EXPECT_EQ(down[a]<down[b], a> b) << type << ": " << values[a] << " and " << values[b];
      }
    }
  }
}

std::string bytes(std::string_view text) { return "\"" + std::string(text) + "\""; }

INSTANTIATE_TEST_SUITE_P(
    Types, Order,
    testing::Values(
        Case{"Optional<Int8>", {"#", "-128", "-1", "0", "1", "127"}},
        Case{"Int64", {"-9223372036854775808", "-1", "0", "9223372036854775807"}},
        Case{"Uint64", {"0u", "5u", "9223372036854775808u", "18446744073709551615u"}},
        Case{"Optional<Double>",
             {"#", "%-inf", "-2.", "-1.", "-1e-300", "0.", "1e-300", "1.", "%inf", "%nan"}},
        Case{"Float", {"%-inf", "-1.5", "0.", "1.5", "%inf", "%nan"}},
        Case{"Bool", {"%false", "%true"}},
        Case{"Optional<String>",
             {"#", bytes(""), bytes("\\0"), bytes("\\0\\1"), bytes("a"), bytes("a\\0"),
              bytes("a\\0\\xff"), bytes("ab"), bytes("b"), bytes("\\xff")}},
        Case{"Utf8", {bytes("Z"), bytes("a"), bytes("é")}}, Case{"Date32", {"-1", "0", "1"}},
        Case{"Interval", {"-1", "0", "1"}},
        // As stored: the first byte decides, which is the fourth of the text.
        Case{"Uuid",
             {bytes("\\0\\0\\0\\2\\0\\0\\0\\0\\0\\0\\0\\0\\0\\0\\0\\0"),
              bytes("\\1\\0\\0\\0\\0\\0\\0\\0\\0\\0\\0\\0\\0\\0\\0\\0")}},
        Case{"TzDate",
             {bytes("\\0\\1Europe/Moscow"), bytes("\\0\\1UTC"), bytes("\\0\\2Asia/Tokyo")}},
        Case{"Optional<Optional<Int64>>", {"#", "[#]", "[-1]", "[1]"}},
        Case{"List<Optional<Int64>>", {"[]", "[#]", "[#;1]", "[0]", "[0;#]", "[0;0]", "[1]"}},
        Case{"Tuple<String,Int64>", {"[a;2]", "[\"a\\0\";1]", "[ab;-1]", "[ab;0]", "[b;0]"}},
        Case{"Variant<Int64,String>", {"[0;5]", "[0;6]", "[1;\"\"]", "[1;a]"}},
        Case{"Optional<Variant<Int64,Optional<Int64>>>", {"#", "[0;5]", "[1;#]", "[1;-1]"}},
        Case{"Tagged<Int64,\"t\">", {"-1", "0"}},
        Case{"Optional<Yson>",
             {"#", "-1", "1", "0u", "1u", "-1.", "1.", "%nan", "%false", "%true", "\"\"", "a", "[]",
              "[#]", "[1]", "[1;#]", "[a]", "[[]]"}}));

TEST(KeyOrder, WhatIsOneKey) {
  EXPECT_EQ(keys_of(key_of({"Double"}), {"-0."}, UuidOrder::Rfc),
            keys_of(key_of({"Double"}), {"0."}, UuidOrder::Rfc));
}

TEST(KeyOrder, Decimals) {
  TableSchema schema = key_of({"Decimal(5,2)"});
  ReadOptions read;
  read.values = parse_format("<decimal_mode=text>yson");
  RowDecoder decoder(schema, read);
  const hub::Batch batch =
      decoder.decode("{k0=\"-10\"};{k0=\"-9.5\"};{k0=\"0\"};{k0=\"9.5\"};{k0=\"10\"};", 0);
  const KeyOrder keys(decoder.schema(), decoder.schema(), UuidOrder::Rfc);
  std::string before;
  for (int64_t row = 0; row < batch.rows(); ++row) {
    std::string key;
    keys.append(batch.array, row, &key);
    EXPECT_LT(before, key) << row;
    before = key;
  }
}

TEST(KeyOrder, NoOrder) {
  for (const char* value : {"{a=1}", "[{}]", "[<a=1>2]"}) {
    EXPECT_THROW(keys_of(key_of({"Optional<Yson>"}), {value}, UuidOrder::Rfc), Error) << value;
  }
}

TEST(KeyOrder, Columns) {
  TableSchema schema = key_of({"Int64", "String"});
  schema.columns[1].sort_order = SortOrder::Descending;
  schema.columns.emplace_back("v", parse_type("Int64"));
  schema.unique_keys = true;
  const hub::Schema all = to_arrow(schema);
  const KeyOrder whole(all, all, UuidOrder::Rfc);
  EXPECT_EQ(whole.names(), "\"k0\", \"k1\" descending");
  EXPECT_TRUE(whole.unique());
  // The first columns of a key have an order of their own, in which keys may be equal.
  hub::Schema some = all;
  some.fields.erase(some.fields.begin() + 1);
  const KeyOrder first(all, some, UuidOrder::Rfc);
  EXPECT_EQ(first.columns(), std::vector<std::string>{"k0"});
  EXPECT_FALSE(first.unique());
  some.fields.erase(some.fields.begin());
  EXPECT_TRUE(KeyOrder(all, some, UuidOrder::Rfc).empty());
}

}  // namespace
}  // namespace xwalk::yt
