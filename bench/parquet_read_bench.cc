// Reads Parquet files by our own rules: every column of every row into Arrow batches.
// XWALK_BENCH_PARQUET names the files, with colons between; bench/parquet_compare.py makes them and
// runs pyarrow's own read beside this one. Also the footer and the message text of a schema of
// 10,000 columns.

#include <cstdlib>
#include <string>

#include <benchmark/benchmark.h>

#include "xwalk/io/formats/parquet_input.h"
#include "xwalk/io/rows/pipeline.h"
#include "xwalk/parquet/hub.h"
#include "xwalk/parquet/schema.h"

namespace {

using namespace xwalk;

void read_file(benchmark::State& state, const std::string& path) {
  const int threads = static_cast<int>(state.range(0));
  uint64_t rows = 0;
  for (auto _ : state) {
    io::ParquetInputOptions options;
    options.threads = threads;
    auto reader = io::open_parquet(io::with_contents(io::open_source(path)), options);
    io::PipelineOptions pipeline;
    pipeline.threads = threads;
    rows += io::run_pipeline(*reader, nullptr, nullptr, pipeline).rows;
  }
  state.counters["rows"] =
      benchmark::Counter(static_cast<double>(rows), benchmark::Counter::kIsRate);
}

parquet::Schema wide_schema() {
  std::string text = "message wide {\n";
  for (int i = 0; i < 10'000; ++i) {
    text += "  optional binary column_" + std::to_string(i) + " (STRING) = " + std::to_string(i);
    text += ";\n";
  }
  return parquet::parse_message(text + "}\n");
}

void parse_message_text(benchmark::State& state) {
  std::string text = parquet::print_message(wide_schema());
  for (auto _ : state) benchmark::DoNotOptimize(parquet::parse_message(text));
  state.SetBytesProcessed(state.iterations() * static_cast<int64_t>(text.size()));
}
BENCHMARK(parse_message_text)->Unit(benchmark::kMillisecond);

void print_message_text(benchmark::State& state) {
  parquet::Schema schema = wide_schema();
  size_t bytes = parquet::print_message(schema).size();
  for (auto _ : state) benchmark::DoNotOptimize(parquet::print_message(schema));
  state.SetBytesProcessed(state.iterations() * static_cast<int64_t>(bytes));
}
BENCHMARK(print_message_text)->Unit(benchmark::kMillisecond);

void read_elements(benchmark::State& state) {
  std::string bytes = parquet::write_schema_elements(wide_schema());
  for (auto _ : state) benchmark::DoNotOptimize(parquet::read_schema_elements(bytes));
  state.SetBytesProcessed(state.iterations() * static_cast<int64_t>(bytes.size()));
}
BENCHMARK(read_elements)->Unit(benchmark::kMillisecond);

void meaning(benchmark::State& state) {
  parquet::Schema schema = wide_schema();
  for (auto _ : state) benchmark::DoNotOptimize(parquet::to_arrow(schema));
}
BENCHMARK(meaning)->Unit(benchmark::kMillisecond);

int register_files() {
  const char* files = std::getenv("XWALK_BENCH_PARQUET");
  std::string left = files == nullptr ? "" : files;
  while (!left.empty()) {
    size_t end = std::min(left.find(':'), left.size());
    std::string path = left.substr(0, end);
    left.erase(0, end + 1);
    if (path.empty()) continue;
    benchmark::RegisterBenchmark(("read " + path).c_str(), read_file, path)
        ->Arg(1)
        ->Arg(2)
        ->MeasureProcessCPUTime()
        ->UseRealTime()
        ->Unit(benchmark::kMillisecond);
  }
  return 0;
}
const int kRegistered = register_files();

}  // namespace
