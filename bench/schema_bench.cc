// Schemas of Lance and Vortex: many small ones, and one of 10,000 fields.

#include <string>

#include <benchmark/benchmark.h>

#include "xwalk/lance/file.h"
#include "xwalk/lance/hub.h"
#include "xwalk/lance/schema.h"
#include "xwalk/vortex/schema.h"

namespace {

namespace lance = xwalk::lance;
namespace vortex = xwalk::vortex;

constexpr int kFields = 10'000;

lance::Schema wide_lance() {
  lance::Schema schema;
  for (int i = 0; i < kFields; ++i) {
    lance::Field field;
    field.name = "column_" + std::to_string(i);
    field.type = i % 3 == 0   ? lance::LogicalType(lance::Kind::Int64)
                 : i % 3 == 1 ? lance::LogicalType(lance::Kind::String)
                              : lance::LogicalType::timestamp(lance::TimeUnit::Micro, "UTC");
    field.encoding = lance::default_encoding(field.type);
    field.metadata.set("lance-encoding:compression", "zstd");
    schema.fields.push_back(std::move(field));
  }
  lance::assign_ids(&schema);
  return schema;
}

/// A manifest file: u32 length, message, i64 position, version, magic.
std::string manifest_of(const lance::Schema& schema) {
  std::string message;
  auto varint = [&](uint64_t value) {
    for (; value >= 128; value >>= 7) message += static_cast<char>(value | 128);
    message += static_cast<char>(value);
  };
  for (const std::string& field : lance::write_fields(schema)) {
    message += '\x0A';
    varint(field.size());
    message += field;
  }
  std::string file;
  for (int i = 0; i < 4; ++i) file += static_cast<char>(message.size() >> (8 * i));
  file += message;
  file.append(8, '\0');
  file += std::string("\0\0\2\0", 4) + "LANC";
  return file;
}

void lance_manifest_to_arrow(benchmark::State& state) {
  std::string file = manifest_of(wide_lance());
  for (auto _ : state) {
    benchmark::DoNotOptimize(lance::to_arrow(lance::read_manifest(file).schema));
  }
}
BENCHMARK(lance_manifest_to_arrow)->Unit(benchmark::kMillisecond);

void lance_protobuf_both_ways(benchmark::State& state) {
  lance::Schema schema = wide_lance();
  for (auto _ : state)
    benchmark::DoNotOptimize(lance::read_protobuf(lance::write_protobuf(schema)));
}
BENCHMARK(lance_protobuf_both_ways)->Unit(benchmark::kMillisecond);

vortex::DType small_dtype() {
  return vortex::DType::list(vortex::DType::primitive(vortex::PType::I64, true), false);
}

vortex::DType wide_dtype() {
  std::vector<vortex::Member> members;
  for (int i = 0; i < kFields; ++i) {
    members.push_back({"column_" + std::to_string(i),
                       i % 2 == 0 ? vortex::DType::utf8(true)
                                  : vortex::DType::primitive(vortex::PType::I64, false)});
  }
  return vortex::DType::struct_(std::move(members), false);
}

template <typename Make, typename Write>
void write_dtype(benchmark::State& state, Make make, Write write) {
  vortex::DType type = make();
  for (auto _ : state) benchmark::DoNotOptimize(write(type));
  state.SetItemsProcessed(state.iterations());
}

template <typename Make, typename Write, typename Read>
void read_dtype(benchmark::State& state, Make make, Write write, Read read) {
  std::string bytes = write(make());
  for (auto _ : state) benchmark::DoNotOptimize(read(bytes));
  state.SetItemsProcessed(state.iterations());
}

BENCHMARK_CAPTURE(write_dtype, small_flatbuffers, small_dtype, vortex::write_flatbuffers);
BENCHMARK_CAPTURE(write_dtype, small_protobuf, small_dtype, vortex::write_protobuf);
BENCHMARK_CAPTURE(write_dtype, wide_flatbuffers, wide_dtype, vortex::write_flatbuffers)
    ->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(write_dtype, wide_protobuf, wide_dtype, vortex::write_protobuf)
    ->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(read_dtype, small_flatbuffers, small_dtype, vortex::write_flatbuffers,
                  vortex::read_flatbuffers);
BENCHMARK_CAPTURE(read_dtype, small_protobuf, small_dtype, vortex::write_protobuf,
                  vortex::read_protobuf);
BENCHMARK_CAPTURE(read_dtype, wide_flatbuffers, wide_dtype, vortex::write_flatbuffers,
                  vortex::read_flatbuffers)
    ->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(read_dtype, wide_protobuf, wide_dtype, vortex::write_protobuf,
                  vortex::read_protobuf)
    ->Unit(benchmark::kMillisecond);

}  // namespace
