#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string_view>
#include <vector>

#include "xwalk/base/byte_stream.h"
#include "xwalk/base/error.h"
#include "xwalk/base/limits.h"
#include "xwalk/yson/block_masks.h"

namespace xwalk::yson {

/// Whole items of a list fragment, unchanged from the stream.
struct RowChunk {
  /// Items, each with its `;`; the last item of the stream may lack it, and may be cut short.
  std::string_view bytes;
  /// Where `bytes` begins in the stream: byte from 0, line and column from 1. Lines are not counted
  /// after the first binary token.
  uint64_t offset = 0;
  uint64_t line = 1;
  uint64_t column = 1;
  bool binary = false;  ///< a binary token was seen up to the end of this chunk
  /// Number of the first item in the stream, and how many there are. Control entities such as
  /// `<table_index=1>#` are items too.
  uint64_t first_item = 0;
  uint64_t items = 0;
  /// Keeps `bytes` alive; null if they are in the memory of the source.
  std::shared_ptr<const char[]> owner;
};

/// Makes the place of a byte of a chunk: line, column and snippet in a text stream, else the byte
/// of the stream.
Place place_in_chunk(const RowChunk& chunk, size_t offset, size_t length = 1);

/// Where a source begins in the stream that it is a part of.
struct RowChunkStart {
  uint64_t offset = 0;
  uint64_t line = 1;
  uint64_t column = 1;
  uint64_t item = 0;
  bool binary = false;  ///< there is a binary token before
};

struct RowSplitterOptions {
  /// Bytes of a chunk, about; a longer row makes a longer chunk.
  size_t chunk_bytes = size_t{1} << 20;
  /// Items of a chunk, about: a chunk ends with those of the next kilobyte.
  uint64_t chunk_items = UINT64_MAX;
  /// Bytes of one item, above which the stream is refused.
  size_t max_item_bytes = limits::kRowBytes;
  RowChunkStart start;
};

/// Finds where chunks of rows end using only brackets, quotes and lengths. The decoder handles the
/// content between them and its errors. Scanning cannot start in the middle of a text, because all
/// bytes before a byte determine whether it is inside a string. So one thread splits, at several
/// times the speed of decoding, and hands chunks to the others.
class ItemScanner {
 public:
  /// Scans data[position(), …) at least up to `stop`, as far as `size` bytes allow. `last`: no more
  /// data follows. Positions count from data[0].
  void scan(const char* data, size_t stop, size_t size, bool last);

  /// Where the next scan goes on.
  size_t position() const { return position_; }
  /// Returns the position after the last `;` between items since `rebase`, or 0.
  size_t boundary() const { return boundary_; }
  /// Returns how many `;` between items were seen since `rebase`.
  uint64_t items() const { return items_; }
  bool binary() const { return binary_; }
  /// Returns true if there were attributes between items: a control entity, or a row with
  /// attributes.
  bool attributes() const { return attributes_; }
  /// Returns true if a zero byte between tokens, which ends the stream, is at position().
  bool ended() const { return ended_; }
  /// Remaining bytes of a binary string or double past the end of the scanned data.
  uint64_t pending() const { return pending_; }

  /// Moves the start of the data `count` bytes ahead, and restarts the counts.
  void rebase(size_t count);

 private:
  /// Fields of a row whose keys are expected to be as long as those of the row before.
  static constexpr size_t kKeys = 256;

  void scan_text(const char* data, size_t stop, size_t size, bool last);
  bool take_block(const ItemMasks& masks, const char* block, size_t position);
  void scan_binary(const char* data, size_t stop, size_t size, bool last);
  const char* take_fields(const char* p, const char* until, const char* data, int* text_run);
  void skip_over(size_t begin, uint64_t count, size_t size);

  size_t position_ = 0;
  size_t boundary_ = 0;
  uint64_t items_ = 0;
  uint64_t depth_ = 0;
  StringState strings_;
  uint64_t pending_ = 0;
  size_t field_ = 0;                          // the next of the row
  std::array<uint8_t, kKeys> key_lengths_{};  // of the row before, as written in it
  bool in_binary_ = false;
  bool binary_ = false;
  bool attributes_ = false;
  bool ended_ = false;
};

/// Splits a YSON list fragment into chunks of whole rows, text, binary or mixed, in memory bounded
/// by the chunk size and the longest row. A source with its contents in memory is not copied.
class RowSplitter {
 public:
  /// The source outlives the splitter.
  explicit RowSplitter(ByteSource* source, const RowSplitterOptions& options = {});

  /// Fills the next chunk and returns true, or returns false at the end. Chunks may be used by
  /// other threads as long as they are kept. Throws Error (Input) on an item above the limit, and
  /// what the source throws.
  bool next(RowChunk* chunk);
  /// Returns the position of the zero byte that ended the items, once `next` has returned false;
  /// empty if the source ended. Bytes after it are not checked.
  std::optional<uint64_t> zero_byte() const {
    return done_ && scanner_.ended() ? std::optional(offset_) : std::nullopt;
  }
  /// Returns true if there were attributes between the items so far.
  bool attributes() const { return scanner_.attributes(); }

 private:
  struct Block {
    std::shared_ptr<char[]> bytes;
    size_t capacity = 0;
  };

  const char* data() const;
  bool fill();
  /// Returns how far to scan at a time, to find no more items than a chunk may have.
  size_t next_stop(size_t stop) const;
  /// Scans up to `stop`, or until there are as many items as a chunk may have.
  void scan(size_t stop);
  void emit(size_t size, bool last, RowChunk* chunk);
  Block take_block(size_t capacity);
  void check_item_size() const;

  ByteSource* source_;
  RowSplitterOptions options_;
  ItemScanner scanner_;
  std::optional<std::string_view> contents_;  // the remaining bytes
  Block block_;
  std::vector<Block> pool_;
  size_t begin_ = 0;  // of the bytes in block_ that are in no chunk yet
  size_t size_ = 0;   // bytes in block_ from there, or in contents_
  bool source_ended_ = false;
  bool done_ = false;
  uint64_t offset_ = 0;
  uint64_t line_ = 1;
  uint64_t column_ = 1;
  uint64_t item_ = 0;
};

}  // namespace xwalk::yson
