#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "xwalk/hub/batch.h"
#include "xwalk/io/rows/piece_reader.h"
#include "xwalk/yt/key_order.h"
#include "xwalk/yt/value_options.h"

namespace xwalk::io {

/// The keys of a batch of rows that must be sorted, as `yt::KeyOrder` has them.
struct BatchKeys {
  bool empty() const { return !first_row; }

  std::string first;
  std::string last;
  /// The key of the last one, for messages.
  std::string last_text;
  /// The index of the first row that has a key.
  std::optional<int64_t> first_row;
  /// The file that the rows are of; "" for the only one.
  std::string file;
  /// Rows that are misplaced among those of the batch.
  std::vector<hub::BadRow> misplaced;
};

/// Checks rows against the order that a schema promises: each against the row before it.
class RowOrder {
 public:
  /// Which row comes before a row: the last one that is not misplaced, so that the rows that are
  /// left have the order, or the last one of all.
  enum class Before : uint8_t { LastKept, LastRow };

  /// `by_file`: each file is sorted separately.
  explicit RowOrder(yt::KeyOrder keys, Before before = Before::LastKept, bool by_file = false)
      : keys_(std::move(keys)), before_(before), by_file_(by_file) {}

  /// Has the rows follow those of a batch of existing rows; `keys` is the same order, by the
  /// columns of the batch.
  void begin_after(const yt::KeyOrder& keys, const hub::Batch& there);
  /// Sets what errors advise.
  void set_hint(std::string hint) { hint_ = std::move(hint); }

  /// Returns whether misplaced rows change which rows come after them.
  bool leaves_out() const { return before_ == Before::LastKept; }
  /// Returns whether a column of batches is one of the key.
  bool is_key(size_t column) const { return keys_.holds(column); }
  /// Returns the keys of the rows of a batch that are not bad, and the rows that are misplaced
  /// within the batch. `of` is the piece that it was. Safe to call from several threads.
  BatchKeys keys_of(const hub::Batch& batch, const Piece& of) const;
  /// Takes the keys of the next batch. Returns the rows that are misplaced after those of the
  /// batches before, in order; without the rows that `keys_of` found. `batch` is what the keys are
  /// of, with those rows among its bad ones.
  std::vector<hub::BadRow> follow(const BatchKeys& keys, const hub::Batch& batch, const Piece& of);

 private:
  /// `before` is the result of comparing the previous key with this one.
  bool is_misplaced(int before) const { return before > 0 || (before == 0 && keys_.unique()); }
  hub::BadRow misplaced(const hub::Batch& batch, int64_t index, const Piece& of, int before,
                        const std::string& last_text, std::string_view last) const;

  yt::KeyOrder keys_;
  Before before_;
  bool by_file_;
  std::string hint_;
  /// The key of the last row.
  std::optional<std::string> last_;
  std::string last_text_;
  /// The file that it is in, if each is sorted separately.
  std::optional<std::string> file_;
  /// Whether that row existed before.
  bool at_end_ = false;
};

/// Checks the order of the rows that a writer writes; a writer that is null writes none. A pipeline
/// takes the two apart, so that any thread encodes rows and finds their keys.
class OrderedWriter final : public hub::BatchWriter {
 public:
  OrderedWriter(std::unique_ptr<hub::BatchWriter> writer, RowOrder order)
      : writer_(std::move(writer)), order_(std::move(order)) {}

  hub::BatchWriter* writer() { return writer_.get(); }
  RowOrder& order() { return order_; }
  /// Gives the writer away.
  std::unique_ptr<hub::BatchWriter> give_writer() { return std::move(writer_); }

  /// Removes the misplaced rows of the next batch, and appends them to `dropped`.
  hub::Batch leave_out(hub::Batch batch, const hub::Schema& schema,
                       std::vector<hub::BadRow>* dropped);

  /// Throws the error of the first misplaced row.
  void write(hub::Batch batch) override;
  void finish() override;
  uint64_t bytes_written() const override;

 private:
  std::unique_ptr<hub::BatchWriter> writer_;
  RowOrder order_;
};

/// Has the rows that a writer writes checked if their schema promises an order; returns the writer
/// itself if it promises none.
std::unique_ptr<hub::BatchWriter> in_promised_order(const hub::Schema& rows, yt::UuidOrder uuids,
                                                    std::string hint,
                                                    std::unique_ptr<hub::BatchWriter> writer);

/// Merges bad rows of a batch into others, which stay in order.
void add_bad_rows(std::vector<hub::BadRow> rows, std::vector<hub::BadRow>* others);

}  // namespace xwalk::io
