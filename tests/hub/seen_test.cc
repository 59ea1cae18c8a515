#include "xwalk/hub/seen.h"

#include <gtest/gtest.h>

#include "tests/hub/values.h"
#include "xwalk/hub/filter.h"
#include "xwalk/hub/variant.h"

namespace xwalk::hub {
namespace {

using testing::items;
using testing::Value;

std::vector<std::string> texts(const SeenValues& seen) {
  std::vector<std::string> out;
  for (const SeenRange& range : seen.ranges()) {
    out.push_back(range.path.text() + ": " + range.smallest + " to " + range.largest);
  }
  return out;
}

const Schema& nested() {
  static const Schema kSchema{
      {Field("i", Kind::Int32), Field("l", list(Field("item", Kind::Int64))),
       Field("s", struct_({Field("d", decimal(128, 9, 2)), Field("t", Kind::Date32)})),
       Field("m", map(Field("key", Kind::Utf8, false), Field("value", Kind::Uint8)))},
      {}};
  return kSchema;
}

std::vector<Value> rows() {
  return {
      items({Value(5), items({Value(1), Value(), Value(-9)}), items({Value(150), Value(0)}),
             items({items({"a", Value(7)})})}),
      items({Value(), Value(), Value(), Value()}),
      items({Value(-3), items({}), items({Value(), Value(19000)}), items({})}),
      items({Value(4), items({Value(100)}), items({Value(-225), Value()}),
             items({items({"b", Value(255)}), items({"c", Value()})})}),
  };
}

TEST(SeenValuesTest, FindsExtremesAtEveryDepth) {
  SeenValues seen(nested());
  seen.add(testing::make_batch(nested(), rows()));
  EXPECT_EQ(texts(seen),
            (std::vector<std::string>{"i: -3 to 5", "l[]: -9 to 100", "s.d: -2.25 to 1.50",
                                      "s.t: 1970-01-01 to 2022-01-08", "m{value}: 7 to 255"}));
}

TEST(SeenValuesTest, BadRowsAndOtherSlicesDoNotCount) {
  SeenValues seen(nested());
  Batch batch = testing::make_batch(nested(), rows());
  batch.bad.push_back({0, Error(ErrorCode::Input, "bad"), ""});
  seen.add(slice(std::move(batch), 0, 3));
  EXPECT_EQ(texts(seen),
            (std::vector<std::string>{"i: -3 to -3", "s.t: 2022-01-08 to 2022-01-08"}));
}

TEST(SeenValuesTest, MergesWhatThreadsSaw) {
  SeenValues all(nested());
  for (int64_t row = 0; row < 4; ++row) {
    SeenValues one(nested());
    one.add(slice(testing::make_batch(nested(), rows()), row, 1));
    all.merge(one);
  }
  SeenValues whole(nested());
  whole.add(testing::make_batch(nested(), rows()));
  EXPECT_EQ(texts(all), texts(whole));
}

TEST(SeenValuesTest, LooksAtEverything) {
  const Schema schema{{Field("b", Kind::Bool), Field("t", Kind::Utf8), Field("f", Kind::Float),
                       Field("s", struct_({Field("i", Kind::Int32)}))},
                      {}};
  SeenValues seen(schema, Looking::Everything);
  SeenValues other = seen;
  seen.add(testing::make_batch(schema, {items({Value(true), "b", Value(0.1), Value()}),
                                        items({Value(), "", Value(-0.0), items({Value(1)})})}));
  other.add(testing::make_batch(schema, {items({Value(false), "bb", Value(0.0), items({Value()})}),
                                         items({Value(true), Value(), Value(), Value()})}));
  seen.merge(other);
  std::vector<std::string> told;
  for (const SeenPath& path : seen.paths()) {
    told.push_back(path.path.text() + ": " + std::to_string(path.nulls) + " nulls, " +
                   (path.range ? path.range->smallest + " to " + path.range->largest : "none") +
                   ", " + (path.distinct ? std::to_string(path.distinct->values) : "?"));
  }
  EXPECT_EQ(told, (std::vector<std::string>{"b: 1 nulls, false to true, 2", "t: 1 nulls,  to bb, 3",
                                            "f: 1 nulls, 0 to 0.1, 2", "s: 2 nulls, none, ?",
                                            "s.i: 1 nulls, 1 to 1, 1"}));
}

TEST(SeenValuesTest, CountsValuesOfAnyTypeByKind) {
  const Schema schema{{Field("any", Kind::Binary), Field("v", variant_type()),
                       Field("l", list(Field("item", Kind::Binary)))},
                      {}};
  Schema marked = schema;
  marked.fields[1] = with_extension(marked.fields[1], kVariantExtension);
  const auto holds_yson = [](const Field& field) {
    return field.name == "any" || field.name == "item";
  };
  const auto variant = [](std::string value) {
    return items({Value(std::string("\x01\0\0", 3)), Value(std::move(value))});
  };
  const std::vector<Value> rows = {
      items({"{a=1}", variant("\x0c\x05"), items({"[1]", Value(), "#"})}),
      items({" 5u ", variant("\x05z"), items({"<a=1>#"})}),
      items({"1.5", variant("\x04"), items({"%true", "%nan", "-7", "abc", "\"x\"", ""})}),
      items({Value(), Value(), Value()}),
      items({"\x01\x02x", variant("\x08"), items({"\x04", "\x02\x02", "\x06\x02"})}),
  };
  SeenValues whole(marked, Looking::Everything, holds_yson);
  whole.add(testing::make_batch(marked, rows));
  SeenValues merged(marked, Looking::Everything, holds_yson);
  for (int64_t row = 0; row < std::ssize(rows); ++row) {
    SeenValues one(marked, Looking::Everything, holds_yson);
    one.add(slice(testing::make_batch(marked, rows), row, 1));
    merged.merge(one);
  }
  for (const SeenValues* seen : {&whole, &merged}) {
    std::vector<std::string> counted;
    for (const SeenPath& path : seen->paths()) {
      if (path.kinds.empty()) continue;
      EXPECT_FALSE(path.range);
      std::string text = path.path.text() + ":";
      for (const auto& [kind, count] : path.kinds) {
        text.append(" ").append(kind).append(" ").append(std::to_string(count));
      }
      counted.push_back(text + ", " + std::to_string(*path.value_bytes) + " bytes");
    }
    EXPECT_EQ(counted, (std::vector<std::string>{
                           "any: map 1 string 1 uint64 1 double 1, 15 bytes",
                           "v: string 1 int64 1 boolean 2, 18 bytes",
                           "l[]: list 1 string 2 int64 2 uint64 1 double 1 boolean 2 null 1 "
                           "attributes 1 other 1, 32 bytes"}));
  }
}

}  // namespace
}  // namespace xwalk::hub
