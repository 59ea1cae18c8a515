#include "xwalk/yson/row_splitter.h"

#include <algorithm>
#include <array>
#include <atomic>
#include <bit>
#include <cstring>
#include <utility>

#include <fmt/format.h>

#include "xwalk/yson/scan.h"
#include "xwalk/yson/varint_size.h"

namespace xwalk::yson {
namespace {

/// After this many bytes without a binary token, whole blocks are faster than single bytes.
constexpr int kTextRun = 32;

/// Blocks that are processed at once.
constexpr size_t kBlocks = 32;

/// The longest string whose length is one byte, which is even.
constexpr size_t kShortString = 63;

/// Longest sequence after a value before the next field: `;`, `}`, `;` and `{`.
constexpr ptrdiff_t kAfterValue = 4;

/// The most that `take_fields` consumes at once, except for a longer value: key, `=`, value, and
/// the above.
constexpr ptrdiff_t kFieldWindow = 2 * (2 + kShortString) + 1 + kAfterValue;

/// Returns true for the first byte of the length of a string of at most kShortString bytes.
[[gnu::always_inline]] inline bool is_short_length(char first) { return (first & 0x81) == 0; }

/// Returns the bytes of a binary token or `#` at `p`, kFieldWindow bytes at hand from its key on;
/// 0 for any other token, one that is wrong, and one that comes too near to `until`.
[[gnu::always_inline]] inline size_t token_size(const char* p, const char* until) {
  const char kind = *p;
  if (kind == marker::kInt64 || kind == marker::kUint64) {
    const size_t size = varint_size(p + 1);
    return static_cast<unsigned char>(p[size]) < 0x80 ? 1 + size : 0;
  }
  if (kind == marker::kString) {
    if (is_short_length(p[1])) [[likely]]
      return 2 + static_cast<size_t>(p[1]) / 2;
    const char* at = p + 1;
    uint32_t length = 0;
    if (read_binary_length(at, until, length) != Status::Ok) return 0;
    if (until - at < kAfterValue + static_cast<ptrdiff_t>(length)) return 0;
    return static_cast<size_t>(at - p) + length;
  }
  if (kind == marker::kDouble) return 9;
  return kind == marker::kFalse || kind == marker::kTrue || kind == '#' ? 1 : 0;
}

/// Returns the bits below `count`, which is at most 64.
uint64_t low_bits(int count) { return count >= 64 ? ~uint64_t{0} : (uint64_t{1} << count) - 1; }

}  // namespace

void ItemScanner::rebase(size_t count) {
  position_ -= count;
  boundary_ = 0;
  items_ = 0;
}

void ItemScanner::skip_over(size_t begin, uint64_t count, size_t size) {
  uint64_t left = size - begin;
  pending_ = count > left ? count - left : 0;
  position_ = count > left ? size : begin + count;
}

void ItemScanner::scan(const char* data, size_t stop, size_t size, bool last) {
  if (pending_ > 0) skip_over(position_, pending_, size);
  while (position_ < stop && !ended_) {
    const size_t before = position_;
    const bool was_binary = in_binary_;
    if (in_binary_) {
      scan_binary(data, stop, size, last);
    } else {
      scan_text(data, stop, size, last);
    }
    // More bytes are needed to go on.
    if (position_ == before && in_binary_ == was_binary) break;
  }
}

void ItemScanner::scan_text(const char* data, size_t stop, size_t size, bool last) {
  std::array<ItemMasks, kBlocks> masks;
  while (position_ < stop) {
    const char* from = data + position_;
    const size_t whole =
        std::min((stop - position_ + kBlock - 1) / kBlock, (size - position_) / kBlock);
    size_t step = std::min(whole, kBlocks) * kBlock;
    char padded[kBlock];
    if (step == 0) {
      if (!last) return;
      step = size - position_;
      std::memset(padded, ' ', kBlock);
      std::memcpy(padded, from, step);
      from = padded;
    }
    const size_t blocks = (step + kBlock - 1) / kBlock;
    mark_items(from, blocks, &strings_, masks.data());
    for (size_t i = 0; i < blocks; ++i) {
      const bool text = take_block(masks[i], from + i * kBlock, position_ + i * kBlock);
      if (!text) [[unlikely]] {
        position_ += i * kBlock + static_cast<size_t>(std::countr_zero(masks[i].control));
        strings_ = {};
        in_binary_ = true;
        return;
      }
    }
    position_ += step;
  }
}

/// Takes a block of text that begins at `position`, up to the first binary token, and returns
/// whether there is none.
bool ItemScanner::take_block(const ItemMasks& masks, const char* block, size_t position) {
  uint64_t outside = ~uint64_t{0};
  if (masks.control != 0) [[unlikely]] {
    outside = low_bits(std::countr_zero(masks.control));
  } else if (depth_ > masks.closes) {
    depth_ += masks.opens;
    depth_ -= masks.closes;
    return true;
  } else if (depth_ <= 1) {
    // Flat rows: brackets that open and close in turn need no look at each.
    const uint64_t inside = depth_ == 1 ? ~masks.odd : masks.odd;
    if (((masks.open & ~inside) | (masks.close & inside) | masks.angle) == 0) {
      const uint64_t found = masks.separator & ~inside;
      if (found != 0) boundary_ = position + 64 - static_cast<size_t>(std::countl_zero(found));
      items_ += depth_ == 1 ? masks.odd_separators : masks.even_separators;
      depth_ = inside >> 63;
      return true;
    }
  }
  const uint64_t open = masks.open & outside;
  const uint64_t separators = masks.separator & outside;
  uint64_t brackets = open | (masks.close & outside);
  uint64_t depth = depth_;
  int from = 0;
  while (true) {
    const int to = brackets != 0 ? std::countr_zero(brackets) : 64;
    if (depth == 0) {
      const uint64_t found = separators & low_bits(to) & ~low_bits(from);
      if (found != 0) {
        items_ += static_cast<uint64_t>(std::popcount(found));
        boundary_ = position + 64 - static_cast<size_t>(std::countl_zero(found));
      }
    }
    if (brackets == 0) break;
    if ((open >> to & 1) != 0) {
      attributes_ = attributes_ || (depth == 0 && block[to] == '<');
      ++depth;
    } else if (depth > 0) {
      --depth;
    }
    from = to + 1;
    brackets &= brackets - 1;
  }
  depth_ = depth;
  return masks.control == 0;
}

/// Moves over fields `key=value;` of scalars, and from row to row where rows have nothing else, as
/// `scan_binary` does token by token; returns where the next token begins. Where a field ends waits
/// neither for a jump by the kind of token nor, since keys are as long as those of the row before,
/// for the length of the key.
const char* ItemScanner::take_fields(const char* p, const char* until, const char* data,
                                     int* text_run) {
  const bool in_row = depth_ == 1;
  const char* const begin = p;
  char last = 0;
  size_t field = in_row ? field_ : kKeys / 2;
  while (until - p >= kFieldWindow && *p == marker::kString) {
    uint8_t& length = key_lengths_[field++ % kKeys];
    if (static_cast<uint8_t>(p[1]) != length) [[unlikely]] {
      if (!is_short_length(p[1])) break;
      length = static_cast<uint8_t>(p[1]);
    }
    const char* value = p + 3 + length / 2;
    if (value[-1] != '=') [[unlikely]]
      break;
    const size_t size = token_size(value, until);
    if (size == 0) [[unlikely]]
      break;
    last = *value;
    p = value + size + 1;
    if (p[-1] != ';') [[unlikely]] {
      --p;
      break;
    }
    if (in_row && p[0] == '}' && p[1] == ';' && p[2] == '{') {
      ++items_;
      boundary_ = static_cast<size_t>(p + 2 - data);
      p += 3;
      field = 0;
    }
  }
  if (in_row) field_ = field;
  if (p == begin) return p;
  binary_ = true;
  *text_run = last == '#' ? 2 : 0;  // with the `=` before it
  return p;
}

namespace {

/// The bytes to move over for a binary token, from `bytes` on. A malformed one is one byte. Cut: it
/// may be whole with more input.
struct BinaryToken {
  const char* bytes;
  size_t size;
  bool is_cut;
};

[[gnu::always_inline]] inline BinaryToken string_token(const char* p, const char* end) {
  const char* at = p + 1;
  uint32_t length = 0;
  const Status status = read_binary_length(at, end, length);
  if (status == Status::Ok) [[likely]]
    return {at, length, false};
  return {p, 1, status == Status::Truncated};
}

[[gnu::always_inline]] inline BinaryToken varint_token(const char* p, const char* end) {
  const char* at = p + 1;
  uint64_t value = 0;
  const Status status = read_varint(at, end, value);
  if (status == Status::Ok) [[likely]]
    return {p, static_cast<size_t>(at - p), false};
  return {p, 1, status == Status::Truncated};
}

}  // namespace

void ItemScanner::scan_binary(const char* data, size_t stop, size_t size, bool last) {
  const char* p = data + position_;
  const char* end = data + size;
  const char* until = data + stop;
  uint64_t depth = depth_;
  int text_run = 0;
  bool in_list = false;  // according to the last bracket
  while (p < until) {
    BinaryToken token{p, 1, false};
    switch (*p) {
      case marker::kString:
        if (depth > 0 && !in_list) {
          depth_ = depth;
          const char* before = std::exchange(p, take_fields(p, until, data, &text_run));
          if (p != before) continue;
        }
        token = string_token(p, end);
        break;
      case marker::kInt64:
      case marker::kUint64:
        token = varint_token(p, end);
        break;
      case marker::kDouble:
        token.size = 9;
        break;
      case marker::kFalse:
      case marker::kTrue:
        break;
      case '[':
      case '{':
      case '<':
        attributes_ = attributes_ || (depth == 0 && *p == '<');
        in_list = *p++ == '[';
        ++depth;
        continue;
      case ']':
      case '}':
      case '>':
        if (depth > 0) --depth;
        in_list = false;
        ++p;
        continue;
      case ';':
        ++p;
        if (depth == 0) {
          ++items_;
          boundary_ = static_cast<size_t>(p - data);
          field_ = 0;
        }
        continue;
      case '"':
        ++p;
        strings_.in_string = ~uint64_t{0};
        in_binary_ = false;
        goto out;
      case '\0':
        ended_ = true;
        goto out;
      default:
        ++p;
        if (++text_run == kTextRun) {
          in_binary_ = false;
          goto out;
        }
        continue;
    }
    if (token.is_cut && !last) goto out;
    binary_ = true;
    text_run = 0;
    if (static_cast<size_t>(end - token.bytes) < token.size) {
      skip_over(static_cast<size_t>(token.bytes - data), token.size, size);
      depth_ = depth;
      return;
    }
    p = token.bytes + token.size;
  }
out:
  position_ = static_cast<size_t>(p - data);
  depth_ = depth;
}

RowSplitter::RowSplitter(ByteSource* source, const RowSplitterOptions& options)
    : source_(source),
      options_(options),
      contents_(source->contents()),
      offset_(options.start.offset),
      line_(options.start.line),
      column_(options.start.column),
      item_(options.start.item) {
  options_.chunk_bytes = std::max<size_t>(options_.chunk_bytes, kBlock);
  if (contents_) {
    size_ = contents_->size();
    source_ended_ = true;
  } else {
    block_ = take_block(options_.chunk_bytes);
  }
}

const char* RowSplitter::data() const {
  return contents_ ? contents_->data() : block_.bytes.get() + begin_;
}

RowSplitter::Block RowSplitter::take_block(size_t capacity) {
  // A block that no chunk holds any more is used again, which keeps its pages warm.
  for (Block& block : pool_) {
    if (block.bytes.use_count() == 1 && block.capacity >= capacity) {
      std::atomic_thread_fence(std::memory_order_acquire);  // what its last reader did is done
      return block;
    }
  }
  // guard(allocate): A block, or twice the bytes of a row that have come, up to the limit of a row.
  Block block{std::shared_ptr<char[]>(new char[capacity]), capacity};
  std::erase_if(pool_, [](const Block& old) { return old.bytes.use_count() == 1; });
  pool_.push_back(block);
  return block;
}

bool RowSplitter::fill() {
  if (begin_ + size_ == block_.capacity) {
    // Chunks may still be read from the bytes before.
    Block next = take_block(std::max(options_.chunk_bytes, 2 * size_));
    if (size_ > 0) std::memcpy(next.bytes.get(), data(), size_);
    block_ = std::move(next);
    begin_ = 0;
  }
  while (begin_ + size_ < block_.capacity) {
    const size_t end = begin_ + size_;
    size_t count = source_->read(block_.bytes.get() + end, block_.capacity - end);
    if (count == 0) {
      source_ended_ = true;
      return false;
    }
    size_ += count;
  }
  return true;
}

void RowSplitter::check_item_size() const {
  uint64_t item = scanner_.position() - scanner_.boundary() + scanner_.pending();
  if (item <= options_.max_item_bytes) return;
  throw Error(ErrorCode::Input,
              fmt::format("expected a row of at most {} bytes, found one of {} or more",
                          options_.max_item_bytes, item),
              {.byte = offset_ + scanner_.boundary(), .row = item_ + scanner_.items()});
}

size_t RowSplitter::next_stop(size_t stop) const {
  constexpr size_t kLeastItem = 3;  // `{};`
  constexpr size_t kLeastStep = 1024;
  if (options_.chunk_items >= options_.chunk_bytes / kLeastItem) return stop;
  const size_t left = (options_.chunk_items - scanner_.items()) * kLeastItem;
  return std::min(stop, scanner_.position() + std::max(left, kLeastStep));
}

void RowSplitter::scan(size_t stop) {
  while (scanner_.items() < options_.chunk_items) {
    const size_t before = scanner_.position();
    scanner_.scan(data(), next_stop(stop), size_, source_ended_);
    if (scanner_.position() == before || scanner_.position() >= stop) return;
  }
}

bool RowSplitter::next(RowChunk* chunk) {
  if (done_) return false;
  size_t stop = options_.chunk_bytes;
  while (true) {
    if (!source_ended_ && size_ < next_stop(stop)) fill();
    scan(std::min(stop, size_));
    check_item_size();
    bool last = scanner_.ended() || (source_ended_ && scanner_.position() == size_);
    if (last) {
      done_ = true;
      size_t size = scanner_.ended() ? scanner_.position() : size_;
      if (size == 0) return false;
      emit(size, true, chunk);
      return chunk->items > 0;
    }
    if (scanner_.boundary() > 0) {
      emit(scanner_.boundary(), false, chunk);
      return true;
    }
    stop = std::max(stop, scanner_.position()) + options_.chunk_bytes;
  }
}

void RowSplitter::emit(size_t size, bool last, RowChunk* chunk) {
  chunk->bytes = {data(), size};
  chunk->offset = offset_;
  chunk->line = line_;
  chunk->column = column_;
  chunk->binary = options_.start.binary || scanner_.binary();
  chunk->first_item = item_;
  chunk->items = scanner_.items();
  std::string_view tail = chunk->bytes.substr(std::min(scanner_.boundary(), size));
  if (last && !std::all_of(tail.begin(), tail.end(), is_space)) ++chunk->items;
  chunk->owner = contents_ ? nullptr : std::shared_ptr<const char[]>(block_.bytes);

  offset_ += size;
  item_ += chunk->items;
  if (!chunk->binary) {
    const uint64_t newlines = count_newlines(chunk->bytes);
    line_ += newlines;
    if (newlines > 0) column_ = 1;
    column_ += newlines > 0 ? size - 1 - chunk->bytes.rfind('\n') : size;
  }
  if (last) return;

  scanner_.rebase(size);
  if (contents_) {
    contents_->remove_prefix(size);
  } else {
    begin_ += size;
  }
  size_ -= size;
}

Place place_in_chunk(const RowChunk& chunk, size_t offset, size_t length) {
  Place place;
  if (!chunk.binary) {
    place = place_in_text(chunk.bytes, offset, length);
    if (*place.line == 1) *place.column += chunk.column - 1;
    *place.line += chunk.line - 1;
  }
  place.byte = chunk.offset + offset;
  return place;
}

}  // namespace xwalk::yson
