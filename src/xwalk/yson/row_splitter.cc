#include "xwalk/yson/row_splitter.h"

#include <algorithm>
#include <atomic>
#include <bit>
#include <cstring>

#include <fmt/format.h>

#include "xwalk/yson/block_masks.h"
#include "xwalk/yson/scan.h"

namespace xwalk::yson {
namespace {

/// After so many bytes without a binary token, whole blocks are faster than single bytes.
constexpr int kTextRun = 32;

/// One bit a byte of a block, the first byte in the lowest bit.
struct BlockMasks {
  uint64_t quote = 0;
  uint64_t backslash = 0;
  uint64_t open = 0;       // [ { <
  uint64_t close = 0;      // ] } >
  uint64_t separator = 0;  // ;
  uint64_t control = 0;    // zero and the markers of binary tokens
};

#if defined(__SSE2__)

BlockMasks classify(const char* p) {
  BlockMasks masks;
  const __m128i lower = _mm_set1_epi8(0x20);
  const __m128i seven = _mm_set1_epi8(7);
  for (unsigned i = 0; i < kBlock; i += 16) {
    __m128i bytes = _mm_loadu_si128(static_cast<const __m128i*>(static_cast<const void*>(p + i)));
    auto put = [i](uint64_t& mask, __m128i found) {
      mask |= static_cast<uint64_t>(static_cast<unsigned>(_mm_movemask_epi8(found))) << i;
    };
    auto equals = [](__m128i a, char c) { return _mm_cmpeq_epi8(a, _mm_set1_epi8(c)); };
    // `[` and `{`, `]` and `}` differ in one bit.
    __m128i folded = _mm_or_si128(bytes, lower);
    put(masks.quote, equals(bytes, '"'));
    put(masks.backslash, equals(bytes, '\\'));
    put(masks.separator, equals(bytes, ';'));
    put(masks.open, _mm_or_si128(equals(folded, '{'), equals(bytes, '<')));
    put(masks.close, _mm_or_si128(equals(folded, '}'), equals(bytes, '>')));
    put(masks.control, _mm_cmpeq_epi8(_mm_min_epu8(bytes, seven), bytes));
  }
  return masks;
}

#else

BlockMasks classify(const char* p) {
  BlockMasks masks;
  for (unsigned i = 0; i < kBlock; ++i) {
    uint64_t bit = uint64_t{1} << i;
    char c = p[i];
    if (c == '"') masks.quote |= bit;
    if (c == '\\') masks.backslash |= bit;
    if (c == ';') masks.separator |= bit;
    if (c == '[' || c == '{' || c == '<') masks.open |= bit;
    if (c == ']' || c == '}' || c == '>') masks.close |= bit;
    if (static_cast<unsigned char>(c) < 8) masks.control |= bit;
  }
  return masks;
}

#endif

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
    size_t before = position_;
    if (in_binary_) {
      scan_binary(data, stop, size, last);
    } else {
      scan_text(data, stop, size, last);
    }
    if (position_ == before && !ended_) break;  // more bytes are needed to go on
  }
}

