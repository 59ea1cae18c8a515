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

struct XwalkEngine;

namespace xwalk::io {

/// Words of engine_abi.h for the formats of the engine in this process.
inline constexpr std::string_view kParquetWord = "parquet";
inline constexpr std::string_view kArrowFileWord = "arrow-file";
inline constexpr std::string_view kArrowStreamWord = "arrow-stream";

/// What an engine is told when it opens an input.
struct EngineReadOptions {
  std::string_view format = kParquetWord;
  /// Paths wanted, as JSON of engine_abi.h; empty for all. More may come than is wanted.
  std::string columns_json;
  int64_t batch_rows = 0;   ///< 0: the engine's own
  int64_t batch_bytes = 0;  ///< 0: the engine's own
  /// What the engine may allocate for the input; more is Error (Input).
  uint64_t max_memory = limits::kMemory;
  int threads = 1;
  /// Parquet: FileMetaData to use in place of the file's own; empty for none.
  std::string footer;
  /// Parquet: whether each row group of that footer says one row more than there are, so that a
  /// column that is longer than its group is met.
  bool one_row_more = false;
  /// Parquet: the leaves wanted, by number, in place of `columns_json`.
  std::optional<std::vector<int>> leaves;
  /// Parquet: leaves of bytes that come as dictionaries, by number.
  std::vector<int> dictionaries;
  /// Parquet: chunks with pages so large that their values are not copied where that can be, as
  /// pairs of row group and leaf.
  std::vector<std::pair<int, int>> large_chunks;
};

/// What an engine is told when it opens an output.
struct EngineWriteOptions {
  std::string_view format = kParquetWord;
  std::string compression;  ///< none, snappy, zstd, lz4, gzip, brotli; empty for the usual one
  std::optional<int> compression_level;
  int64_t row_group_rows = 0;  ///< 0: the engine's own
  bool store_schema = true;    ///< whether Parquet gets ARROW:schema, which keeps field metadata
  int threads = 1;
  /// Parquet: FileMetaData whose schema is written; empty for one made of the Arrow schema.
  std::string footer;
  /// Parquet: leaves of that schema that get no statistics.
  std::vector<int> without_statistics;
  /// Parquet: codecs of leaves that have another one, by their numbers.
  std::map<int, std::string> leaf_compression;
  /// A leaf that the rows of each row group are sorted by.
  struct SortKey {
    int leaf = 0;
    bool descending = false;
    bool nulls_first = false;
  };
  /// Parquet: what the footer says of the order of rows.
  std::vector<SortKey> sorted_by;
  /// Parquet: writes the index of pages.
  bool page_index = false;
};

/// An engine in this process: a plugin, loaded on first use and never unloaded. Immutable.
class Engine {
 public:
  /// Returns the engine for Parquet and Arrow IPC. Throws Error (Io) in one sentence that names
  /// what to install when it is not there, does not load or is of another version.
  static const Engine& parquet();
  /// Begins to load it, in a thread of its own, which whoever lets go of what is returned waits
  /// for: a process cannot end meanwhile. Null where it is loaded. What fails is told by `parquet`.
  static std::shared_ptr<const void> load_ahead();

  /// Returns what it is and what it stands on: "xwalk-parquet 0.1.0 (Arrow 26.0.1)".
  std::string_view description() const;
  /// Returns the file it was loaded from.
  const std::string& path() const { return path_; }

  /// Opens an input. Parquet and Arrow files need a source with a window (`with_window`). An
  /// error of the source itself comes back as it was thrown; others are Error (Input) or Error
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

/// Opens an output of `Engine::parquet()` with its first batch, or its end: meanwhile it is loaded,
/// and what goes there is made. What opening refuses is told then.
std::unique_ptr<hub::BatchWriter> open_engine_writer(std::unique_ptr<ByteSink> sink,
                                                     const hub::Schema& schema,
                                                     const EngineWriteOptions& options);

}  // namespace xwalk::io
