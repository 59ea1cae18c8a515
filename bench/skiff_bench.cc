// Skiff rows to Arrow and back, on the 1,000,000 rows of 8 columns of the benchmark of YSON rows,
// and on shapes that stress one kernel each. The bytes are those of memcpy's line too.
// XWALK_BENCH_WRITE=DIR writes the rows as rows.skiff and rows.skiff.schema for peers.

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

#include "xwalk/skiff/row_encoder.h"
#include "xwalk/skiff/rows.h"
#include "xwalk/skiff/values.h"

namespace {

using namespace xwalk;

constexpr int64_t kRows = 1'000'000;

const char* const kTable =
    "<strict=%true>[{name=id;type_v3=int64};{name=hash;type_v3=uint64};{name=score;type_v3=double};"
    "{name=flag;type_v3=bool};{name=city;type_v3=utf8};{name=token;type_v3=utf8};"
    "{name=parent;type_v3={type_name=optional;item=int64}};{name=time;type_v3=timestamp}]";

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
      return kTable;
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

/// Appends wire values.
class Rows {
 public:
  template <typename T>
  void put(T value) {
    char bytes[sizeof(T)];
    std::memcpy(bytes, &value, sizeof(T));
    out_.append(bytes, sizeof(T));
  }
  void text(std::string_view value) {
    put(static_cast<uint32_t>(value.size()));
    out_.append(value);
  }
  std::string take() { return std::move(out_); }

 private:
  std::string out_;
};

void mixed_row(int64_t row, std::mt19937_64* random, Rows* out) {
  static const char* const kCities[] = {"Moscow", "Berlin", "Paris", "Amsterdam", "New York",
                                        "Tokyo",  "Lima",   "Oslo",  "Cairo",     "Sydney"};
  out->put(row);
  out->put(static_cast<uint64_t>((*random)()));
  out->put(static_cast<double>((*random)() >> 11) * 0x1p-53 * 1000.0);
  out->put(static_cast<uint8_t>((*random)() & 1));
  out->text(kCities[(*random)() % 10]);
  char token[40];
  uint64_t first = (*random)();
  std::snprintf(token, sizeof(token), "%016" PRIx64 "-%09" PRIu64, first,
                static_cast<uint64_t>((*random)() % 1000000000));
  out->text(token);
  bool has_parent = (*random)() % 10 != 0;
  auto parent = static_cast<int64_t>((*random)() % 1000000);
  out->put(static_cast<uint8_t>(has_parent ? 1 : 0));
  if (has_parent) out->put(parent);
  out->put(static_cast<uint64_t>(1'600'000'000'000'000 + (*random)() % 100'000'000'000'000));
}

std::string make_rows(Shape shape) {
  std::mt19937_64 random(42);
  Rows out;
  for (int64_t row = 0; row < kRows; ++row) {
    out.put(uint16_t{0});
    switch (shape) {
      case Shape::Mixed:
        mixed_row(row, &random, &out);
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

/// Returns the rows of a shape, kept until another is asked for.
const std::string& rows_of(Shape shape) {
  static std::pair<std::optional<Shape>, std::string> kept;
  if (kept.first != shape) kept = {shape, make_rows(shape)};
  return kept.second;
}

class Memory final : public ByteSource {
 public:
  explicit Memory(std::string_view bytes) : bytes_(bytes) {}
  size_t read(char*, size_t) override { return 0; }
  const std::string& name() const override { return name_; }
  std::optional<std::string_view> contents() override { return bytes_; }
  uint64_t position() const override { return bytes_.size(); }

 private:
  std::string name_ = "memory";
  std::string_view bytes_;
};

void report(benchmark::State& state, size_t bytes) {
  state.SetBytesProcessed(static_cast<int64_t>(state.iterations()) * static_cast<int64_t>(bytes));
  state.counters["rows/s"] =
      benchmark::Counter(static_cast<double>(kRows), benchmark::Counter::kIsIterationInvariantRate);
}

/// Every check, every batch made and released.
void read_bench(benchmark::State& state, Shape shape) {
  const std::string& rows = rows_of(shape);
  skiff::Schema schema = skiff::parse_schema(table_text(shape));
  for (auto _ : state) {
    auto reader = skiff::read_rows(std::make_unique<Memory>(rows), schema);
    int64_t total = 0;
    while (auto batch = reader->next()) total += batch->rows();
    if (total != kRows) state.SkipWithError("rows are missing");
  }
  report(state, rows.size());
}

/// The path of single rows with every check, which the fast path is compared with.
void checked_bench(benchmark::State& state) {
  const std::string& rows = rows_of(Shape::Mixed);
  skiff::Schema schema = skiff::parse_schema(kTable);
  for (auto _ : state) {
    skiff::Input input(rows);
    skiff::RowReader reader(skiff::bind(schema, skiff::Flow::Read), input);
    while (reader.next()) {
    }
  }
  report(state, rows.size());
}

void write_bench(benchmark::State& state, Shape shape) {
  const std::string& rows = rows_of(shape);
  skiff::Schema schema = skiff::parse_schema(table_text(shape));
  std::vector<hub::Batch> batches;
  auto reader = skiff::read_rows(std::make_unique<Memory>(rows), schema);
  while (auto batch = reader->next()) batches.push_back(std::move(*batch));
  skiff::RowEncoder encoder(schema, {});
  size_t bytes = 0;
  yson::Buffer out;
  for (auto _ : state) {
    bytes = 0;
    for (const hub::Batch& batch : batches) {
      for (int64_t begin = 0; begin < batch.rows(); begin += 4096) {
        out.clear();
        encoder.encode(*batch.array, begin, std::min(batch.rows(), begin + 4096), 0, 0, &out);
        benchmark::DoNotOptimize(out.view().data());
        bytes += out.size();
      }
    }
    if (bytes != rows.size()) state.SkipWithError("bytes are missing");
  }
  report(state, bytes);
}

/// The same bytes copied by memcpy, into memory that is there already.
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
    skiff::Schema schema = skiff::parse_schema(kTable);
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
BENCHMARK(checked_bench)->Unit(benchmark::kMillisecond);
BENCHMARK(copy_bench)->Unit(benchmark::kMillisecond);

}  // namespace
