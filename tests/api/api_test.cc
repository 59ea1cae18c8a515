// The C++ interface by its two headers alone, on files.
#include <filesystem>
#include <fstream>
#include <stdexcept>
#include <string>
#include <type_traits>
#include <unistd.h>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "xwalk/skiff_job.hpp"
#include "xwalk/xwalk.hpp"

namespace {

namespace fs = std::filesystem;
using testing::AllOf;
using testing::Contains;
using testing::ElementsAre;
using testing::Field;
using testing::HasSubstr;
using testing::StartsWith;
using xwalk::ErrorCode;
using xwalk::Options;
using xwalk::Report;
using xwalk::Rows;
using xwalk::Schema;
using xwalk::Verdict;

#ifdef XWALK_ENGINE_FOLDER
constexpr bool kHasParquet = true;
#else
constexpr bool kHasParquet = false;
#endif

/// Returns the error that a call ends with.
template <typename Call>
xwalk::Error error_of(const Call& call) {
  try {
    call();
  } catch (const xwalk::Error& error) {
    return error;
  }
  throw std::logic_error("expected an error, found none");
}

class Api : public testing::Test {
 protected:
  Api() {
    std::string pattern = (fs::temp_directory_path() / "xwalk-api-XXXXXX").string();
    folder_ = ::mkdtemp(pattern.data());
  }
  ~Api() override { fs::remove_all(folder_); }

  std::string path(const std::string& name) const { return (folder_ / name).string(); }

  std::string write(const std::string& name, const std::string& text) const {
    fs::create_directories((folder_ / name).parent_path());
    std::ofstream(folder_ / name, std::ios::binary) << text;
    return path(name);
  }

  static std::string contents(const std::string& file) {
    std::ifstream in(file, std::ios::binary);
    return {std::istreambuf_iterator<char>(in), {}};
  }

  /// Writes rows with their schema next to them.
  std::string write_rows(const std::string& name, const std::string& rows,
                         const std::string& schema = "[{name=id;type=int64};{name=s;type=utf8}]") {
    write(name + ".schema", schema);
    return write(name, rows);
  }

