#include <algorithm>
#include <cstdint>
#include <memory>
#include <set>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "tests/yt/random_type.h"
#include "tests/yt/random_value.h"
#include "tests/yt/stored_form.h"
#include "xwalk/base/error.h"
#include "xwalk/hub/cast.h"
#include "xwalk/io/bytes/sink.h"
#include "xwalk/io/formats/yson_rows.h"
#include "xwalk/io/places/rejects.h"
#include "xwalk/io/rows/pipeline.h"
#include "xwalk/io/rows/row_order.h"
#include "xwalk/yson/parse.h"
#include "xwalk/yson/print.h"
#include "xwalk/yt/forms.h"
#include "xwalk/yt/hub.h"
#include "xwalk/yt/key_order.h"

namespace xwalk::io {
namespace {

using yson::Format;
using yson::Node;

struct Outcome {
  std::string rows;
  std::string rejects;
  Progress progress;
};

/// Moves rows through the whole pipeline, rejected ones into a file of their own.
Outcome run(const std::string& input, const yt::TableSchema& schema, int threads,
            const hub::CompiledCast* cast = nullptr, const yt::TableSchema* target = nullptr) {
  yt::ReadOptions options;
  options.skip_bad_rows = true;
  auto reader = read_yson(memory_source(input, "rows.yson"), schema, options);
  Outcome out;
  yt::ValueOptions written;
  written.format = Format::Binary;
  auto writer = write_yson(memory_sink(&out.rows), target != nullptr ? *target : schema, written);
  RejectWriter rejects(memory_sink(&out.rejects));
  PipelineOptions pipeline;
  pipeline.threads = threads;
  pipeline.skip_bad_rows = true;
  pipeline.on_bad_row = [&rejects](const hub::BadRow& row) { rejects.add(row); };
  out.progress = run_pipeline(*reader, cast, writer.get(), pipeline);
  rejects.finish();
  EXPECT_EQ(rejects.rows(), out.progress.bad_rows);
  return out;
}

const Node* find(const Node& row, std::string_view key) {
  for (const auto& [name, value] : row.as_map()) {
    if (name == key) return &value;
  }
  return nullptr;
}

/// Damages rows of text in every way that keeps the boundaries of rows.
class Damage {
 public:
  explicit Damage(uint64_t seed) : random_(seed) {}

  std::string apply(const Node::Map& row, const Node& good) {
    std::string text = yson::print(good);
    Node::Map changed = row;
    size_t column = 1 + random_.below(row.size() - 1);
    switch (random_.below(9)) {
      case 0:
        change_inside(&changed[column].second);
        return yson::print(Node::map(changed));
      case 1:
        changed.emplace_back("unknown", Node::int64(1));
        return yson::print(Node::map(changed));
      case 2:
        changed.erase(changed.begin() + static_cast<ptrdiff_t>(column));
        return yson::print(Node::map(changed));
      case 3:
        changed.push_back(changed[column]);
        return yson::print(Node::map(changed));
      case 4:
        return text.substr(0, text.size() - 1) + ";}";
      case 5:
        return text.substr(0, text.size() - 1) + "z=%maybe}";
      case 6:
        return text.substr(0, text.size() - 1) + "z=99999999999999999999999}";
      case 7:
        return random_.below(2) == 0 ? "[1;2]" : "\"a row\"";
      default:
        changed[column].second = random_.any(2);
        return yson::print(Node::map(changed));
    }
  }

  bool chance(uint64_t of) { return random_.below(of) == 0; }

 private:
  /// Puts something else at a random place of a value.
  void change_inside(Node* value) {
    if (value->is(Node::Kind::List) && !value->as_list().empty() && random_.below(4) != 0) {
      return change_inside(&value->as_list()[random_.below(value->as_list().size())]);
    }
    if (value->is(Node::Kind::Map) && !value->as_map().empty() && random_.below(4) != 0) {
      return change_inside(&value->as_map()[random_.below(value->as_map().size())].second);
    }
    *value = random_.below(4) == 0 ? Node::string("\xC3") : random_.any(2);
  }

