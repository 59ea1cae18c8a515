#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

#include "xwalk/hub/batch.h"
#include "xwalk/io/split_writer.h"
#include "xwalk/yt/key_order.h"

namespace xwalk::io {

/// Rows held against the order that their schema says they have: each against the one before it.
class RowOrder {
 public:
  /// Takes a row that does not belong where it is; called in the order of rows. May throw.
  using Misplaced = std::function<void(const hub::BadRow&)>;

  /// `by_file`: each file is sorted for itself.
  RowOrder(yt::KeyOrder keys, bool by_file, Misplaced misplaced)
      : keys_(std::move(keys)), by_file_(by_file), misplaced_(std::move(misplaced)) {}

  /// Has the rows follow those of a batch that are there already; `keys` is the same order, by the
  /// columns of the batch.
  void begin_behind(const yt::KeyOrder& keys, const hub::Batch& there);

  /// Says whether a column of batches is one of the key.
  bool is_key(size_t column) const { return keys_.holds(column); }
  /// Returns the keys of the rows of a batch that are not bad. Safe to call from several threads.
  BatchKeys keys_of(const hub::Batch& batch, std::string_view file) const;
  /// Takes those of the next batch.
  void follow(const BatchKeys& next);

 private:
  /// Takes how the key before compares.
  bool is_misplaced(int before) const { return before > 0 || (before == 0 && keys_.unique()); }
  void tell(hub::BadRow row) const;
  Error error_of(int64_t row, std::string_view file, int before, std::string_view there,
                 const std::string& text) const;

  yt::KeyOrder keys_;
  bool by_file_;
  Misplaced misplaced_;
  /// The key of the last row.
  std::optional<std::string> last_;
  /// The file that it is of, where each is sorted for itself, and the number of its first row.
  std::string file_;
  std::optional<int64_t> file_begin_;
  /// Whether that row was there before.
  bool behind_ = false;
};

/// Holds the rows that a writer writes against an order; a writer that is null writes none.
std::unique_ptr<hub::BatchWriter> in_order(std::unique_ptr<hub::BatchWriter> writer,
                                           RowOrder order);

}  // namespace xwalk::io
