#pragma once

#include <cstdint>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include <arrow/result.h>

#include "xwalk/io/plugins/engine_abi.h"

namespace xwalk::plugin {

/// What a reader keeps of XwalkEngineReadOptions, with the plugin's choices instead of 0.
struct ReadOptions {
  XwalkEngineFormat format = XWALK_ENGINE_PARQUET;
  std::vector<std::string> columns;
  int64_t batch_rows = 65536;
  int64_t batch_bytes = int64_t{8} << 20;
  int64_t max_memory = int64_t{8} << 30;
  int threads = 1;
  std::string footer;
  bool one_row_more = false;
  std::vector<int> leaves;
  std::vector<int> dictionaries;
  /// Row groups and leaves.
  std::set<std::pair<int, int>> large_chunks;
};

/// The same of XwalkEngineWriteOptions.
struct WriteOptions {
  struct LeafCodec {
    int leaf = 0;
    std::string compression;
  };

  XwalkEngineFormat format = XWALK_ENGINE_PARQUET;
  std::string compression;
  std::optional<int> compression_level;
  int64_t row_group_rows = int64_t{1} << 20;
  int threads = 1;
  std::string footer;
  std::vector<int> without_statistics;
  std::vector<LeafCodec> leaf_compression;
  std::vector<XwalkEngineSortKey> sorted_by;
  bool page_index = false;
};

/// Copy the host's options. Return a NotImplemented status for options of a later release.
arrow::Result<ReadOptions> copy_options(const XwalkEngineReadOptions& given);
arrow::Result<WriteOptions> copy_options(const XwalkEngineWriteOptions& given);

}  // namespace xwalk::plugin
