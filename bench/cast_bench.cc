// The casts of the hub, one column of 65,536 rows a batch, 10 % of them null.

#include <cstdint>
#include <cstring>
#include <random>
#include <string>
#include <utility>
#include <vector>

#include <benchmark/benchmark.h>

#include "xwalk/hub/array.h"
#include "xwalk/hub/builder.h"
#include "xwalk/hub/cast.h"

namespace {

using namespace xwalk;
using hub::Field;
using hub::Kind;
using hub::TimeUnit;
using hub::Type;

constexpr int64_t kBatch = 65536;

/// Appends one value that fits everything it is cast to here.
void append_value(hub::ColumnBuilder& builder, const Field& field, uint64_t random) {
  int64_t small = static_cast<int64_t>(random % 2000) - 1000;
  switch (builder.layout()) {
    case hub::ColumnBuilder::Layout::Fixed:
      if (field.type.kind() == Kind::Double) {
        builder.append<double>(static_cast<double>(small));
      } else {
        // Little-endian, sign and all: any width of integer, time or decimal.
        int64_t words[4] = {small * 1000, small >> 63, small >> 63, small >> 63};
        builder.append_fixed(words);
      }
      return;
    case hub::ColumnBuilder::Layout::Bits:
      builder.append_bool((random & 1) != 0);
      return;
    case hub::ColumnBuilder::Layout::Bytes:
      builder.append_bytes(std::to_string(small * 1000));
      return;
    case hub::ColumnBuilder::Layout::List:
      for (uint64_t i = 0; i < random % 8; ++i) {
        append_value(builder.child(0), field.type.child(), random >> (8 * i));
      }
      builder.append_list();
      return;
    case hub::ColumnBuilder::Layout::Struct:
      for (size_t i = 0; i < builder.child_count(); ++i) {
        append_value(builder.child(i), field.type.child(i), random >> (8 * i));
      }
      builder.append_struct();
      return;
    case hub::ColumnBuilder::Layout::Null:
    case hub::ColumnBuilder::Layout::Union:
      builder.append_null();
      return;
  }
}

void cast_bench(benchmark::State& state, const Type& from, const Type& to, bool round = false) {
  hub::Schema source;
  source.fields.emplace_back("x", from);
  hub::Schema target;
  target.fields.emplace_back("x", to);
  hub::CastOptions options;
  options.round = round;
  hub::CompiledCast cast = hub::compile_cast(source, target, options);

  std::mt19937_64 random(7);
  hub::ColumnBuilder builder(source.fields[0]);
  for (int64_t row = 0; row < kBatch; ++row) {
    if (random() % 10 == 0) {
      builder.append_null();
    } else {
      append_value(builder, source.fields[0], random());
    }
  }
  std::vector<hub::Array> columns;
  columns.push_back(builder.finish());
  const hub::Array rows = hub::struct_of(std::move(columns), kBatch);
  for (auto _ : state) {
    hub::Batch batch;
    batch.array = rows;
    hub::Batch out = cast.run(std::move(batch));
    if (!out.bad.empty()) state.SkipWithError("a value does not fit");
    benchmark::DoNotOptimize(out.array.length);
  }
  state.SetItemsProcessed(state.iterations() * kBatch);
}

/// What the same bytes cost that are only copied into memory made for them: those that a cast
/// reads, or those that it writes, whichever are more.
void copy(benchmark::State& state, int64_t bytes) {
  hub::Buffer from(bytes * kBatch);
  for (auto _ : state) {
    hub::Buffer to(bytes * kBatch);
    std::memcpy(to.as<void>(), from.as<void>(), static_cast<size_t>(bytes * kBatch));
    benchmark::DoNotOptimize(to.as<void>());
    benchmark::ClobberMemory();
  }
  state.SetItemsProcessed(state.iterations() * kBatch);
}

Type list_of(Type item) { return hub::list(Field("item", std::move(item))); }
Type pair_of(Type first, Type second) {
  return hub::struct_({Field("a", std::move(first)), Field("b", std::move(second))});
}

BENCHMARK_CAPTURE(copy, of_8_bytes, 8);
BENCHMARK_CAPTURE(copy, of_16_bytes, 16);
BENCHMARK_CAPTURE(copy, of_32_bytes, 32);
BENCHMARK_CAPTURE(cast_bench, int64_to_int32, Kind::Int64, Kind::Int32);
BENCHMARK_CAPTURE(cast_bench, int32_to_int64, Kind::Int32, Kind::Int64);
BENCHMARK_CAPTURE(cast_bench, double_to_float, Kind::Double, Kind::Float);
BENCHMARK_CAPTURE(cast_bench, micros_to_nanos, hub::timestamp(TimeUnit::Micro, "UTC"),
                  hub::timestamp(TimeUnit::Nano, "UTC"));
BENCHMARK_CAPTURE(cast_bench, micros_to_millis, hub::timestamp(TimeUnit::Micro, "UTC"),
                  hub::timestamp(TimeUnit::Milli, "UTC"));
BENCHMARK_CAPTURE(cast_bench, micros_to_seconds_rounded, hub::timestamp(TimeUnit::Micro, "UTC"),
                  hub::timestamp(TimeUnit::Second, "UTC"), true);
BENCHMARK_CAPTURE(cast_bench, decimal_rescaled, hub::decimal(128, 20, 3), hub::decimal(128, 30, 6));
BENCHMARK_CAPTURE(cast_bench, decimal_widened, hub::decimal(128, 20, 3), hub::decimal(256, 50, 3));
BENCHMARK_CAPTURE(cast_bench, utf8_to_large, Kind::Utf8, Kind::LargeUtf8);
BENCHMARK_CAPTURE(cast_bench, utf8_to_view, Kind::Utf8, Kind::Utf8View);
BENCHMARK_CAPTURE(cast_bench, binary_to_utf8, Kind::Binary, Kind::Utf8);
BENCHMARK_CAPTURE(cast_bench, list_to_large, list_of(Kind::Int64),
                  hub::list(Field("item", Kind::Int64), Kind::LargeList));
BENCHMARK_CAPTURE(cast_bench, list_items, list_of(Kind::Int64), list_of(Kind::Int32));
BENCHMARK_CAPTURE(cast_bench, struct_members, pair_of(Kind::Int64, Kind::Utf8),
                  pair_of(Kind::Int32, Kind::LargeUtf8));

}  // namespace
