// Any bytes as a Parquet file, an Arrow file or an Arrow stream, read by the plugin: rows can be
// printed, are the same in batches of another size, and of a stream those that our own reader of
// streams gives. Random rows that it writes come back, however their bytes come; what a source or a
// sink throws comes out as it was thrown. Arrow C++ itself is not instrumented here.

#include <algorithm>
#include <cstring>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "fuzz/harness.h"
#include "fuzz/rows.h"
#include "tests/crosswalk/random_values.h"
#include "tests/hub/values.h"
#include "xwalk/base/error.h"
#include "xwalk/hub/filter.h"
#include "xwalk/io/engines/ipc_stream.h"
#include "xwalk/io/engines/plugin_engine.h"
#include "xwalk/io/formats/file_ranges.h"
#include "xwalk/io/formats/parquet_input.h"
#include "xwalk/io/formats/parquet_output.h"
#include "xwalk/io/formats/parquet_validate.h"
#include "xwalk/io/formats/row_format.h"
#include "xwalk/io/places/open_input.h"
#include "xwalk/io/plugins/engine_folder.h"
#include "xwalk/io/rows/file_range.h"

namespace xwalk::fuzz {
namespace {

/// Rows of one input: nulls and runs take no bytes.
constexpr int64_t kMostRows = 4096;

std::optional<std::string> read(const std::string& bytes, io::Format format, int64_t batch_rows) {
  io::InputOptions options;
  options.format = format;
  options.batch_rows = batch_rows;
  options.limit = kMostRows;
  options.skip_bad_rows = true;
  std::string out;
  try {
    const io::Input input = io::open_input(io::memory_source(bytes, "input"), options);
    while (std::optional<hub::Batch> batch = input.reader->next()) {
      const hub::Schema& schema = input.reader->schema();
      const hub::Batch good = hub::drop_bad_rows(std::move(*batch), schema, nullptr);
      check_rows(schema, good.array);
      for (int64_t i = 0; i < good.rows(); ++i) {
        hub::append_json_row(schema, good.array, i, &out);
        out += '\n';
      }
    }
  } catch (const Error& error) {
    require_refusal(error);
    return std::nullopt;
  }
  return out;
}

/// Returns the result of xwalk's own stream reader; empty if it refuses the stream.
std::optional<std::string> read_natively(std::string_view rest) {
  std::string out;
  int64_t rows = 0;
  try {
    io::IpcStreamReader reader([&](void* to, size_t size) {
      const std::string_view taken = rest.substr(0, size);
      std::memcpy(to, taken.data(), taken.size());
      rest.remove_prefix(taken.size());
      return taken.size();
    });
    const hub::Schema schema = reader.schema();
    while (const std::optional<hub::Array> batch = reader.next()) {
      for (int64_t i = 0; i < batch->length && rows < kMostRows; ++i, ++rows) {
        hub::append_json_row(schema, *batch, i, &out);
        out += '\n';
      }
    }
  } catch (const Error&) {
    return std::nullopt;
  }
  return out;
}

// --- rows of our own -----------------------------------------------------------------------------

/// What a source or a sink throws once its bytes are over.
constexpr const char* kOver = "no more bytes than these";

/// Bytes in memory, in a window, or in order only; so many of them.
class Bytes final : public io::Source {
 public:
  enum class Way : uint8_t { Contents, Window, Stream };
  Bytes(std::string_view bytes, Way way, size_t most) : bytes_(bytes), way_(way), left_(most) {}

  std::optional<std::string_view> contents() override {
    return way_ == Way::Contents ? std::optional(bytes_) : std::nullopt;
  }
  std::optional<std::string_view> window() override {
    return way_ == Way::Stream ? std::nullopt : std::optional(bytes_);
  }
  void need(std::span<const ByteRange> ranges) override {
    for (const ByteRange& range : ranges) {
      require(range.offset <= bytes_.size() && range.size <= bytes_.size() - range.offset);
      take(range.size);
    }
  }
  std::string_view peek(size_t size) override { return bytes_.substr(at_, size); }
  size_t read(char* out, size_t size) override {
    const size_t count = bytes_.copy(out, std::min<size_t>(size, 100), at_);
    take(count);
    at_ += count;
    return count;
  }
  const std::string& name() const override { return name_; }
  uint64_t position() const override { return at_; }

 private:
  void take(size_t size) {
    if (size > left_) throw Error(ErrorCode::Io, kOver);
    left_ -= size;
  }

