// Any bytes as a Parquet file, an Arrow file or an Arrow stream, read by the plugin: rows can be
// printed, are the same in batches of another size, and of a stream those that our own reader of
// streams gives. Arrow C++ itself is not instrumented here.

#include <cstring>
#include <optional>
#include <string>

#include "fuzz/harness.h"
#include "fuzz/rows.h"
#include "xwalk/base/error.h"
#include "xwalk/hub/filter.h"
#include "xwalk/io/engine_folder.h"
#include "xwalk/io/ipc_stream.h"
#include "xwalk/io/open.h"
#include "xwalk/io/parquet_validate.h"
#include "xwalk/io/row_format.h"

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
    require(error.code() != ErrorCode::Internal, "a refusal is no bug", error.describe());
    return std::nullopt;
  }
  return out;
}

/// What our own reader of streams says; nothing where it does not take the stream.
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

}  // namespace

void run(std::string_view data) {
  static const bool placed = (io::set_engine_folder(XWALK_PLUGIN_FOLDER), true);
  require(placed);
  const Allowance any;
  Choices choices(data);
  const size_t which = choices.below(4);
  const int64_t batch_rows = 1 + choices.byte() % 16;
  const std::string bytes(choices.rest());
  if (which == 3) {
    try {
      io::validate_parquet(io::memory_source(bytes, "input"), {.values = true});
    } catch (const Error& error) {
      require(error.code() != ErrorCode::Internal, "a refusal is no bug", error.describe());
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
