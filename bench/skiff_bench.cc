// Skiff rows to Arrow and back, on the 1,000,000 rows of 8 columns of bench/rows.h, and on shapes
// that stress one kernel each. XWALK_BENCH_WRITE=DIR writes the rows for bench/compare.py: as
// rows.skiff with its schema, and as ClickHouse's RowBinary, rows.bin.

#include <cinttypes>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <optional>
#include <random>
#include <string>
#include <utility>
#include <vector>

#include <benchmark/benchmark.h>

#include "rows.h"
#include "xwalk/skiff/job.h"
#include "xwalk/skiff/row_encoder.h"
#include "xwalk/skiff/values.h"

namespace {

using namespace xwalk;
using bench::kRows;
using bench::report;

/// What the rows are made of.
enum class Shape : uint8_t {
  Mixed,     ///< the eight columns
  Numbers,   ///< eight columns of int64
  Nullable,  ///< four columns of optional int64, a tenth null, and four of optional utf8
  Text,      ///< two columns of utf8 of 20 to 200 bytes, partly beyond ASCII
  Nested,    ///< a list of int64 and a struct with an optional member
};

const char* table_text(Shape shape) {
  switch (shape) {
    case Shape::Mixed:
      break;
    case Shape::Numbers:
      return "<strict=%true>[{name=a;type_v3=int64};{name=b;type_v3=int64};{name=c;type_v3=int64};"
             "{name=d;type_v3=int64};{name=e;type_v3=int64};{name=f;type_v3=int64};"
             "{name=g;type_v3=int64};{name=h;type_v3=int64}]";
    case Shape::Nullable:
      return "<strict=%true>[{name=a;type=int64};{name=b;type=int64};{name=c;type=int64};"
             "{name=d;type=int64};{name=e;type=utf8};{name=f;type=utf8};{name=g;type=utf8};"
             "{name=h;type=utf8}]";
    case Shape::Text:
      return "<strict=%true>[{name=a;type_v3=utf8};{name=b;type_v3=utf8}]";
    case Shape::Nested:
      return "<strict=%true>[{name=l;type_v3={type_name=list;item=int64}};"
             "{name=s;type_v3={type_name=struct;members=[{name=x;type=int64};"
             "{name=y;type={type_name=optional;item=utf8}}]}}]";
  }
  return "";
}

skiff::Schema schema_of(Shape shape) {
  return shape == Shape::Mixed ? skiff::schema_of(bench::schema())
                               : skiff::parse_schema(table_text(shape));
}

/// Which of two formats that differ in little rows are written in.
enum class Layout : uint8_t { Skiff, RowBinary };

/// Appends wire values.
class Rows {
 public:
  template <typename T>
  void put(T value) {
    char bytes[sizeof(T)];
    std::memcpy(bytes, &value, sizeof(T));
    out_.append(bytes, sizeof(T));
  }
  void text(std::string_view value, Layout layout = Layout::Skiff) {
    if (layout == Layout::Skiff) {
      put(static_cast<uint32_t>(value.size()));
    } else {
      put(static_cast<uint8_t>(value.size()));
    }
    out_.append(value);
  }
  std::string take() { return std::move(out_); }