  yt::testing::RandomValues random_;
};

struct Sample {
  yt::TableSchema schema;
  std::vector<std::string> rows;
  std::set<int64_t> damaged;
  std::string input;
};

Sample make_sample(uint64_t seed, int64_t count) {
  yt::testing::RandomTypes types(seed);
  yt::testing::RandomValues values(seed);
  Damage damage(seed);
  Sample sample;
  sample.schema.columns.emplace_back("id", yt::Type(yt::TypeKind::Int64));
  while (sample.schema.columns.size() < 5) {
    yt::Type type = types.type(3);
    yt::TableSchema one;
    one.columns.emplace_back("c", type);
    try {
      yt::to_arrow(one);
    } catch (const Error&) {
      continue;
    }
    sample.schema.columns.emplace_back("c" + std::to_string(sample.schema.columns.size()), type);
  }
  for (int64_t id = 0; id < count; ++id) {
    Node::Map row = {{"id", Node::int64(id)}};
    for (size_t i = 1; i < sample.schema.columns.size(); ++i) {
      const yt::ColumnSchema& column = sample.schema.columns[i];
      row.emplace_back(column.name, yt::from_stored(column.type, values.value(column.type), {}));
    }
    Node good = Node::map(row);
    if (damage.chance(8)) {
      sample.damaged.insert(id);
      sample.rows.push_back(damage.apply(row, good));
    } else {
      sample.rows.push_back(yson::print(good));
    }
    sample.input += sample.rows.back() + (damage.chance(2) ? ";\n" : " ; ");
  }
  return sample;
}

/// Checks that every row went one way or the other, and returns the numbers of the rejected ones.
std::set<int64_t> check(const Sample& sample, const Outcome& out, bool from_source) {
  auto count = static_cast<int64_t>(sample.rows.size());
  EXPECT_EQ(out.progress.rows + out.progress.bad_rows, static_cast<uint64_t>(count));
  std::set<int64_t> rejected;
  for (const Node& reject : yson::parse_list_fragment(out.rejects)) {
    int64_t row = find(reject, "row")->as_int64();
    EXPECT_TRUE(rejected.empty() || *rejected.rbegin() < row) << "out of order: " << row;
    rejected.insert(row);
    EXPECT_FALSE(find(reject, "reason")->as_string().empty());
    if (!from_source) continue;
    EXPECT_EQ(find(reject, "file")->as_string(), "rows.yson");
    EXPECT_NE(find(reject, "line"), nullptr);
    // The row, unchanged: as a value if it is YSON, else its bytes.
    const std::string& source = sample.rows[static_cast<size_t>(row)];
    if (const Node* value = find(reject, "value")) {
      EXPECT_EQ(yson::print(*value), yson::print(yson::parse(source)));
    } else {
      EXPECT_EQ(find(reject, "source")->as_string(), source);
    }
  }
  std::set<int64_t> kept;
  for (const Node& row : yson::parse_list_fragment(out.rows)) {
    kept.insert(find(row, "id")->as_int64());
  }
  EXPECT_EQ(kept.size(), out.progress.rows);
  EXPECT_EQ(rejected.size(), out.progress.bad_rows);
  for (int64_t row = 0; row < count; ++row) {
    EXPECT_NE(kept.contains(row), rejected.contains(row)) << "row " << row;
  }
  return rejected;
}

TEST(BadRows, RowsInAreRowsOutAndRowsRejected) {
  for (uint64_t seed = 1; seed <= 24; ++seed) {
    Sample sample = make_sample(seed, 300);
    SCOPED_TRACE("seed " + std::to_string(seed) + "\n" +
                 yt::print(sample.schema, yt::SchemaForm::Yson));
    Outcome out = run(sample.input, sample.schema, 1);
    std::set<int64_t> rejected = check(sample, out, true);
    EXPECT_FALSE(rejected.empty());
    // A row that was not touched is never refused, and comes out whole.
    for (int64_t row : rejected) EXPECT_TRUE(sample.damaged.contains(row)) << "row " << row;
    for (const Node& row : yson::parse_list_fragment(out.rows)) {
      int64_t id = find(row, "id")->as_int64();
      if (sample.damaged.contains(id)) continue;
      EXPECT_EQ(yson::print(row), sample.rows[static_cast<size_t>(id)]);
    }
  }
}

TEST(BadRows, ThreadsFindTheSameRows) {
  for (uint64_t seed = 31; seed <= 32; ++seed) {
    // More than one piece: pieces are of about a million bytes.
    Sample sample = make_sample(seed, 12000);
    while (sample.input.size() < 3000000) {
      Sample more = sample;
      for (const std::string& row : more.rows) sample.input += row + ";";
      sample.rows.insert(sample.rows.end(), more.rows.begin(), more.rows.end());
    }
    Outcome one = run(sample.input, sample.schema, 1);
    Outcome four = run(sample.input, sample.schema, 4);
    EXPECT_EQ(one.progress.rows + one.progress.bad_rows, sample.rows.size());
    EXPECT_TRUE(one.rows == four.rows);
    EXPECT_TRUE(one.rejects == four.rejects);
    EXPECT_GT(one.progress.bad_rows, 0u);
  }
}

// Rows that a cast refuses, at any depth, join those that the decoder refused.
TEST(BadRows, CastsRejectToo) {
  yt::TableSchema schema = yt::parse_table_schema(
      "[{name=id;type_v3=int64};{name=n;type_v3=int64};{name=s;type_v3={type_name=optional;item="
      "{type_name=list;item={type_name=struct;members=[{name=x;type=int64};{name=y;type={type_name="
      "dict;key=string;value=uint64}}]}}}};{name=t;type_v3=timestamp64}]");
  yt::TableSchema narrow = yt::parse_table_schema(
      "[{name=id;type_v3=int64};{name=n;type_v3=int8};{name=s;type_v3={type_name=optional;item="
      "{type_name=list;item={type_name=struct;members=[{name=x;type=int16};{name=y;type={type_name="
      "dict;key=utf8;value=uint8}}]}}}};{name=t;type_v3=datetime64}]");
  hub::CompiledCast cast = hub::compile_cast(yt::to_arrow(schema), yt::to_arrow(narrow));
  yt::testing::RandomValues random(5);
  for (int threads : {1, 4}) {
    Sample sample;
    sample.schema = schema;
    std::set<int64_t> expected;
    for (int64_t id = 0; id < 20000; ++id) {
      bool bad = false;
      auto pick = [&](const std::string& good, const std::string& wrong) {
        bool choose = random.below(40) == 0;
        bad |= choose;
        return choose ? wrong : good;
      };
      std::string row = "{id=" + std::to_string(id) + ";n=" + pick("-128", "128") + ";s=";
      if (random.below(5) == 0) {
        row += "#";
      } else {
        row += "[";
        for (uint64_t i = random.below(4); i > 0; --i) {
          row += "{x=" + pick("32767", "-32769") + ";y=[[" + pick("k", "\"\xFF\"") + ";" +
                 pick("255u", "256u") + "]]};";
        }
        row += "]";
      }
      row += ";t=" + pick("3000000", "3000001") + pick("", ";t=1") + pick("", ";u=1") + "}";
      if (bad) expected.insert(id);
      sample.rows.push_back(row);
      sample.input += row + ";\n";
    }
    Outcome out = run(sample.input, schema, threads, &cast, &narrow);
    EXPECT_EQ(check(sample, out, false), expected);
    for (const Node& reject : yson::parse_list_fragment(out.rejects)) {
      int64_t row = find(reject, "row")->as_int64();
      const Node* value = find(reject, "value");
      ASSERT_NE(value, nullptr);
      EXPECT_EQ(find(*value, "id")->as_int64(), row);
    }
  }
}

TEST(BadRows, RowsThatAreNotWrittenHaveNoPlaceInTheOrder) {
  const yt::TableSchema loose =
      yt::parse_table_schema("[{name=k;type=int64;sort_order=ascending};{name=v;type=int64}]");
  const yt::TableSchema strict = yt::parse_table_schema(
      "[{name=k;type=int64;sort_order=ascending};{name=v;type=int64;required=%true}]");
  // The encoder refuses the null, and the decoder the text.
  for (const char* between : {"{k=9;v=#}", "{k=9;v=x}", "{k=9;v=#};{k=8;v=x};{k=10;v=#}"}) {
    yt::ReadOptions reading;
    reading.skip_bad_rows = true;
    auto reader =
        read_yson(memory_source(std::string("{k=5;v=1};") + between + ";{k=7;v=2};", "rows.yson"),
                  loose, reading);
    std::string rows;
    uint64_t misplaced = 0;
    const hub::Schema schema = yt::to_arrow(strict);
    auto writer = in_promised_order(schema, yt::UuidOrder::Rfc, "",
                                    write_yson(memory_sink(&rows), strict, {}));
    PipelineOptions pipeline;
    pipeline.skip_bad_rows = true;
    pipeline.on_bad_row = [&](const hub::BadRow& row) {
      if (row.error.message().find("rows sorted") != std::string::npos) ++misplaced;
    };
    run_pipeline(*reader, nullptr, writer.get(), pipeline);
    EXPECT_EQ(rows, "{\"k\"=5;\"v\"=1;};\n{\"k\"=7;\"v\"=2;};\n") << between;
    EXPECT_EQ(misplaced, 0U) << between;
  }
}

TEST(BadRows, TheFirstOneEndsWithoutSkipping) {
  Sample sample = make_sample(41, 500);
  std::set<int64_t> rejected = check(sample, run(sample.input, sample.schema, 1), true);
  ASSERT_FALSE(rejected.empty());
  for (int threads : {1, 4}) {
    auto reader = read_yson(memory_source(sample.input), sample.schema, {});
    PipelineOptions pipeline;
    pipeline.threads = threads;
    try {
      run_pipeline(*reader, nullptr, nullptr, pipeline);
      FAIL() << "no error";
    } catch (const Error& error) {
      EXPECT_EQ(error.code(), ErrorCode::Input);
      EXPECT_EQ(error.place().row, static_cast<uint64_t>(*rejected.begin()));
    }
  }
}

TEST(BadRows, TooManyEnd) {
  Sample sample = make_sample(42, 500);
  uint64_t bad = run(sample.input, sample.schema, 1).progress.bad_rows;
  for (uint64_t most : {bad - 1, bad}) {
    yt::ReadOptions options;
    options.skip_bad_rows = true;
    auto reader = read_yson(memory_source(sample.input), sample.schema, options);
    PipelineOptions pipeline;
    pipeline.threads = 2;
    pipeline.skip_bad_rows = true;
    pipeline.max_bad_rows = most;
    if (most == bad) {
      EXPECT_EQ(run_pipeline(*reader, nullptr, nullptr, pipeline).bad_rows, bad);
    } else {
      EXPECT_THROW(run_pipeline(*reader, nullptr, nullptr, pipeline), Error);
    }
  }
}

// For any damage, boundaries of rows included, one thread and four agree on rows, rejects and the
// error, and the output is valid.
TEST(BadRows, AnyDamageGivesTheSameInEveryThread) {
  yt::testing::RandomValues random(6);
  int failed = 0;
  for (uint64_t seed = 51; seed <= 90; ++seed) {
    Sample sample = make_sample(seed, 60);
    std::string input = sample.input;
    for (uint64_t i = 1 + random.below(4); i > 0; --i) {
      size_t at = random.below(input.size());
      switch (random.below(4)) {
        case 0:
          input[at] = static_cast<char>(random.below(256));
          break;
        case 1:
          input.erase(at, 1 + random.below(8));
          break;
        case 2:
          input.insert(at, 1, "{}[]<>;=\"\\#\x01\x02"[random.below(13)]);
          break;
        default:
          input.resize(std::max<size_t>(1, input.size() - random.below(20)));
          break;
      }
    }
    SCOPED_TRACE("seed " + std::to_string(seed));
    std::string outcomes[2];
    for (int i = 0; i < 2; ++i) {
      try {
        Outcome out = run(input, sample.schema, i == 0 ? 1 : 4);
        outcomes[i] = out.rows + out.rejects;
        EXPECT_EQ(yson::parse_list_fragment(out.rows).size(), out.progress.rows);
      } catch (const Error& error) {
        EXPECT_EQ(error.code(), ErrorCode::Input);
        outcomes[i] = error.describe();
        ++failed;
      }
    }
    EXPECT_EQ(outcomes[0], outcomes[1]);
  }
  EXPECT_GT(failed, 0);
}

TEST(Rejects, HoldEveryKindOfValue) {
  std::string out;
  RejectWriter rejects(memory_sink(&out), Format::Pretty);
  Place place;
  place.row = 7;
  place.file = "a.yson";
  place.byte = 12;
  place.table = 1;
  place.path = Path::column("c").item(2);
  rejects.add({0, Error(ErrorCode::Input, "expected x", place), "{c=[1;\"\\xFF\"];c=2}"});
  rejects.add({3, Error(ErrorCode::Input, "expected y"), "{c=%maybe}"});
  rejects.add({4, Error(ErrorCode::Input, "expected z"), ""});
  rejects.finish();
  std::vector<Node> rows = yson::parse_list_fragment(out);
  ASSERT_EQ(rows.size(), 3u);
  EXPECT_EQ(yson::print(rows[0]),
            "{\"row\"=7;\"reason\"=\"expected x\";\"path\"=\"c[2]\";\"file\"=\"a.yson\";\"byte\"="
            "12;\"table_index\"=1;\"value\"={\"c\"=[1;\"\\xFF\";];\"c\"=2;};}");
  EXPECT_EQ(yson::print(rows[1]),
            "{\"row\"=3;\"reason\"=\"expected y\";\"source\"=\"{c=%maybe}\";}");
  EXPECT_EQ(yson::print(rows[2]), "{\"row\"=4;\"reason\"=\"expected z\";}");
}

}  // namespace
}  // namespace xwalk::io
