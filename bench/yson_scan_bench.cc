// The YSON syntax alone: trees, skipping, splitting a stream into rows, and one form into another.

#include <string>

#include <benchmark/benchmark.h>

#include "rows.h"
#include "xwalk/yson/parse.h"
#include "xwalk/yson/row_splitter.h"
#include "xwalk/yson/transcode.h"
#include "xwalk/yson/writer.h"

namespace {

using namespace xwalk;
using bench::Shape;
using yson::Format;

void trees(benchmark::State& state, Format format) {
  std::string rows = bench::make_rows(format, Shape::Easy);
  for (auto _ : state) {
    const char* p = rows.data();
    const char* end = p + rows.size();
    for (;;) {
      yson::skip_space(p, end);
      if (p == end) break;
      const char* row = p;
      if (yson::skip_value(p, end) != yson::Status::Ok) state.SkipWithError("a row is wrong");
      benchmark::DoNotOptimize(yson::parse({row, p}));
      ++p;
    }
  }
  bench::report(state, rows.size());
}

void skip(benchmark::State& state, Format format) {
  std::string rows = bench::make_rows(format, Shape::Easy);
  for (auto _ : state) {
    const char* p = rows.data();
    const char* end = p + rows.size();
    for (;;) {
      yson::skip_space(p, end);
      if (p == end) break;
      if (yson::skip_value(p, end) != yson::Status::Ok) state.SkipWithError("a row is wrong");
      ++p;
    }
  }
  bench::report(state, rows.size());
}

void split(benchmark::State& state, Format format) {
  std::string rows = bench::make_rows(format, Shape::Easy);
  for (auto _ : state) {
    auto source = bench::memory_source(rows);
    yson::RowSplitter splitter(source.get());
    yson::RowChunk chunk;
    uint64_t items = 0;
    while (splitter.next(&chunk)) items += chunk.items;
    if (items != static_cast<uint64_t>(bench::kRows)) state.SkipWithError("rows are missing");
  }
  bench::report(state, rows.size());
}

void transcode(benchmark::State& state, Format from, Format to) {
  std::string rows = bench::make_rows(from, Shape::Easy);
  yson::Buffer out;
  for (auto _ : state) {
    const char* p = rows.data();
    const char* end = p + rows.size();
    for (;;) {
      yson::skip_space(p, end);
      if (p == end) break;
      out.clear();
      if (yson::transcode(p, end, to, &out) != yson::Status::Ok) {
        state.SkipWithError("a row is wrong");
      }
      ++p;
    }
  }
  bench::report(state, rows.size());
}

BENCHMARK_CAPTURE(trees, binary, Format::Binary)->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(trees, text, Format::Text)->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(skip, binary, Format::Binary)->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(skip, text, Format::Text)->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(split, binary, Format::Binary)->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(split, text, Format::Text)->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(transcode, text_to_binary, Format::Text, Format::Binary)
    ->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(transcode, binary_to_text, Format::Binary, Format::Text)
    ->Unit(benchmark::kMillisecond);

}  // namespace
