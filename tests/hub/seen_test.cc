#include "xwalk/hub/seen.h"

#include <gtest/gtest.h>

#include "tests/hub/values.h"
#include "xwalk/hub/filter.h"

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

}  // namespace
}  // namespace xwalk::hub
