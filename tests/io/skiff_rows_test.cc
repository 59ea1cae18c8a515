#include <filesystem>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "tests/skiff/memory_stream.h"
#include "xwalk/base/error.h"
#include "xwalk/base/hex.h"
#include "xwalk/io/bytes/sink.h"
#include "xwalk/io/bytes/source.h"
#include "xwalk/io/formats/skiff_tables.h"
#include "xwalk/io/places/open_input.h"
#include "xwalk/io/places/open_output.h"
#include "xwalk/io/rows/pipeline.h"
#include "xwalk/skiff/hub.h"
#include "xwalk/skiff/module.h"

namespace xwalk::io {
namespace {

namespace fs = std::filesystem;

/// A folder of its own for each test.
class SkiffRows : public ::testing::Test {
 protected:
  void SetUp() override {
    folder_ = fs::temp_directory_path() /
              ("xwalk_skiff_" +
               std::string(::testing::UnitTest::GetInstance()->current_test_info()->name()));
    fs::remove_all(folder_);
    fs::create_directories(folder_);
  }
  void TearDown() override { fs::remove_all(folder_); }

  std::string path(const std::string& name) const { return (folder_ / name).string(); }
  std::string bytes_of(const std::string& name) const {
    auto source = open_source(path(name));
    return read_all(*source, 1 << 20);
  }
  static std::string refused(const std::function<void()>& action) {
    try {
      action();
    } catch (const Error& error) {
      return error.describe();
    }
    return "accepted";
  }