void ItemScanner::scan_text(const char* data, size_t stop, size_t size, bool last) {
  char padded[kBlock];
  size_t position = position_;
  size_t boundary = boundary_;
  uint64_t items = items_;
  uint64_t depth = depth_;
  while (position < stop) {
    const char* block = data + position;
    size_t step = kBlock;
    if (size - position < kBlock) {
      if (!last) break;
      step = size - position;
      std::memset(padded, ' ', kBlock);
      std::memcpy(padded, block, step);
      block = padded;
    }
    BlockMasks masks = classify(block);
    uint64_t quote = masks.quote & ~find_escaped(masks.backslash, escaped_);
    uint64_t inside = prefix_parity(quote) ^ in_string_;
    uint64_t control = masks.control & ~inside;
    uint64_t outside = ~inside;
    int valid = 64;
    if (control != 0) [[unlikely]] {
      valid = std::countr_zero(control);
      outside &= low_bits(valid);
    }
    uint64_t open = masks.open & outside;
    uint64_t close = masks.close & outside;
    auto closing = static_cast<uint64_t>(std::popcount(close));
    if (depth > closing) {
      depth += static_cast<uint64_t>(std::popcount(open)) - closing;
    } else {
      uint64_t separators = masks.separator & outside;
      uint64_t brackets = open | close;
      int from = 0;
      while (true) {
        int to = brackets != 0 ? std::countr_zero(brackets) : 64;
        if (depth == 0) {
          uint64_t found = separators & low_bits(to) & ~low_bits(from);
          if (found != 0) {
            items += static_cast<uint64_t>(std::popcount(found));
            boundary = position + 64 - static_cast<size_t>(std::countl_zero(found));
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
    }
    if (control != 0) [[unlikely]] {
      position += static_cast<size_t>(valid);
      in_string_ = 0;
      escaped_ = 0;
      in_binary_ = true;
      break;
    }
    in_string_ = static_cast<uint64_t>(static_cast<int64_t>(inside) >> 63);
    if (step < kBlock) in_string_ = inside >> (step - 1) & 1 ? ~uint64_t{0} : 0;
    position += step;
  }
  position_ = position;
  boundary_ = boundary;
  items_ = items;
  depth_ = depth;
}

void ItemScanner::scan_binary(const char* data, size_t stop, size_t size, bool last) {
  const char* p = data + position_;
  const char* end = data + size;
  const char* until = data + stop;
  uint64_t depth = depth_;
  int text_run = 0;
  while (p < until) {
    switch (*p) {
      case marker::kString: {
        const char* at = p + 1;
        uint32_t length = 0;
        Status status = read_binary_length(at, end, length);
        if (status == Status::Truncated && !last) goto out;
        binary_ = true;
        text_run = 0;
        if (status != Status::Ok) {
          ++p;
        } else if (static_cast<size_t>(end - at) < length) {
          skip_over(static_cast<size_t>(at - data), length, size);
          depth_ = depth;
          return;
        } else {
          p = at + length;
        }
        continue;
      }
      case marker::kInt64:
      case marker::kUint64: {
        const char* at = p + 1;
        uint64_t value = 0;
        Status status = read_varint(at, end, value);
        if (status == Status::Truncated && !last) goto out;
        binary_ = true;
        text_run = 0;
        p = status == Status::Ok ? at : p + 1;
        continue;
      }
      case marker::kDouble:
        binary_ = true;
        text_run = 0;
        if (end - p < 9) {
          skip_over(static_cast<size_t>(p - data), 9, size);
          depth_ = depth;
          return;
        }
        p += 9;
        continue;
      case marker::kFalse:
      case marker::kTrue:
        binary_ = true;
        text_run = 0;
        ++p;
        continue;
      case '[':
      case '{':
      case '<':
        attributes_ = attributes_ || (depth == 0 && *p == '<');
        ++depth;
        ++p;
        continue;
      case ']':
      case '}':
      case '>':
        if (depth > 0) --depth;
        ++p;
        continue;
      case ';':
        ++p;
        if (depth == 0) {
          ++items_;
          boundary_ = static_cast<size_t>(p - data);
        }
        continue;
      case '"':
        ++p;
        in_string_ = ~uint64_t{0};
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
    }
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

const char* RowSplitter::data() const { return contents_ ? contents_->data() : block_.bytes.get(); }

RowSplitter::Block RowSplitter::take_block(size_t capacity) {
  // A block that no chunk holds any more is used again, which keeps its pages warm.
  for (Block& block : pool_) {
    if (block.bytes.use_count() == 1 && block.capacity >= capacity) {
      std::atomic_thread_fence(std::memory_order_acquire);  // what its last reader did is done
      return block;
    }
  }
  Block block{std::shared_ptr<char[]>(new char[capacity]), capacity};
  std::erase_if(pool_, [](const Block& old) { return old.bytes.use_count() == 1; });
  pool_.push_back(block);
  return block;
}

bool RowSplitter::fill() {
  if (size_ == block_.capacity) {
    Block larger = take_block(block_.capacity * 2);
    std::memcpy(larger.bytes.get(), block_.bytes.get(), size_);
    block_ = std::move(larger);
  }
  while (size_ < block_.capacity) {
    size_t count = source_->read(block_.bytes.get() + size_, block_.capacity - size_);
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
  Place place;
  place.byte = offset_ + scanner_.boundary();
  place.row = item_ + scanner_.items();
  throw Error(ErrorCode::Input,
              fmt::format("expected a row of at most {} bytes, found one of {} or more",
                          options_.max_item_bytes, item),
              std::move(place));
}

bool RowSplitter::next(RowChunk* chunk) {
  if (done_) return false;
  size_t stop = options_.chunk_bytes;
  while (true) {
    if (!source_ended_ && size_ < stop) fill();
    scanner_.scan(data(), std::min(stop, size_), size_, source_ended_);
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
    auto newlines = std::count(chunk->bytes.begin(), chunk->bytes.end(), '\n');
    line_ += static_cast<uint64_t>(newlines);
    if (newlines > 0) column_ = 1;
    column_ += newlines > 0 ? size - 1 - chunk->bytes.rfind('\n') : size;
  }
  if (last) return;

  scanner_.rebase(size);
  size_t left = size_ - size;
  if (contents_) {
    contents_->remove_prefix(size);
  } else {
    Block rest = take_block(std::max(options_.chunk_bytes, left));
    if (left > 0) std::memcpy(rest.bytes.get(), block_.bytes.get() + size, left);
    block_ = std::move(rest);
  }
  size_ = left;
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