 private:
  fs::path folder_;
};

int64_t count(const Rows& rows) {
  int64_t out = 0;
  for (const xwalk::Batch& batch : rows) {
    EXPECT_EQ(batch.array().n_children, 2);
    out += batch.rows();
  }
  return out;
}

// --- schemas ---

TEST_F(Api, SchemaIsParsedPrintedAndConverted) {
  const Schema schema = Schema::parse("[{name=id;type=int64};{name=at;type=timestamp}]");
  EXPECT_EQ(schema.system(), "yt");
  EXPECT_THAT(schema.names(), ElementsAre("id", "at"));
  const auto [parquet, report] = schema.to("parquet");
  EXPECT_EQ(parquet.system(), "parquet");
  EXPECT_THAT(parquet.dump(), HasSubstr("optional int64 id;"));
  EXPECT_EQ(report.verdict(), Verdict::Annotated);
  EXPECT_EQ(report.grade(), "annotated");
  EXPECT_EQ(report.summary(), "2 columns: 1 exact, 1 annotated");
  EXPECT_EQ(report.rows(), std::nullopt);
  EXPECT_FALSE(report.fails());
  EXPECT_EQ(&report.raise_for(Verdict::Lossy), &report);
  EXPECT_EQ(Schema::parse(parquet.dump(), "parquet"), parquet);
  EXPECT_NE(schema, parquet);
}

TEST_F(Api, SchemaIsReadFromFiles) {
  const std::string sample = XWALK_TEST_DATA "/samples/parquet-java/integers.parquet";
  EXPECT_EQ(Schema::read(sample).system(), "parquet");
  const std::string rows = write_rows("rows.yson", "{id=1;s=a};");
  EXPECT_THAT(Schema::read(rows).names(), ElementsAre("id", "s"));
  const std::string text = write("table.schema", "[{name=a;type=int64}]");
  EXPECT_EQ(Schema::read(text, {{"format", "yt"}}).system(), "yt");
  EXPECT_EQ(error_of([&] {
              (void)Schema::read(text, {{"format", "iceberg"}});
            }).code(),
            ErrorCode::Input);
  EXPECT_EQ(error_of([&] { (void)Schema::read(path("none.parquet")); }).code(), ErrorCode::Io);
  EXPECT_THAT(Schema::read("[{name=b;type=int64}]").names(), ElementsAre("b"));
  EXPECT_EQ(error_of([] { (void)Schema::read(std::vector<std::string>{}); }).code(),
            ErrorCode::Usage);
}

TEST_F(Api, SchemaIsAnArrowSchema) {
  const Schema schema = Schema::parse("[{name=id;type=int64;required=%true}]");
  ArrowSchema arrow = schema.to_arrow();
  ASSERT_EQ(arrow.n_children, 1);
  EXPECT_STREQ(arrow.children[0]->name, "id");
  EXPECT_STREQ(arrow.children[0]->format, "l");
  const Schema back = Schema::from_arrow(arrow);
  arrow.release(&arrow);
  EXPECT_EQ(back.system(), "arrow");
  EXPECT_THAT(back.names(), ElementsAre("id"));
  const ArrowSchema released = {};
  EXPECT_EQ(error_of([&] { (void)Schema::from_arrow(released); }).code(), ErrorCode::Usage);
}

TEST_F(Api, SchemaErrorsHaveTheirPlace) {
  const xwalk::Error error = error_of([] { (void)Schema::parse("[{name=id;type=int65}]", "yt"); });
  EXPECT_EQ(error.code(), ErrorCode::Input);
  EXPECT_EQ(error.place().line, 1U);
  EXPECT_THAT(error.message(), HasSubstr("int65"));
  EXPECT_EQ(error_of([] { (void)Schema::parse("[]", "sql"); }).code(), ErrorCode::Usage);
  const Schema schema = Schema::parse("[{name=id;type=int64}]");
  EXPECT_EQ(error_of([&] { (void)schema.dump("binary"); }).code(), ErrorCode::Usage);
  EXPECT_EQ(error_of([&] { (void)schema.to("sql"); }).code(), ErrorCode::Usage);
}

TEST_F(Api, SchemaSaysWhatAFormLeavesOut) {
  const Schema schema = Schema::parse("[{name=s;type=int64;aggregate=sum}]", "yt");
  EXPECT_THAT(schema.lost(), ElementsAre());
  EXPECT_THAT(schema.lost("row-spec"),
              ElementsAre("s: a row spec cannot store aggregate (metadata.lost)"));
}

TEST_F(Api, ColumnWithoutMappingIsAnErrorAndAReport) {
  const Schema schema = Schema::parse("[{name=id;type=int64};{name=v;type=date}]", "yt");
  const std::string target = "[{name=id;type=int64};{name=v;type=boolean}]";
  const xwalk::Error error = error_of([&] { (void)schema.to(Schema::parse(target, "yt")); });
  EXPECT_EQ(error.code(), ErrorCode::Unsupported);
  EXPECT_EQ(error.place().path.text(), "v");
  const Report report = xwalk::check(schema, "yt", {{"target_schema", target}});
  EXPECT_EQ(report.verdict(), Verdict::Unsupported);
  EXPECT_TRUE(report.fails());
  EXPECT_THAT(report.lines(), Contains(AllOf(Field(&xwalk::ReportLine::path, "v"),
                                             Field(&xwalk::ReportLine::grade, "unsupported"))));
  EXPECT_EQ(error_of([&] { report.raise_for(Verdict::Lossy); }).code(), ErrorCode::Unsupported);
}

TEST_F(Api, SchemaIsConvertedToAGivenOne) {
  const Schema source = Schema::parse("[{name=id;type=int64}]");
  const Schema target = Schema::parse("[{name=id;type=int32}]");
  const auto [schema, report] = source.to(target);
  EXPECT_EQ(schema, target);
  EXPECT_EQ(report.verdict(), Verdict::Checked);
}

// --- options ---

TEST_F(Api, OptionsAreTexts) {
  const std::string rows = write_rows("rows.yson", "{id=1;s=a};{id=2;s=b};{id=3;s=c};");
  EXPECT_THAT(xwalk::open(rows, {{"select", "s, id"}}).schema().names(), ElementsAre("s", "id"));
  EXPECT_THAT(xwalk::open(rows, {{"exclude", "[\"id\"]"}}).schema().names(), ElementsAre("s"));
  EXPECT_EQ(count(xwalk::open(rows, {{"limit", "2"}})), 2);
  const Report report = xwalk::check(rows, "parquet", {{"cast", "id=int32"}, {"rename", "s=text"}});
  EXPECT_EQ(report.verdict(), Verdict::Checked);
}

TEST_F(Api, OptionErrorsNameTheOption) {
  const auto message = [&](const Options& options) {
    const xwalk::Error error = error_of([&] { (void)xwalk::open("rows.yson", options); });
    EXPECT_EQ(error.code(), ErrorCode::Usage);
    return error.message();
  };
  EXPECT_THAT(message({{"limits", "2"}}), HasSubstr("limits"));
  EXPECT_THAT(message({{"limit", "many"}}), HasSubstr("limit"));
  EXPECT_THAT(message({{"select", "a"}, {"select", "b"}}), HasSubstr("select"));
  EXPECT_THAT(message({{"select", "\xff"}}), HasSubstr("select"));
  EXPECT_THAT(message({{"target_schema", "a"}, {"target_schema", "b"}}),
              HasSubstr("target_schema"));
}

TEST_F(Api, HintsNameOptionsAsJsonDoes) {
  const std::string rows = write_rows("rows.yson", "{id=1;s=a};{id=x;s=b};");
  const xwalk::Error error = error_of([&] { (void)xwalk::convert(rows, path("rows.skiff")); });
  EXPECT_EQ(error.code(), ErrorCode::Input);
  EXPECT_EQ(error.place().row, 1U);
  EXPECT_THAT(error.hint(), HasSubstr("\"on_error\": \"skip\""));
  EXPECT_FALSE(fs::exists(path("rows.skiff")));
}

// --- rows ---

TEST_F(Api, RowsAreReadAgainByEachLoop) {
  const Rows rows = xwalk::open(write_rows("rows.yson", "{id=1;s=a};{id=2;s=b};"));
  EXPECT_EQ(rows.format(), "yson");
  EXPECT_EQ(rows.schema().system(), "yt");
  EXPECT_THAT(rows.files(), ElementsAre(path("rows.yson")));
  EXPECT_EQ(count(rows), 2);
  EXPECT_EQ(count(rows), 2);
  EXPECT_EQ(rows.rejected(), 0);
  EXPECT_EQ(count(xwalk::open({path("rows.yson"), path("rows.yson")},
                              {{"schema", "[{name=id;type=int64};{name=s;type=utf8}]"}})),
            4);
}

TEST_F(Api, BatchesAreArrowArrays) {
  static_assert(std::input_iterator<Rows::Iterator>);
  static_assert(!std::is_copy_constructible_v<xwalk::Batch>);
  const std::string rows = write_rows("rows.yson", "{id=7;s=a};");
  ArrowArray kept = {};
  for (xwalk::Batch& batch : xwalk::open(rows)) {
    kept = batch.take();
    EXPECT_EQ(batch.rows(), 0);
  }
  ASSERT_EQ(kept.length, 1);
  EXPECT_EQ(static_cast<const int64_t*>(kept.children[0]->buffers[1])[0], 7);
  kept.release(&kept);
  xwalk::Batch one = std::move(*xwalk::open(rows).begin());
  EXPECT_EQ(one.rows(), 1);
  one = std::move(*xwalk::open(rows, {{"limit", "1"}}).begin());
  EXPECT_EQ(one.rows(), 1);
}

TEST_F(Api, RejectedRowsAreCountedOrThrown) {
  const std::string name = write_rows("rows.yson", "{id=1;s=a};{id=x;s=b};");
  const Rows skipping = xwalk::open(name, {{"on_error", "skip"}});
  EXPECT_EQ(count(skipping), 1);
  EXPECT_EQ(skipping.rejected(), 1);
  const xwalk::Error error = error_of([&] { (void)count(xwalk::open(name)); });
  EXPECT_EQ(error.code(), ErrorCode::Input);
  EXPECT_EQ(error.place().row, 1U);
}

TEST_F(Api, RowsCrossAsAStreamBothWays) {
  const Rows rows = xwalk::open(write_rows("rows.yson", "{id=1;s=a};{id=2;s=b};"));
  ArrowArrayStream stream = rows.stream();
  const Rows taken = Rows::from_stream(&stream);
  EXPECT_EQ(stream.release, nullptr);
  EXPECT_EQ(taken.format(), "arrow");
  EXPECT_EQ(xwalk::convert(taken, path("back.yson")).rows(), 2U);
  EXPECT_EQ(contents(path("back.yson")), "{\"id\"=1;\"s\"=\"a\";};\n{\"id\"=2;\"s\"=\"b\";};\n");
  EXPECT_EQ(error_of([&] { (void)count(taken); }).code(), ErrorCode::Usage);
  EXPECT_EQ(error_of([&] { (void)Rows::from_stream(&stream); }).code(), ErrorCode::Usage);
  EXPECT_EQ(error_of([&] { (void)Rows::from_stream(nullptr); }).code(), ErrorCode::Usage);
}

TEST_F(Api, ErrorsOfAStreamNameOptionsAsJsonDoes) {
  ArrowArrayStream stream = xwalk::open(write_rows("rows.yson", "{id=1;id=2;s=a};")).stream();
  ArrowArray array = {};
  EXPECT_NE(stream.get_next(&stream, &array), 0);
  EXPECT_THAT(stream.get_last_error(&stream), HasSubstr("\"duplicate_keys\": \"last\""));
  stream.release(&stream);
}

TEST_F(Api, NotesReportAnInferredSchema) {
  const Rows rows = xwalk::open(write("rows.yson", "{id=1;s=a};"));
  EXPECT_THAT(rows.notes(), HasSubstr("schema.inferred"));
  EXPECT_EQ(rows.schema().to("parquet").report.verdict(), Verdict::Inferred);
}

// --- converting ---

TEST_F(Api, ConversionReportsRows) {
  const std::string rows = write_rows("rows.yson", "{id=1;s=a};{id=x;s=b};{id=3;s=c};");
  std::vector<std::string> rejected;
  uint64_t moved = 0;
  xwalk::Watch watch;
  watch.on_rejected = [&](const xwalk::Error& reason, std::string_view row) {
    EXPECT_EQ(reason.place().row, 1U);
    rejected.emplace_back(row);
  };
  watch.on_progress = [&](const xwalk::Progress& now) { moved = now.rows; };
  const Report report = xwalk::convert(rows, path("rows.skiff"), {{"on_error", "skip"}}, watch);
  EXPECT_EQ(report.rows(), 2U);
  EXPECT_EQ(report.rejected(), 1U);
  EXPECT_EQ(report.name(), path("rows.skiff"));
  EXPECT_THAT(rejected, ElementsAre("{id=x;s=b}"));
  EXPECT_EQ(moved, 2U);
  EXPECT_EQ(count(xwalk::open(path("rows.skiff"))), 2);
  // Rows that are open are converted too.
  EXPECT_EQ(xwalk::convert(xwalk::open(path("rows.skiff")), path("again.yson")).rows(), 2U);
  const Rows open = xwalk::open(path("rows.skiff"));
  EXPECT_EQ(error_of([&] {
              (void)xwalk::convert(open, path("o.yson"), {{"limit", "1"}});
            }).code(),
            ErrorCode::Usage);
}

TEST_F(Api, ExistingOutputIsKept) {
  const std::string rows = write_rows("rows.yson", "{id=1;s=a};");
  const std::string out = write("out.skiff", "old");
  EXPECT_EQ(error_of([&] { (void)xwalk::convert(rows, out); }).code(), ErrorCode::Io);
  EXPECT_EQ(contents(out), "old");
  EXPECT_EQ(xwalk::convert(rows, out, {{"mode", "overwrite"}}).rows(), 1U);
}

TEST_F(Api, LossNeedsConsent) {
  const std::string rows =
      write_rows("rows.yson", "{id=1;x=1.5};", "[{name=id;type=int64};{name=x;type=double}]");
  const Options cast = {{"target_schema", "[{name=id;type=int64};{name=x;type=float}]"},
                        {"round", "true"}};
  EXPECT_EQ(xwalk::check(rows, "yson", cast).verdict(), Verdict::Lossy);
  EXPECT_EQ(error_of([&] { (void)xwalk::convert(rows, path("out.yson"), cast); }).code(),
            ErrorCode::Unsupported);
  Options allowed = cast;
  allowed.emplace_back("allow", "lossy");
  const Report report = xwalk::convert(rows, path("out.yson"), allowed);
  EXPECT_EQ(report.verdict(), Verdict::Lossy);
  EXPECT_EQ(report.rows(), 1U);
}

TEST_F(Api, FolderIsATablePerFile) {
  write_rows("in/a.yson", "{id=1;s=a};");
  write_rows("in/b.yson", "{id=1;s=a};{id=2;s=b};");
  const Report report = xwalk::convert(path("in"), path("out") + "/", {{"to", "skiff"}});
  EXPECT_EQ(report.kind(), "tables");
  EXPECT_EQ(report.rows(), 3U);
  EXPECT_EQ(report.verdict(), Verdict::Exact);
  const std::vector<Report> tables = report.tables();
  ASSERT_EQ(tables.size(), 2U);
  EXPECT_EQ(tables[1].name(), path("out/b.skiff"));
  EXPECT_EQ(tables[1].rows(), 2U);
  EXPECT_THAT(report.print("json"), HasSubstr("\"tables\""));
}

TEST_F(Api, OutputIsVerified) {
  write("in/a.yson", "{id=1};{id=x};{id=3};");
  write("in/a.yson.schema", "[{name=id;type=int64;required=%true}]");
  write("in/b.yson", "{id=4};");
  write("in/b.yson.schema", "[{name=id;type=int64;required=%true}]");
  const Options options = {{"to", "skiff"}, {"on_error", "skip"}};
  const std::string out = path("out") + "/";
  (void)xwalk::convert(path("in"), out, options);
  const Report same = xwalk::verify(path("in"), out, options);
  EXPECT_FALSE(same.fails());
  EXPECT_EQ(same.rows(), 3U);
  EXPECT_EQ(same.rejected(), 1U);
  ASSERT_EQ(same.tables().size(), 2U);
  EXPECT_EQ(same.tables().front().rows(), 2U);
  EXPECT_THAT(same.text(), HasSubstr("2 verified, 0 failed"));

  write("in/b.yson", "{id=5};");
  const Report other = xwalk::verify(path("in"), out, options);
  EXPECT_TRUE(other.fails());
  EXPECT_FALSE(other.tables().front().fails());
  EXPECT_TRUE(other.tables().back().fails());
  EXPECT_THAT(other.print("json"), HasSubstr("\"verified\": false"));
  EXPECT_TRUE(xwalk::verify(path("in/a.yson"), path("out/b.skiff"), options, {"id"}).fails());
  const Report absent = xwalk::verify(path("in"), path("none/"), options);
  EXPECT_TRUE(absent.fails());
  EXPECT_THAT(absent.text(), HasSubstr("0 verified, 2 failed"));
}

TEST_F(Api, CancelledConversionLeavesNothing) {
  const std::string rows = write_rows("rows.yson", "{id=1;s=a};");
  const std::atomic<bool> cancelled = true;
  xwalk::Watch watch;
  watch.cancelled = &cancelled;
  EXPECT_EQ(error_of([&] { (void)xwalk::convert(rows, path("out.skiff"), {}, watch); }).code(),
            ErrorCode::Interrupted);
  EXPECT_FALSE(fs::exists(path("out.skiff")));
}

TEST_F(Api, ExceptionOfACallbackEndsAConversion) {
  const std::string rows = write_rows("rows.yson", "{id=1;s=a};");
  xwalk::Watch watch;
  watch.on_progress = [](const xwalk::Progress&) { throw std::out_of_range("enough"); };
  EXPECT_THROW((void)xwalk::convert(rows, path("out.skiff"), {}, watch), std::out_of_range);
  EXPECT_FALSE(fs::exists(path("out.skiff")));
}

TEST_F(Api, ParquetIsWrittenAndRead) {
  if (!kHasParquet) GTEST_SKIP() << "the plugin for Parquet is not built";
  const std::string rows = write_rows("rows.yson", "{id=1;s=a};{id=2;s=b};");
  EXPECT_EQ(xwalk::convert(rows, path("rows.parquet")).rows(), 2U);
  const Rows back = xwalk::open(path("rows.parquet"));
  EXPECT_EQ(back.total_rows(), 2);
  EXPECT_EQ(count(back), 2);
}

// --- checking and comparing ---

TEST_F(Api, CheckReadsRowsAndReaders) {
  const std::string rows = write_rows("rows.yson", "{id=1;s=a};{id=x;s=b};");
  const Report plan = xwalk::check(rows, "parquet");
  EXPECT_EQ(plan.rows(), std::nullopt);
  EXPECT_EQ(plan.verdict(), Verdict::Exact);
  EXPECT_EQ(plan.kind(), "check");
  const Report read = xwalk::check(rows, "parquet", {}, {.rows = true, .readers = true});
  EXPECT_EQ(read.rows(), 2U);
  EXPECT_EQ(read.rejected(), 1U);
  EXPECT_TRUE(read.fails());
  EXPECT_THAT(read.print("json"), HasSubstr("\"readers\""));
  EXPECT_EQ(error_of([&] { (void)xwalk::check(rows, ""); }).code(), ErrorCode::Usage);
  EXPECT_EQ(error_of([&] { (void)xwalk::check(rows, "sql"); }).code(), ErrorCode::Usage);
}

TEST_F(Api, CheckReportsEachTable) {
  write_rows("in/a.yson", "{id=1;s=a};");
  write_rows("in/b.yson", "{x=1};", "[{name=x;type=double}]");
  const Report report = xwalk::check(path("in"), "parquet", {}, {.rows = true});
  EXPECT_EQ(report.kind(), "tables");
  EXPECT_EQ(report.tables().size(), 2U);
  EXPECT_EQ(report.rows(), 2U);
}

TEST_F(Api, CheckAppendReportsWhatPreventsIt) {
  const std::string there = write_rows("there.yson", "{id=1;s=a};");
  const std::string same = write_rows("same.yson", "{id=2;s=b};");
  const std::string other =
      write_rows("other.yson", "{id=2;n=3};", "[{name=id;type=int64};{name=n;type=int64}]");
  EXPECT_FALSE(xwalk::check_append(same, there).fails());
  EXPECT_TRUE(xwalk::check_append(other, there).fails());
  const Report fresh = xwalk::check_append(same, path("none.yson"));
  EXPECT_FALSE(fresh.fails());
  EXPECT_NE(fresh.print("json").find("output.new"), std::string::npos);
}

TEST_F(Api, SchemasAreCompared) {
  const Schema older = Schema::parse("[{name=id;type=int32}]");
  const Schema newer = Schema::parse("[{name=id;type=int64};{name=s;type=utf8}]");
  const Report found = xwalk::diff(older, newer);
  EXPECT_TRUE(found.fails());
  EXPECT_EQ(found.grade(), "changed");
  EXPECT_EQ(error_of([&] { (void)found.verdict(); }).code(), ErrorCode::Usage);
  EXPECT_FALSE(xwalk::diff(older, older).fails());
  EXPECT_EQ(xwalk::compat(older, newer).grade(), "compatible");
  EXPECT_EQ(xwalk::compat(newer, older).grade(), "incompatible");
  EXPECT_EQ(error_of([&] { (void)xwalk::compat(older, newer, "sideways"); }).code(),
            ErrorCode::Usage);
}

TEST_F(Api, RowsAreCompared) {
  const Rows left = xwalk::open(write_rows("left.yson", "{id=1;s=a};{id=2;s=b};"));
  const Rows right = xwalk::open(write_rows("right.yson", "{id=2;s=c};{id=3;s=d};"));
  const Report found = xwalk::diff(left, right, {.key = {"id"}});
  EXPECT_EQ(found.grade(), "changed");
  EXPECT_EQ(found.summary(), "2 rows and 2 rows: 1 changed, 1 added, 1 removed");
  EXPECT_FALSE(xwalk::diff(left, left).fails());
  EXPECT_EQ(error_of([&] { (void)xwalk::diff(left, right, {.key = {"none"}}); }).code(),
            ErrorCode::Usage);
}

TEST_F(Api, ReportsPrintInEveryForm) {
  const Report report = Schema::parse("[{name=id;type=int64}]").to("parquet").report;
  EXPECT_EQ(report.print("text"), report.text());
  EXPECT_THAT(report.text(80, true), HasSubstr("exact"));
  EXPECT_THAT(report.print("json"), StartsWith("{"));
  EXPECT_THAT(report.print("html"), HasSubstr("<html"));
  EXPECT_THAT(report.print("markdown"), HasSubstr("exact"));
  EXPECT_THAT(report.print("junit"), HasSubstr("<testsuite"));
  EXPECT_EQ(report.print("github"), "");
  EXPECT_EQ(error_of([&] { (void)report.print("pdf"); }).code(), ErrorCode::Usage);
  EXPECT_EQ(xwalk::to_string(Verdict::Widened), "widened");
}

// --- jobs ---

TEST_F(Api, JobRefusesWhatIsNoSchema) {
  EXPECT_EQ(error_of([] { const xwalk::SkiffJob job("tuple<", "tuple<'a':int64>"); }).code(),
            ErrorCode::Input);
}

}  // namespace
