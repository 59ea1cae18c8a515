#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "xwalk/base/error.h"
#include "xwalk/hub/batch.h"
#include "xwalk/hub/type.h"
#include "xwalk/io/rows/refusing_writer.h"

namespace xwalk::io {

/// The place of a row: the index of its file, and its number there.
struct RowPlace {
  uint32_t file = 0;
  int64_t row = 0;
};

/// The keys of rows as bytes, with the place of each.
class KeySet {
 public:
  /// Adds a key. Returns the place of the same key if that is in the set already.
  std::optional<RowPlace> add(std::string_view key, RowPlace place);
  size_t size() const { return entries_.size(); }
  /// Returns the memory that it takes.
  uint64_t bytes() const;

 private:
  struct Entry {
    uint64_t end = 0;  ///< of its bytes; those of the entry before end where they begin
    uint64_t hash = 0;
    RowPlace place;
  };

  std::string_view key_of(size_t entry) const;
  void grow();

  std::vector<char> bytes_;
  std::vector<Entry> entries_;
  /// Indices of entries, from 1, by hash; 0 in a free slot.
  std::vector<uint32_t> slots_;
};

/// Checks that each of the rows that a writer writes has a key, and none that of another. A writer
/// that is null writes none.
class KeyWriter final : public RefusingWriter {
 public:
  /// `rows` is the schema of batches, `key` names columns of it, `most_bytes` limits the memory of
  /// all keys. Throws Error (Unsupported) for a column whose values cannot be compared exactly, and
  /// (Usage) for one that does not exist.
  KeyWriter(std::unique_ptr<hub::BatchWriter> writer, hub::Schema rows,
            const std::vector<std::string>& key, uint64_t most_bytes);

  void begin_piece(const Piece& piece) override;
  void write(hub::Batch batch) override;
  std::vector<hub::BadRow> write_good(hub::Batch batch) override;
  void finish() override;
  uint64_t bytes_written() const override;

 private:
  /// Returns the rows of a batch without a key of their own.
  std::vector<hub::BadRow> refused(const hub::Batch& batch);
  Error repeated(const hub::Batch& batch, int64_t row, RowPlace first) const;
  void check_memory() const;

  std::unique_ptr<hub::BatchWriter> writer_;
  /// The writer, if it refuses rows, too.
  RefusingWriter* refusing_;
  hub::Schema rows_;
  std::vector<size_t> columns_;
  uint64_t most_bytes_;
  KeySet keys_;
  std::vector<std::string> files_;
  const Piece* piece_ = nullptr;
};

}  // namespace xwalk::io
