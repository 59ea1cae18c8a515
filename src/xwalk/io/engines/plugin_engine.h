#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "xwalk/base/byte_stream.h"
#include "xwalk/hub/batch.h"
#include "xwalk/io/bytes/source.h"
#include "xwalk/io/plugins/engine_abi.h"

namespace xwalk::io {

/// Options of the plugin for reading. 0 stands for the plugin's choice.
struct EngineReadOptions {
  XwalkEngineFormat format = XWALK_ENGINE_PARQUET;
  /// Arrow: the top-level columns wanted; none for all. More may come.
  std::vector<std::string> columns;
  int64_t batch_rows = 0;
  int64_t batch_bytes = 0;
  /// Bytes that the plugin may allocate for the input. Data that needs more is Error (Input).
  uint64_t max_memory = limits::kMemory;
  int threads = 1;
  /// Parquet: FileMetaData instead of the file's own.
  std::string footer;
  /// Parquet: true if each row group of that footer has one row more than the file, so that a
  /// column that is longer than its group is met.
  bool one_row_more = false;
  /// Parquet: numbers of the leaves wanted.
  std::vector<int32_t> leaves;
  /// Parquet: leaves of bytes that the plugin leaves as dictionaries.
  std::vector<int32_t> dictionaries;
  /// Parquet: chunks with pages so large that their values are not copied if that can be avoided.
  std::vector<XwalkEngineChunk> large_chunks;
};

/// Options of the plugin for writing. 0 stands for the plugin's choice.
struct EngineWriteOptions {
  XwalkEngineFormat format = XWALK_ENGINE_PARQUET;
  std::string compression;  ///< none, snappy, zstd, lz4, gzip, brotli; empty for the usual one
  std::optional<int> compression_level;
  int64_t row_group_rows = 0;
  int threads = 1;
  /// Parquet: FileMetaData whose schema is written.
  std::string footer;
  /// Parquet: leaves of that schema that get no statistics.
  std::vector<int32_t> without_statistics;
  /// Parquet: codecs of leaves that have another one, by their numbers.
  std::map<int32_t, std::string> leaf_compression;
  /// Parquet: the order of the rows of each row group, which the footer promises.
  std::vector<XwalkEngineSortKey> sorted_by;
  /// Parquet: writes the index of pages.
  bool page_index = false;
};

/// An engine in this process: a plugin, loaded on first use and never unloaded. Immutable.
class Engine {
 public:
  /// Returns the engine for Parquet and Arrow IPC. Throws Error (Io) in one sentence that names
  /// what to install if it is missing, does not load or has another version.
  static const Engine& parquet();
  /// Begins to load it in its own thread. Releasing the result waits for that thread, because a
  /// process cannot end meanwhile. Null if it is loaded already. Failures are reported by
  /// `parquet`.
  static std::shared_ptr<const void> load_ahead();

  /// Returns its version and that of its library: "xwalk-parquet 0.1.0 (Arrow 26.0.1)".
  std::string_view description() const;
  /// Returns the file it was loaded from.
  const std::string& path() const { return path_; }

  /// Opens an input. Parquet and Arrow files need a source with a window (`with_window`). An error
  /// of the source itself is thrown unchanged. Other errors are Error (Input) or Error
  /// (Unsupported) with the source's name as the file.
  std::unique_ptr<hub::BatchReader> open(std::unique_ptr<Source> source,
                                         const EngineReadOptions& options) const;
  /// Opens an output for batches of one schema.
  std::unique_ptr<hub::BatchWriter> open_writer(std::unique_ptr<ByteSink> sink,
                                                const hub::Schema& schema,
                                                const EngineWriteOptions& options) const;

 private:
  Engine(const XwalkEngine* engine, std::string path) : engine_(engine), path_(std::move(path)) {}

  const XwalkEngine* engine_;
  std::string path_;
};

/// Opens an output of `Engine::parquet()` with its first batch, or at its end: meanwhile the engine
/// loads and the first rows are made. Errors of opening are reported then.
std::unique_ptr<hub::BatchWriter> open_engine_writer(std::unique_ptr<ByteSink> sink,
                                                     const hub::Schema& schema,
                                                     const EngineWriteOptions& options);

}  // namespace xwalk::io