 private:
  fs::path folder_;
};

constexpr const char* kTable =
    "<strict=%true>[{name=id;type=int64;required=%true};"
    "{name=text;type=utf8}]";
// Two rows: (1, "x"), (2, null).
constexpr const char* kRows =
    "0000010000000000000001010000007800000200000000000000"
    "00";

TEST_F(SkiffRows, FilesKeepTheirSchemaBeside) {
  write_file(path("in.skiff"), from_hex(kRows));
  write_file(path("in.skiff.schema"), kTable);
  for (int threads : {1, 3}) {
    Input input = open_input({path("in.skiff")});
    EXPECT_EQ(input.schema_origin, SchemaOrigin::SideFile);
    ASSERT_TRUE(input.skiff_schema);
    ASSERT_TRUE(input.table_schema);
    WritePlan schema;
    schema.hub = input.reader->schema();
    schema.written = crosswalk::AnySchema(skiff::kModule, *input.skiff_schema);
    for (const char* name : {"out.skiff", "out.skiff.gz", "out.skiff.zst"}) {
      Input again = open_input({path("in.skiff")});
      OutputOptions overwriting;
      overwriting.mode = OutputMode::Overwrite;
      auto writer = open_output(path(name), schema, overwriting);
      PipelineOptions pipeline;
      pipeline.threads = threads;
      Progress done = run_pipeline(*again.reader, nullptr, writer.get(), pipeline);
      EXPECT_EQ(done.rows, 2u);
      EXPECT_EQ(done.bytes_read, from_hex(kRows).size());
      EXPECT_EQ(to_hex(bytes_of(name)), kRows);
      // What was written is found again by its side file.
      EXPECT_EQ(open_input({path(name)}).skiff_schema, input.skiff_schema);
    }
  }
}

TEST_F(SkiffRows, WireTypesAreDerivedForAnArrowSchema) {
  write_file(path("in.skiff"), from_hex(kRows));
  InputOptions options;
  options.schema = kTable;
  Input input = open_input({path("in.skiff")}, options);
  EXPECT_EQ(input.schema_origin, SchemaOrigin::Given);
  WritePlan schema;
  schema.hub = input.reader->schema();
  OutputOptions out;
  out.skiff.end_of_stream = true;
  auto writer = open_output(path("out.skiff"), schema, out);
  run_pipeline(*input.reader, nullptr, writer.get());
  EXPECT_EQ(to_hex(bytes_of("out.skiff")), std::string(kRows) + "ffff");
  options.schema = std::nullopt;
  options.skiff.end_of_stream = true;
  EXPECT_EQ(open_input({path("out.skiff")}, options).reader->next()->rows(), 2);
}

TEST_F(SkiffRows, WithoutASchemaTheyAreRefused) {
  write_file(path("in.skiff"), from_hex(kRows));
  EXPECT_NE(refused([&] { open_input({path("in.skiff")}); }).find("need a schema"),
            std::string::npos);
  write_file(path("in.skiff.schema"), "tuple<'a':int65>");
  std::string message = refused([&] { open_input({path("in.skiff")}); });
  EXPECT_NE(message.find("in.skiff.schema"), std::string::npos) << message;
}

TEST_F(SkiffRows, ErrorsNameFileRowColumnAndByte) {
  std::string rows = from_hex(kRows);
  rows[15] = '\xff';
  write_file(path("in.skiff"), rows);
  InputOptions options;
  options.schema = kTable;
  std::string message =
      refused([&] { (void)open_input({path("in.skiff")}, options).reader->next(); });
  EXPECT_NE(message.find("in.skiff"), std::string::npos) << message;
  EXPECT_NE(message.find("text"), std::string::npos) << message;
  EXPECT_NE(message.find("row 0"), std::string::npos) << message;
  options.skip_bad_rows = true;
  auto batch = open_input({path("in.skiff")}, options).reader->next();
  ASSERT_EQ(batch->bad.size(), 1u);
  EXPECT_EQ(batch->bad[0].error.place().file, path("in.skiff"));
}

constexpr const char* kTwoTables =
    "tuple<'a':int64;'$row_index':variant8<nothing;int64>>\n"
    "tuple<'b':string32;'$row_index':variant8<nothing;int64>>\n";
constexpr const char* kTwoTablesRows =
    "0000"
    "0100000000000000"
    "010500000000000000"
    "0100"
    "0100000078"
    "010700000000000000"
    "0100"
    "0100000079"
    "00"
    "0000"
    "0200000000000000"
    "010600000000000000";

TEST_F(SkiffRows, OneTableOfSeveralIsChosen) {
  write_file(path("in.skiff"), from_hex(kTwoTablesRows));
  write_file(path("in.skiff.schema"), kTwoTables);
  std::string message = refused([&] { open_input({path("in.skiff")}); });
  EXPECT_NE(message.find("`table=N`"), std::string::npos) << message;
  InputOptions options;
  options.table = 1;
  options.skiff.table_index = options.skiff.row_index = true;
  Input input = open_input({path("in.skiff")}, options);
  ASSERT_EQ(input.reader->schema().fields.size(), 3u);
  auto batch = input.reader->next();
  ASSERT_EQ(batch->rows(), 2);
  const auto* tables = batch->array.children[1].values<uint32_t>();
  const auto* rows = batch->array.children[2].values<int64_t>();
  EXPECT_EQ(tables[0], 1u);
  EXPECT_EQ(std::vector<int64_t>(rows, rows + 2), (std::vector<int64_t>{7, 8}));
  options.table = 2;
  EXPECT_NE(refused([&] { open_input({path("in.skiff")}, options); }), "accepted");
}

TEST_F(SkiffRows, EachTableGoesToItsOwnOutput) {
  write_file(path("in.skiff"), from_hex(kTwoTablesRows));
  write_file(path("in.skiff.schema"), kTwoTables);
  TablesInput input = open_tables(path("in.skiff"));
  ASSERT_TRUE(is_table_pattern("out-{table}.skiff"));
  std::vector<std::unique_ptr<hub::BatchWriter>> writers;
  std::vector<TableRoute> routes;
  for (size_t table = 0; table < input.reader->table_count(); ++table) {
    WritePlan schema;
    schema.hub = input.reader->schema(table);
    writers.push_back(open_output(table_path(path("out-{table}.skiff"), table), schema));
    routes.push_back({nullptr, writers.back().get()});
  }
  Progress done = run_tables(*input.reader, routes);
  EXPECT_EQ(done.rows, 4u);
  EXPECT_EQ(to_hex(bytes_of("out-0.skiff")), "0000010000000000000000000200000000000000");
  EXPECT_EQ(to_hex(bytes_of("out-1.skiff")),
            "000001000000780000"
            "0100000079");
}

TEST_F(SkiffRows, RowsCarryTheirNumberWhereTheSchemaAsks) {
  skiff::Schema schema = skiff::parse_schema(
      "tuple<'a':int8;'$row_index':variant8<nothing;int64>;'$range_index':variant8<nothing;int64>;"
      "'$key_switch':boolean>");
  InputOptions options;
  options.schema = "tuple<'a':int8>";
  write_file(path("in.skiff"), from_hex("000001000002000003"));
  options.batch_rows = 2;
  Input input = open_input({path("in.skiff")}, options);
  WritePlan output;
  output.hub = input.reader->schema();
  output.written = crosswalk::AnySchema(skiff::kModule, schema);
  auto writer = open_output(path("out.skiff"), output);
  run_pipeline(*input.reader, nullptr, writer.get());
  options.schema = std::nullopt;
  options.batch_rows = 100;
  options.skiff.row_index = options.skiff.range_index = options.skiff.key_switch = true;
  auto batch = open_input({path("out.skiff")}, options).reader->next();
  ASSERT_EQ(batch->rows(), 3);
  const auto* ranges = batch->array.children[1].values<int64_t>();
  const auto* rows = batch->array.children[2].values<int64_t>();
  EXPECT_EQ(std::vector<int64_t>(rows, rows + 3), (std::vector<int64_t>{0, 1, 2}));
  EXPECT_EQ(std::vector<int64_t>(ranges, ranges + 3), (std::vector<int64_t>{0, 0, 0}));
}

using skiff::testing::MemorySink;
using skiff::testing::MemorySource;

TEST(TableJob, CastsByNameIntoTheTableOfTheSameIndex) {
  skiff::Schema in =
      skiff::parse_schema("tuple<'a':int8;'b':string32>\ntuple<'x':variant8<nothing;int16>>\n");
  skiff::Schema out = skiff::parse_schema(
      "tuple<'b':variant8<nothing;string32>;'a':int64;'new':variant8<nothing;double>>\n"
      "tuple<'x':variant8<nothing;int64>>\n");
  TableJob job(in, out);
  ASSERT_EQ(job.plans().size(), 2u);
  std::vector<std::string> bytes(2);
  std::vector<std::unique_ptr<ByteSink>> sinks;
  for (std::string& each : bytes) sinks.push_back(std::make_unique<MemorySink>(&each));
  std::string rows = from_hex(
      "0000"
      "05"
      "0100000078"
      "0100"
      "012a00"
      "0100"
      "00");
  Progress done = job.run(std::make_unique<MemorySource>(rows, 0), std::move(sinks));
  EXPECT_EQ(done.rows, 3u);
  EXPECT_EQ(to_hex(bytes[0]),
            "0000"
            "010100000078"
            "0500000000000000"
            "00");
  EXPECT_EQ(to_hex(bytes[1]),
            "0000"
            "012a00000000000000"
            "0000"
            "00");
}

TEST(TableJob, TablesMustMatchUp) {
  skiff::Schema one = skiff::parse_schema("tuple<'a':int64>\n");
  skiff::Schema two = skiff::parse_schema("tuple<'a':int64>\ntuple<'a':int64>\n");
  skiff::Schema three =
      skiff::parse_schema("tuple<'a':int64>\ntuple<'a':int64>\ntuple<'a':int64>\n");
  EXPECT_EQ(TableJob(two, one).output_of(1), 0u);
  EXPECT_THROW(TableJob(three, two), Error);
  EXPECT_THROW(TableJob(one, two), Error);
  skiff::Schema other = skiff::parse_schema("tuple<'a':int64;'b':int64>\n");
  try {
    TableJob job(two, other);
    ADD_FAILURE() << "a required column without a source was accepted";
  } catch (const Error& error) {
    EXPECT_EQ(error.place().table, 0u);
    EXPECT_EQ(error.place().path.text(), "b");
  }
}

}  // namespace
}  // namespace xwalk::io
