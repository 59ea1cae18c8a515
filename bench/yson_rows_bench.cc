// YSON rows to Arrow and back. XWALK_BENCH_WRITE=DIR writes the rows for peers: rows.yson,
// rows.bin.yson, rows.json, hard.yson, hard.bin.yson and hard.json.

#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <string>
#include <vector>

#include <benchmark/benchmark.h>

#include "rows.h"
#include "xwalk/yson/writer.h"
#include "xwalk/yt/row_encoder.h"
#include "xwalk/yt/values.h"

namespace {

using namespace xwalk;
using bench::Shape;
using yson::Format;

void read(benchmark::State& state, Format format, Shape shape) {
  std::string rows = bench::make_rows(format, shape);
  for (auto _ : state) {
    auto reader = yt::read_rows(bench::memory_source(rows), bench::schema(), {});
    int64_t total = 0;
    while (auto batch = reader->next()) total += batch->rows();
    if (total != bench::kRows) state.SkipWithError("rows are missing");
  }
  bench::report(state, rows.size());
}

void write(benchmark::State& state, Format format, Shape shape) {
  std::string rows = bench::make_rows(Format::Binary, shape);
  std::vector<hub::Batch> batches;
  auto reader = yt::read_rows(bench::memory_source(rows), bench::schema(), {});
  while (auto batch = reader->next()) batches.push_back(std::move(*batch));
  yt::ValueOptions options;
  options.format = format;
  yt::RowEncoder encoder(bench::schema(), options);
  size_t bytes = 0;
  yson::Buffer out;
  for (auto _ : state) {
    bytes = 0;
    for (const hub::Batch& batch : batches) {
      for (int64_t begin = 0; begin < batch.rows(); begin += 4096) {
        out.clear();
        encoder.encode(batch.array, begin, std::min(batch.rows(), begin + 4096), 0, &out);
        bytes += out.size();
      }
    }
  }
  bench::report(state, bytes);
}

/// What the same bytes cost that are only copied.
void copy(benchmark::State& state, Format format) {
  std::string rows = bench::make_rows(format, Shape::Easy);
  std::string target(rows.size(), '\0');
  for (auto _ : state) {
    std::memcpy(target.data(), rows.data(), rows.size());
    benchmark::DoNotOptimize(target.data());
    benchmark::ClobberMemory();
  }
  bench::report(state, rows.size());
}

void write_file(const std::string& path, const std::string& bytes) {
  std::ofstream(path, std::ios::binary) << bytes;
}

const bool kWritten = [] {
  const char* folder = std::getenv("XWALK_BENCH_WRITE");
  if (folder == nullptr) return false;
  for (Shape shape : {Shape::Easy, Shape::Hard}) {
    std::string base = std::string(folder) + (shape == Shape::Easy ? "/rows" : "/hard");
    std::string json;
    write_file(base + ".yson", bench::make_rows(Format::Text, shape, &json));
    write_file(base + ".json", json);
    write_file(base + ".bin.yson", bench::make_rows(Format::Binary, shape));
  }
  return true;
}();

BENCHMARK_CAPTURE(read, binary, Format::Binary, Shape::Easy)->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(read, text, Format::Text, Shape::Easy)->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(read, binary_shuffled, Format::Binary, Shape::Shuffled)
    ->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(read, text_shuffled, Format::Text, Shape::Shuffled)
    ->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(read, binary_hard, Format::Binary, Shape::Hard)->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(read, text_hard, Format::Text, Shape::Hard)->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(write, binary, Format::Binary, Shape::Easy)->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(write, text, Format::Text, Shape::Easy)->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(write, text_hard, Format::Text, Shape::Hard)->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(copy, binary, Format::Binary)->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(copy, text, Format::Text)->Unit(benchmark::kMillisecond);

}  // namespace
