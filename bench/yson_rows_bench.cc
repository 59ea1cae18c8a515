// YSON rows to Arrow and back, on the 1,000,000 rows of 8 columns that every peer reads too.
// XWALK_BENCH_WRITE=DIR writes them as rows.yson, rows.bin.yson and rows.json for bench/compare.py.

#include <cinttypes>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <random>
#include <string>

#include <benchmark/benchmark.h>

#include "xwalk/yson/writer.h"
#include "xwalk/yt/row_encoder.h"
#include "xwalk/yt/values.h"

namespace {

using namespace xwalk;

constexpr int64_t kRows = 1'000'000;

const char* const kSchema =
    "[{name=id;type_v3=int64};{name=hash;type_v3=uint64};{name=score;type_v3=double};"
    "{name=flag;type_v3=bool};{name=city;type_v3=utf8};{name=token;type_v3=utf8};"
    "{name=parent;type_v3={type_name=optional;item=int64}};{name=time;type_v3=timestamp}]";

const yt::TableSchema& schema() {
  static const yt::TableSchema kTable = yt::parse_table_schema(kSchema);
  return kTable;
}

enum class Keys : uint8_t { InOrder, Shuffled };
enum class Text : uint8_t { Ascii, Escaped };

/// Makes the rows in text or binary, and JSON beside them for peers.
std::string make_rows(yson::Format format, Keys keys, Text text, std::string* json = nullptr) {
  static const char* const kCities[] = {"Moscow", "Berlin", "Paris", "Amsterdam", "New York",
                                        "Tokyo",  "Lima",   "Oslo",  "Cairo",     "Sydney"};
  std::mt19937_64 random(42);
  yson::Buffer out;
  bool binary = format == yson::Format::Binary;
  for (int64_t row = 0; row < kRows; ++row) {
    char* p = out.reserve(2048);
    auto name = [&](std::string_view key) {
      p = binary ? yson::write_binary_string(p, key) : yson::write_text_string(p, key);
      *p++ = '=';
    };
    auto string = [&](std::string_view value) {
      p = binary ? yson::write_binary_string(p, value) : yson::write_text_string(p, value);
    };
    uint64_t hash = random();
    double score = static_cast<double>(random() >> 11) * 0x1p-53 * 1000.0;
    bool flag = (random() & 1) != 0;
    std::string city = kCities[random() % 10];
    char token[40];
    std::snprintf(token, sizeof(token), "%016" PRIx64 "-%09" PRIu64, random(),
                  random() % 1000000000);
    std::string unique(token, 26);
    bool has_parent = random() % 10 != 0;
    auto parent = static_cast<int64_t>(random() % 1000000);
    uint64_t time = 1'600'000'000'000'000 + random() % 100'000'000'000'000;
    if (text == Text::Escaped) {
      unique.replace(4, 4, "\xD0\x96\"\n");
      city += "\xC3\xA9";
    }
    int order[8] = {0, 1, 2, 3, 4, 5, 6, 7};
    if (keys == Keys::Shuffled) std::shuffle(order, order + 8, random);
    *p++ = '{';
    for (int column : order) {
      switch (column) {
        case 0:
          name("id");
          p = binary ? yson::write_binary_int64(p, row) : yson::write_text_int64(p, row);
          break;
        case 1:
          name("hash");
          p = binary ? yson::write_binary_uint64(p, hash) : yson::write_text_uint64(p, hash);
          break;
        case 2:
          name("score");
          p = binary ? yson::write_binary_double(p, score) : yson::write_text_double(p, score);
          break;
        case 3:
          name("flag");
          p = binary ? yson::write_binary_boolean(p, flag) : yson::write_text_boolean(p, flag);
          break;
        case 4:
          name("city");
          string(city);
          break;
        case 5:
          name("token");
          string(unique);
          break;
        case 6:
          name("parent");
          if (!has_parent) {
            *p++ = '#';
          } else {
            p = binary ? yson::write_binary_int64(p, parent) : yson::write_text_int64(p, parent);
          }
          break;
        default:
          name("time");
          p = binary ? yson::write_binary_uint64(p, time) : yson::write_text_uint64(p, time);
          break;
      }
      *p++ = ';';
    }
    *p++ = '}';
    *p++ = ';';
    if (!binary) *p++ = '\n';
    out.set_end(p);
    if (json != nullptr) {
      char line[512];
      int size =
          std::snprintf(line, sizeof(line),
                        "{\"id\":%" PRId64 ",\"hash\":%" PRIu64
                        ",\"score\":%.17g,\"flag\":%s,\"city\":\"%s\","
                        "\"token\":\"%s\",\"parent\":%s,\"time\":%" PRIu64 "}\n",
                        row, hash, score, flag ? "true" : "false", city.c_str(), unique.c_str(),
                        has_parent ? std::to_string(parent).c_str() : "null", time);
      json->append(line, static_cast<size_t>(size));
    }
  }
  return std::string(out.view());
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

void read_bench(benchmark::State& state, yson::Format format, Keys keys, Text text) {
  std::string rows = make_rows(format, keys, text);
  for (auto _ : state) {
    auto reader = yt::read_rows(std::make_unique<Memory>(rows), schema(), {});
    int64_t total = 0;
    while (auto batch = reader->next()) total += batch->rows();
    if (total != kRows) state.SkipWithError("rows are missing");
  }
  report(state, rows.size());
}

void write_bench(benchmark::State& state, yson::Format format) {
  std::string rows = make_rows(yson::Format::Binary, Keys::InOrder, Text::Ascii);
  std::vector<hub::Batch> batches;
  auto reader = yt::read_rows(std::make_unique<Memory>(rows), schema(), {});
  while (auto batch = reader->next()) batches.push_back(std::move(*batch));
  yt::ValueOptions options;
  options.format = format;
  yt::RowEncoder encoder(schema(), options);
  size_t bytes = 0;
  yson::Buffer out;
  for (auto _ : state) {
    bytes = 0;
    for (const hub::Batch& batch : batches) {
      for (int64_t begin = 0; begin < batch.rows(); begin += 4096) {
        out.clear();
        encoder.encode(*batch.array, begin, std::min(batch.rows(), begin + 4096), 0, &out);
        bytes += out.size();
      }
    }
  }
  report(state, bytes);
}

void copy_bench(benchmark::State& state) {
  std::string rows = make_rows(yson::Format::Binary, Keys::InOrder, Text::Ascii);
  std::string target(rows.size(), '\0');
  for (auto _ : state) {
    std::memcpy(target.data(), rows.data(), rows.size());
    benchmark::DoNotOptimize(target.data());
  }
  report(state, rows.size());
}

void write_files(const std::string& folder) {
  std::string json;
  std::ofstream(folder + "/rows.yson", std::ios::binary)
      << make_rows(yson::Format::Text, Keys::InOrder, Text::Ascii, &json);
  std::ofstream(folder + "/rows.json", std::ios::binary) << json;
  std::ofstream(folder + "/rows.bin.yson", std::ios::binary)
      << make_rows(yson::Format::Binary, Keys::InOrder, Text::Ascii);
}

const bool kWritten = [] {
  if (const char* folder = std::getenv("XWALK_BENCH_WRITE")) write_files(folder);
  return true;
}();

BENCHMARK_CAPTURE(read_bench, binary, yson::Format::Binary, Keys::InOrder, Text::Ascii)
    ->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(read_bench, text, yson::Format::Text, Keys::InOrder, Text::Ascii)
    ->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(read_bench, binary_shuffled, yson::Format::Binary, Keys::Shuffled, Text::Ascii)
    ->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(read_bench, text_shuffled_escaped, yson::Format::Text, Keys::Shuffled,
                  Text::Escaped)
    ->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(write_bench, binary, yson::Format::Binary)->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(write_bench, text, yson::Format::Text)->Unit(benchmark::kMillisecond);
BENCHMARK(copy_bench)->Unit(benchmark::kMillisecond);

}  // namespace
