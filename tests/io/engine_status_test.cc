#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "xwalk/io/engines/engine_program.h"

namespace xwalk::io {
namespace {

EngineReport report_of(std::initializer_list<std::string_view> lines) {
  EngineReport report;
  for (const std::string_view line : lines) take_status_line("xwalk-engine-x", line, &report);
  return report;
}

TEST(EngineStatus, IsWhatItsLinesSay) {
  const EngineReport report =
      report_of({R"({"hello": {"engine": "x 1", "uses": "y 2", "contract": 1}})",
                 R"({"info": {"rows": 7}})", R"({"done": {"rows": 7, "bytes": 9}})"});
  EXPECT_TRUE(report.greeted);
  EXPECT_EQ(report.description, "x 1 (y 2)");
  EXPECT_EQ(report.total_rows, 7);
  EXPECT_EQ(report.done_rows, 7);
  EXPECT_EQ(report.done_bytes, 9);
  EXPECT_EQ(report.error, std::nullopt);
}

TEST(EngineStatus, TellsHowFarAProgramIsThatReadsAndWritesByItself) {
  const EngineReport report =
      report_of({R"({"hello": {"contract": 2}})", R"({"info": {"rows": 9}})",
                 R"({"progress": {"rows": 3, "bytes": 24}})"});
  EXPECT_EQ(report.error, std::nullopt);
  EXPECT_EQ(report.contract, 2);
  EXPECT_EQ(report.rows_so_far, 3);
  EXPECT_EQ(report.bytes_so_far, 24);
  EXPECT_EQ(report.total_rows, 9);
}

TEST(EngineStatus, NamesOtherEnginesWhoseWorkItDoes) {
  EXPECT_THAT(report_of({R"({"hello": {"contract": 2, "writes": ["x", 7, "y"]}})"}).writes,
              testing::ElementsAre("x", "y"));
  EXPECT_THAT(report_of({R"({"hello": {"contract": 2, "writes": "x"}})"}).writes,
              testing::IsEmpty());
}

TEST(EngineStatus, TakesOneGreeting) {
  // However often it is said, no more is kept.
  const std::string_view hello = R"({"hello": {"contract": 2, "writes": ["x", "y"]}})";
  EXPECT_THAT(report_of({hello, hello, hello}).writes, testing::ElementsAre("x", "y"));
  std::string many = R"({"hello": {"contract": 2, "writes": ["x")";
  for (int i = 0; i < 1000; ++i) many += R"(,"x")";
  EXPECT_LT(report_of({many + "]}}"}).writes.size(), 20);
}

TEST(EngineStatus, TellsWhetherRowsComeInSharedMemory) {
  EXPECT_TRUE(report_of({R"({"hello": {"contract": 2, "segments": true}})"}).segments);
  EXPECT_FALSE(report_of({R"({"hello": {"contract": 2, "segments": 1}})"}).segments);
  EXPECT_FALSE(report_of({R"({"hello": {"contract": 2}})"}).segments);
}

TEST(EngineStatus, PassesOverNonsense) {
  const EngineReport report = report_of(
      {"", "nonsense", "[1]", "{}", R"({"done": 7})", R"({"done": {"rows": "7"}, "info": {}})",
       R"({"info": {"rows": 1.5}})", "{\"info\": {\"rows\": \xff}}", std::string(5000, '[')});
  EXPECT_FALSE(report.greeted);
  EXPECT_EQ(report.total_rows, std::nullopt);
  EXPECT_EQ(report.done_rows, std::nullopt);
}

TEST(EngineStatus, KeepsTheFirstError) {
  const EngineReport report = report_of({R"({"error": {"message": "first", "code": "io"}})",
                                         R"({"error": {"message": "second", "code": "input"}})"});
  EXPECT_EQ(report.error, "first");
  EXPECT_EQ(report.error_code, "io");
}

TEST(EngineStatus, RefusesAnotherContract) {
  const EngineReport report = report_of({R"({"hello": {"contract": 3}})"});
  EXPECT_EQ(report.error_code, "io");
  EXPECT_EQ(report.error,
            "xwalk-engine-x speaks version 3 of the engine contract and this xwalk version 2: "
            "install both from one release");
}

}  // namespace
}  // namespace xwalk::io
