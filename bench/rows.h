#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>

#include <benchmark/benchmark.h>

#include "xwalk/base/byte_stream.h"
#include "xwalk/yson/print.h"
#include "xwalk/yt/schema.h"

/// The rows that every benchmark and every peer works on: 1,000,000 of 8 columns, the same ones in
/// every form.
namespace xwalk::bench {

inline constexpr int64_t kRows = 1'000'000;

/// int64 id, uint64 hash, double score, bool flag, city of ten, token of 26 unique bytes, int64
/// parent with 10 % null, timestamp time.
const yt::TableSchema& schema();

/// Easy: keys in the order of the schema, ASCII text without escapes. Hard: keys shuffled in each
/// row, texts with quotes, newlines and letters beyond ASCII.
enum class Shape : uint8_t { Easy, Hard, Shuffled };

/// Makes the rows; also as JSON, one line per row, if `json` is given.
std::string make_rows(yson::Format format, Shape shape, std::string* json = nullptr);

/// A source whose bytes are in memory.
std::unique_ptr<ByteSource> memory_source(std::string_view bytes);

/// Reports bytes and rows by second.
void report(benchmark::State& state, size_t bytes);

}  // namespace xwalk::bench