 private:
  std::string out_;
};

void mixed_row(int64_t row, Layout layout, std::mt19937_64* random, Rows* out) {
  static const char* const kCities[] = {"Moscow", "Berlin", "Paris", "Amsterdam", "New York",
                                        "Tokyo",  "Lima",   "Oslo",  "Cairo",     "Sydney"};
  out->put(row);
  out->put(static_cast<uint64_t>((*random)()));
  out->put(static_cast<double>((*random)() >> 11) * 0x1p-53 * 1000.0);
  out->put(static_cast<uint8_t>((*random)() & 1));
  out->text(kCities[(*random)() % 10], layout);
  char token[40];
  uint64_t first = (*random)();
  std::snprintf(token, sizeof(token), "%016" PRIx64 "-%09" PRIu64, first,
                static_cast<uint64_t>((*random)() % 1000000000));
  out->text(token, layout);
  bool has_parent = (*random)() % 10 != 0;
  auto parent = static_cast<int64_t>((*random)() % 1000000);
  bool tag = layout == Layout::Skiff ? has_parent : !has_parent;
  out->put(static_cast<uint8_t>(tag ? 1 : 0));
  if (has_parent) out->put(parent);
  out->put(static_cast<uint64_t>(1'600'000'000'000'000 + (*random)() % 100'000'000'000'000));
}

std::string make_rows(Shape shape, Layout layout = Layout::Skiff) {
  std::mt19937_64 random(42);
  Rows out;
  for (int64_t row = 0; row < kRows; ++row) {
    if (layout == Layout::Skiff) out.put(uint16_t{0});
    switch (shape) {
      case Shape::Mixed:
        mixed_row(row, layout, &random, &out);
        break;
      case Shape::Numbers:
        for (int i = 0; i < 8; ++i) out.put(static_cast<int64_t>(random()));
        break;
      case Shape::Nullable:
        for (int i = 0; i < 8; ++i) {
          bool present = random() % 10 != 0;
          out.put(static_cast<uint8_t>(present ? 1 : 0));
          if (!present) continue;
          if (i < 4) {
            out.put(static_cast<int64_t>(random()));
          } else {
            out.text(std::string(random() % 16, 'x'));
          }
        }
        break;
      case Shape::Text:
        for (int i = 0; i < 2; ++i) {
          std::string text(20 + random() % 170, 'y');
          if (random() % 4 == 0) text.append("\xD0\xB6\xD1\x83\xD0\xBA");
          out.text(text);
        }
        break;
      case Shape::Nested: {
        uint64_t items = random() % 6;
        for (uint64_t i = 0; i < items; ++i) {
          out.put(uint8_t{0});
          out.put(static_cast<int64_t>(random()));
        }
        out.put(uint8_t{0xFF});
        out.put(static_cast<int64_t>(random()));
        bool present = random() % 2 == 0;
        out.put(static_cast<uint8_t>(present ? 1 : 0));
        if (present) out.text("member");
        break;
      }
    }
  }
  return out.take();
}

/// Returns the rows of a shape, kept until another shape is requested.
const std::string& rows_of(Shape shape) {
  static std::pair<std::optional<Shape>, std::string> kept;
  if (kept.first != shape) kept = {shape, make_rows(shape)};
  return kept.second;
}

/// Every check, every batch made and released.
void read_bench(benchmark::State& state, Shape shape) {
  const std::string& rows = rows_of(shape);
  skiff::Schema schema = schema_of(shape);
  for (auto _ : state) {
    auto reader = skiff::read_rows(bench::memory_source(rows), schema);
    int64_t total = 0;
    while (auto batch = reader->next()) total += batch->rows();
    if (total != kRows) state.SkipWithError("rows are missing");
  }
  report(state, rows.size());
}

/// Rows one by one, as a job takes them.
void job_bench(benchmark::State& state) {
  const std::string& rows = rows_of(Shape::Mixed);
  skiff::Schema schema = schema_of(Shape::Mixed);
  for (auto _ : state) {
    skiff::Job job(schema, bench::memory_source(rows), {}, {});
    skiff::Row row;
    while (job.next(&row)) benchmark::DoNotOptimize(row.columns);
  }
  report(state, rows.size());
}

void write_bench(benchmark::State& state, Shape shape) {
  const std::string& rows = rows_of(shape);
  skiff::Schema schema = schema_of(shape);
  std::vector<hub::Batch> batches;
  auto reader = skiff::read_rows(bench::memory_source(rows), schema);
  while (auto batch = reader->next()) batches.push_back(std::move(*batch));
  skiff::RowEncoder encoder(schema, {});
  size_t bytes = 0;
  yson::Buffer out;
  for (auto _ : state) {
    bytes = 0;
    for (const hub::Batch& batch : batches) {
      for (int64_t begin = 0; begin < batch.rows(); begin += 4096) {
        out.clear();
        encoder.encode(batch.array, begin, std::min(batch.rows(), begin + 4096), 0, 0, &out);
        benchmark::DoNotOptimize(out.view().data());
        bytes += out.size();
      }
    }
    if (bytes != rows.size()) state.SkipWithError("bytes are missing");
  }
  report(state, bytes);
}

/// The same bytes copied by memcpy, into memory that is allocated already.
void copy_bench(benchmark::State& state) {
  const std::string& rows = rows_of(Shape::Mixed);
  std::string target(rows.size(), '\0');
  for (auto _ : state) {
    std::memcpy(target.data(), rows.data(), rows.size());
    benchmark::DoNotOptimize(target.data());
  }
  report(state, rows.size());
}

const bool kWritten = [] {
  if (const char* folder = std::getenv("XWALK_BENCH_WRITE")) {
    std::string path = std::string(folder) + "/rows.skiff";
    std::ofstream(path, std::ios::binary) << make_rows(Shape::Mixed);
    std::ofstream(std::string(folder) + "/rows.bin", std::ios::binary)
        << make_rows(Shape::Mixed, Layout::RowBinary);
    skiff::Schema schema = schema_of(Shape::Mixed);
    std::ofstream(path + ".schema") << skiff::print(schema, skiff::SchemaForm::File);
  }
  return true;
}();

BENCHMARK_CAPTURE(read_bench, mixed, Shape::Mixed)->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(read_bench, numbers, Shape::Numbers)->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(read_bench, nullable, Shape::Nullable)->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(read_bench, text, Shape::Text)->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(read_bench, nested, Shape::Nested)->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(write_bench, mixed, Shape::Mixed)->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(write_bench, numbers, Shape::Numbers)->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(write_bench, nullable, Shape::Nullable)->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(write_bench, text, Shape::Text)->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(write_bench, nested, Shape::Nested)->Unit(benchmark::kMillisecond);
BENCHMARK(job_bench)->Unit(benchmark::kMillisecond);
BENCHMARK(copy_bench)->Unit(benchmark::kMillisecond);

}  // namespace