  std::string_view bytes_;
  Way way_;
  size_t left_;
  size_t at_ = 0;
  std::string name_ = "bytes";
};

/// Accepts a limited number of bytes.
class Room final : public ByteSink {
 public:
  Room(std::string* out, size_t most) : out_(out), most_(most) {}
  void write(std::string_view bytes) override {
    if (out_->size() + bytes.size() > most_) throw Error(ErrorCode::Io, kOver);
    *out_ += bytes;
  }
  void finish() override {}
  uint64_t position() const override { return out_->size(); }

 private:
  std::string* out_;
  size_t most_;
};

constexpr std::string_view kCodecs[] = {"",     "none",   "zstd",   "lz4",
                                        "gzip", "snappy", "brotli", "odd"};

/// Opens a writer of Parquet, or of Arrow as the engine writes it, with options that may be wrong.
std::unique_ptr<hub::BatchWriter> open_writer(std::unique_ptr<ByteSink> sink,
                                              const hub::Schema& schema, XwalkEngineFormat format,
                                              Choices* choices) {
  const std::string compression(kCodecs[choices->below(8)]);
  std::optional<int> level;
  if (choices->below(4) == 3) level = static_cast<int>(choices->byte()) - 8;
  const auto row_group_rows = static_cast<int64_t>(choices->below(4));
  const bool stores_schema = choices->below(4) != 3;
  if (format == XWALK_ENGINE_PARQUET) {
    io::ParquetOutputOptions options;
    options.store_schema = stores_schema;
    options.compression = compression;
    options.compression_level = level;
    options.row_group_rows = row_group_rows;
    return io::open_parquet_writer(std::move(sink), schema, options);
  }
  io::EngineWriteOptions options;
  options.format = format;
  options.compression = compression;
  options.compression_level = level;
  options.row_group_rows = row_group_rows;
  return io::Engine::parquet().open_writer(std::move(sink), schema, options);
}

/// What reading may take: `max_memory` of 0 is the default.
struct Reading {
  XwalkEngineFormat format;
  int64_t batch_rows;
  int64_t batch_bytes;
  bool first_column_only;
  uint64_t max_memory;
};

std::unique_ptr<hub::BatchReader> open_reader(std::unique_ptr<io::Source> source,
                                              const Reading& reading) {
  if (reading.format == XWALK_ENGINE_PARQUET) {
    io::ParquetInputOptions options;
    if (reading.batch_rows > 0) options.batch_rows = reading.batch_rows;
    if (reading.batch_bytes > 0) options.batch_bytes = reading.batch_bytes;
    if (reading.first_column_only) options.columns = {{"f0"}};
    if (reading.max_memory > 0) options.max_memory = reading.max_memory;
    return io::open_parquet(std::move(source), options);
  }
  io::EngineReadOptions options;
  options.format = reading.format;
  options.batch_rows = reading.batch_rows;
  options.batch_bytes = reading.batch_bytes;
  if (reading.first_column_only) options.columns = {"f0"};
  if (reading.max_memory > 0) options.max_memory = reading.max_memory;
  return io::Engine::parquet().open(std::move(source), options);
}

/// Parts of row groups follow each other and have all rows.
void check_parts(const std::string& bytes, int64_t rows, uint64_t size) {
  const auto source = io::memory_source(bytes, "input");
  uint64_t row = 0;
  uint64_t group = 0;
  for (const io::Part& part : io::parquet_parts(*source, "input", size)) {
    require(part.first_row == row && part.first == group, "parts follow each other", "");
    row += part.rows;
    group += part.count;
  }
  require(row == static_cast<uint64_t>(rows), "parts have all rows", std::to_string(row));
}

void check_engine(Choices* choices) {
  static constexpr XwalkEngineFormat kFormats[] = {XWALK_ENGINE_PARQUET, XWALK_ENGINE_ARROW_FILE,
                                                   XWALK_ENGINE_ARROW_STREAM};
  crosswalk::testing::RandomData random(choices->word() % 4096);
  const hub::Schema schema{random.fields(1 + choices->below(3), 2), {}};
  const XwalkEngineFormat format = kFormats[choices->below(3)];
  const size_t room = choices->below(4) == 3 ? choices->byte() * 8U : SIZE_MAX;
  std::string bytes;
  int64_t rows = 0;
  std::string printed;
  try {
    const auto writer = open_writer(std::make_unique<Room>(&bytes, room), schema, format, choices);
    for (size_t left = choices->below(3); left > 0; --left) {
      std::vector<hub::testing::Value> values;
      for (size_t count = choices->below(8); count > 0; --count) {
        std::vector<hub::testing::Value> row;
        for (const hub::Field& field : schema.fields) row.push_back(random.value(field, nullptr));
        values.push_back(hub::testing::items(std::move(row)));
      }
      hub::Batch batch = hub::testing::make_batch(schema, values);
      rows += batch.rows();
      for (int64_t i = 0; i < batch.rows(); ++i) {
        hub::append_json_row(schema, batch.array, i, &printed);
      }
      writer->write(std::move(batch));
    }
    writer->finish();
    require(writer->bytes_written() == bytes.size());
  } catch (const Error& error) {
    require_refusal(error);
    require(error.code() != ErrorCode::Io || error.message() == kOver, "as it was thrown",
            error.describe());
    return;
  }
  if (format == XWALK_ENGINE_PARQUET) check_parts(bytes, rows, choices->byte());
  const bool in_order = format == XWALK_ENGINE_ARROW_STREAM;
  const auto way = choices->below(2) == 0 ? Bytes::Way::Contents
                   : in_order             ? Bytes::Way::Stream
                                          : Bytes::Way::Window;
  const size_t most = choices->below(4) == 3 ? choices->byte() * 16U : SIZE_MAX;
  const bool harmed = choices->below(4) == 3;
  for (size_t left = harmed ? 1 + choices->below(4) : 0; left > 0; --left) {
    bytes[(size_t{choices->byte()} << 8 | choices->byte()) % bytes.size()] =
        static_cast<char>(choices->byte());
  }
  Reading reading{.format = format,
                  .batch_rows = static_cast<int64_t>(choices->below(8)),
                  .batch_bytes = static_cast<int64_t>(choices->below(2)) << 20,
                  .first_column_only = choices->below(4) == 3,
                  .max_memory = 0};
  if (choices->below(8) == 7) reading.max_memory = 1 + choices->byte();
  try {
    const auto reader = open_reader(std::make_unique<Bytes>(bytes, way, most), reading);
    int64_t read = 0;
    std::string again;
    while (const std::optional<hub::Batch> batch = reader->next()) {
      require(batch->first_row == read && batch->rows() <= kMostRows, "rows follow each other", "");
      read += batch->rows();
      if (harmed) continue;
      for (int64_t i = 0; i < batch->rows(); ++i) {
        hub::append_json_row(reader->schema(), batch->array, i, &again);
      }
    }
    if (harmed) return;
    require(read == rows, "all rows come back", std::to_string(read));
    const bool same = reader->schema().fields == schema.fields;
    require(!same || again == printed, "rows come back as they were", again);
  } catch (const Error& error) {
    require_refusal(error);
    require(error.code() != ErrorCode::Io || error.message() == kOver, "as it was thrown",
            error.describe());
    const bool limited = most != SIZE_MAX || reading.max_memory != 0;
    require(harmed || limited || error.code() == ErrorCode::Unsupported, "what was written is read",
            error.describe());
  }
}

}  // namespace

void XWALK_FUZZ_RUN(std::string_view data) {
  static const bool placed = (io::set_engine_folder(XWALK_PLUGIN_FOLDER), true);
  require(placed);
  const Allowance any;
  Choices choices(data);
  const uint8_t first = choices.byte();
  if (first >= 192) return check_engine(&choices);
  const size_t which = first % 4;
  const int64_t batch_rows = 1 + choices.byte() % 16;
  const std::string bytes(choices.rest());
  if (which == 3) {
    try {
      io::validate_parquet(io::memory_source(bytes, "input"), {.values = true});
    } catch (const Error& error) {
      require_refusal(error);
    }
    return;
  }
  const io::Format format = which == 0   ? io::kParquetRows
                            : which == 1 ? io::kArrowFiles
                                         : io::kArrowStreams;
  const std::optional<std::string> large = read(bytes, format, kMostRows);
  const std::optional<std::string> small = read(bytes, format, batch_rows);
  if (large && small) require(*large == *small, "batches do not matter", *large);
  if (which != 2 || !large) return;
  const std::optional<std::string> native = read_natively(bytes);
  if (native) require(*large == *native, "both readers give the same rows", *large + *native);
}

}  // namespace xwalk::fuzz
