#include "xwalk/skiff/job.h"

#include <memory>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "tests/skiff/memory_stream.h"
#include "xwalk/base/error.h"
#include "xwalk/base/hex.h"
#include "xwalk/yson/parse.h"
#include "xwalk/yson/print.h"

namespace xwalk::skiff {
namespace {

using testing::MemorySink;
using testing::MemorySource;

/// A job over bytes in memory.
struct MemoryJob {
  MemoryJob(const char* inputs, const char* hex, const char* outputs, size_t sinks)
      : bytes(from_hex(hex)), written(sinks) {
    std::vector<std::unique_ptr<ByteSink>> into;
    for (std::string& each : written) into.push_back(std::make_unique<MemorySink>(&each));
    job.emplace(parse_schema(inputs), std::make_unique<MemorySource>(bytes, 1),
                parse_schema(outputs), std::move(into));
  }

  std::string bytes;
  std::vector<std::string> written;
  std::optional<Job> job;
};

TEST(Job, DescriptorsAreThoseOfTheSystem) {
  EXPECT_EQ(kJobInput, 0);
  EXPECT_EQ(job_output(0), 1);
  EXPECT_EQ(job_output(1), 4);
  EXPECT_EQ(job_output(5), 16);
}

TEST(Job, RowsOfEachOutputTableHaveTheTagZero) {
  MemoryJob run("tuple<'a':int8>\ntuple<'b':int8>\n",
                "000005"
                "010006",
                "tuple<'x':int8>\ntuple<'x':int8>\n", 2);
  while (std::optional<Row> row = run.job->next()) {
    const yson::Node* value = row->columns.find(row->table == 0 ? "a" : "b");
    ASSERT_NE(value, nullptr);
    yson::Node out = yson::Node::map();
    out.add("x", *value);
    run.job->write(row->table, out);
  }
  run.job->finish();
  EXPECT_EQ(to_hex(run.written[0]), "000005");
  EXPECT_EQ(to_hex(run.written[1]), "000006");
}

constexpr const char* kGroups = "tuple<'k':int8;'v':int8;'$key_switch':boolean>\n";

TEST(Job, GroupsBeginAtAKeySwitch) {
  // Keys 1, 1, 2, 3: the second and the third begin groups.
  MemoryJob run(kGroups,
                "0000010a00"
                "0000010b00"
                "0000020c01"
                "0000030d01",
                "tuple<'x':int8>\n", 1);
  std::vector<std::vector<int64_t>> groups;
  while (run.job->next_group()) {
    groups.emplace_back();
    while (std::optional<Row> row = run.job->next_in_group()) {
      groups.back().push_back(row->columns.find("v")->as_int64());
    }
    EXPECT_FALSE(run.job->next_in_group());
  }
  EXPECT_EQ(groups, (std::vector<std::vector<int64_t>>{{10, 11}, {12}, {13}}));
}

TEST(Job, AGroupLeftEarlyIsSkipped) {
  MemoryJob run(kGroups,
                "0000010a00"
                "0000010b00"
                "0000020c01",
                "tuple<'x':int8>\n", 1);
  std::vector<int64_t> firsts;
  while (run.job->next_group()) {
    firsts.push_back(run.job->next_in_group()->columns.find("v")->as_int64());
  }
  EXPECT_EQ(firsts, (std::vector<int64_t>{10, 12}));
}

TEST(Job, ARowThatIsUsedAgainHasNothingOfTheOneBefore) {
  // Columns are absent, of another kind in their place, and longer or shorter than before.
  MemoryJob run("tuple<'a':variant8<nothing;string32>;'b':variant8<nothing;int64>;'c':yson32>\n",
                "0000"
                "01"
                "1400000061626364656667686961626364656667686970"
                "71"
                "01"
                "0700000000000000"
                "01000000"
                "23"
                "0000"
                "00"
                "01"
                "0800000000000000"
                "06000000"
                "3c613d313e31"
                "0000"
                "01"
                "0100000078"
                "00"
                "03000000"
                "5b315d"
                "0000"
                "00"
                "00"
                "01000000"
                "23",
                "tuple<'x':int8>\n", 1);
  Row again;
  std::vector<std::string> rows;
  while (run.job->next(&again)) rows.push_back(yson::print(again.columns, yson::Format::Text));
  EXPECT_EQ(rows, (std::vector<std::string>{R"({"a"="abcdefghiabcdefghipq";"b"=7;})",
                                            R"({"b"=8;"c"=<"a"=1;>1;})", R"({"a"="x";"c"=[1;];})",
                                            "{}"}));
}

TEST(Job, GroupsMayBeReadIntoOneRow) {
  MemoryJob run(kGroups,
                "0000010a00"
                "0000010b00"
                "0000020c01"
                "0000030d01",
                "tuple<'x':int8>\n", 1);
  Row row;
  std::vector<int64_t> values;
  while (run.job->next_group()) {
    while (run.job->next_in_group(&row)) values.push_back(row.columns.find("v")->as_int64());
    values.push_back(-1);
    EXPECT_FALSE(run.job->next_in_group(&row));
  }
  EXPECT_EQ(values, (std::vector<int64_t>{10, 11, -1, 12, -1, 13, -1}));
}

TEST(Job, AnEmptyInputHasNoGroups) {
  MemoryJob run(kGroups, "", "tuple<'x':int8>\n", 1);
  EXPECT_FALSE(run.job->next_group());
  run.job->finish();
  EXPECT_EQ(run.written[0], "");
}

TEST(Job, WhatDoesNotMatchUpIsRefused) {
  MemoryJob run("tuple<'a':int8>\n", "000005", "tuple<'x':int8>\n", 1);
  EXPECT_THROW(run.job->next_group(), Error);
  EXPECT_THROW(run.job->write(1, yson::Node::map()), Error);
  try {
    run.job->write(0, yson::parse("{x=300}"));
    ADD_FAILURE() << "300 was written as int8";
  } catch (const Error& error) {
    EXPECT_EQ(error.place().table, 0u);
    EXPECT_EQ(error.place().path.text(), "x");
  }
  EXPECT_THROW(MemoryJob("tuple<'a':int8>\n", "", "tuple<'x':int8>\n", 2), Error);
}

TEST(Job, ACutStreamIsAnErrorOfItsRow) {
  MemoryJob run("tuple<'a':int64>\n",
                "00000500000000000000"
                "00000600",
                "tuple<'x':int8>\n", 1);
  EXPECT_TRUE(run.job->next());
  try {
    run.job->next();
    ADD_FAILURE() << "half a row was read";
  } catch (const Error& error) {
    EXPECT_EQ(error.place().row, 1u);
    EXPECT_EQ(error.place().table, 0u);
    EXPECT_EQ(error.place().path.text(), "a");
  }
}

}  // namespace
}  // namespace xwalk::skiff
