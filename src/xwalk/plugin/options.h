#pragma once

#include <cstdint>
#include <optional>
#include <set>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

namespace xwalk::plugin {

enum class Format { Parquet, ArrowFile, ArrowStream };

/// One wanted path: ".name", "[]", "{key}" or "{value}" a step.
using ColumnPath = std::vector<std::string>;

struct ReadOptions {
  Format format = Format::Parquet;
  /// Nothing means every column; an empty list means none.
  std::optional<std::vector<ColumnPath>> columns;
  int64_t batch_rows = 65536;
  int64_t batch_bytes = int64_t{32} << 20;
  /// What may be allocated for the input at a time.
  int64_t max_memory = int64_t{8} << 30;
  int threads = 1;
  /// FileMetaData to use in place of the file's own; empty for none.
  std::string footer;
  /// Whether its row groups say one row more than there are.
  bool one_row_more = false;
  /// The leaves wanted, by their place in the schema; in place of `columns`.
  std::optional<std::vector<int>> leaves;
  /// The leaves that come as dictionaries.
  std::vector<int> dictionaries;
  /// Row groups and leaves whose values stay in their pages until their batch comes.
  std::set<std::pair<int, int>> large_chunks;
};

struct WriteOptions {
  Format format = Format::Parquet;
  std::string compression;
  std::optional<int> compression_level;
  int64_t row_group_rows = int64_t{1} << 20;
  int64_t row_group_bytes = int64_t{128} << 20;
  bool store_schema = true;
  int threads = 1;
  /// FileMetaData whose schema is written, in place of one made of the Arrow schema; empty for
  /// none.
  std::string footer;
  /// Leaves that get no statistics, by their place in that schema.
  std::vector<int> without_statistics;
  /// Codecs of leaves that have another one.
  std::vector<std::pair<int, std::string>> leaf_compression;
  /// Leaves that rows are sorted by, each with whether descending and whether nulls come first.
  std::vector<std::tuple<int, bool, bool>> sorted_by;
  bool page_index = false;
};

/// Parse the JSON of the contract; throw std::exception on what it does not allow.
ReadOptions parse_read_options(const char* json);
WriteOptions parse_write_options(const char* json);

}  // namespace xwalk::plugin
