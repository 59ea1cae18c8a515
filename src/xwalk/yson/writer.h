#pragma once

#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <functional>
#include <new>
#include <string_view>

#include "xwalk/base/batch_memory.h"
#include "xwalk/base/endian.h"
#include "xwalk/yson/digits.h"
#include "xwalk/yson/scan.h"

/// Inline functions that write YSON scalars. Each writes at `out`, with space provided by the
/// caller, and returns a pointer past the last byte written. They do not check bounds or allocate.
namespace xwalk::yson {

/// Bytes that any number, boolean or entity takes at most, in text or binary.
inline constexpr size_t kMaxScalarBytes = 40;

/// A growing array of bytes whose space is made ahead: `reserve` once per row, then write and
/// `set_end`. Unlike std::string it never fills what is about to be overwritten.
class Buffer {
 public:
  /// Takes bytes that a buffer need not hold any longer.
  using Drain = std::function<void(std::string_view)>;

  Buffer() = default;
  /// A buffer that `drain` keeps short. The drain must outlive it.
  explicit Buffer(const Drain* drain) : drain_(drain) {}
  ~Buffer() { std::free(begin_); }
  Buffer(const Buffer&) = delete;
  Buffer& operator=(const Buffer&) = delete;
  Buffer(Buffer&& other) noexcept
      : begin_(other.begin_), size_(other.size_), capacity_(other.capacity_), drain_(other.drain_) {
    other.begin_ = nullptr;
    other.size_ = other.capacity_ = 0;
  }

  /// Makes space for `count` more bytes and returns where they begin. Throws std::bad_alloc.
  char* reserve(size_t count) {
    if (capacity_ - size_ < count) [[unlikely]]
      grow(count);
    return begin_ + size_;
  }
  /// Says how far the bytes written since `reserve` go.
  void set_end(const char* end) { size_ = static_cast<size_t>(end - begin_); }

  void append(std::string_view bytes) {
    char* out = reserve(bytes.size());
    if (!bytes.empty()) std::memcpy(out, bytes.data(), bytes.size());
    size_ += bytes.size();
  }
  void append(char byte) {
    *reserve(1) = byte;
    ++size_;
  }

  std::string_view view() const { return {begin_, size_}; }
  size_t size() const { return size_; }
  bool empty() const { return size_ == 0; }
  /// Forgets the bytes and keeps the memory.
  void clear() { size_ = 0; }
  /// Drops the bytes after the first `size`.
  void truncate(size_t size) {
    if (size < size_) size_ = size;
  }
  /// Hands on what there is, if there is much and the buffer has a drain. To be called where
  /// nothing that was written is needed again.
  void drain() {
    if (drain_ != nullptr && size_ >= kDrainedBytes) give();
  }
  /// Hands on the rest.
  void drain_all() {
    if (drain_ != nullptr && size_ > 0) give();
  }

 private:
  static constexpr size_t kDrainedBytes = size_t{1} << 20;

  void give() {
    (*drain_)(view());
    size_ = 0;
  }
  void grow(size_t count) {
    size_t wanted = size_ + count;
    size_t capacity = capacity_ < 4096 ? 4096 : capacity_ * 2;
    if (capacity < wanted) capacity = wanted;
    // guard(allocate): Encoded rows are memory of their batch, and twice of it while they grow.
    void* memory = std::realloc(begin_, capacity);
    if (memory == nullptr) throw std::bad_alloc();
    begin_ = static_cast<char*>(memory);
    capacity_ = capacity;
  }

  char* begin_ = nullptr;
  size_t size_ = 0;
  size_t capacity_ = 0;
  const Drain* drain_ = nullptr;
};

/// Takes what is written to a buffer from the memory of the batch, each byte once: an escape is up
/// to six bytes of one, and a short value may have long names.
class BufferCount {
 public:
  explicit BufferCount(const Buffer* buffer) : buffer_(buffer), counted_(buffer->size()) {}

  /// To be called after each row or value.
  void all() {
    // guard(allocate): Encoded rows are memory of the batch.
    if (buffer_->size() <= counted_) return;
    take_batch_memory(buffer_->size() - counted_);
    counted_ = buffer_->size();
  }
  /// Counts now and then. To be called within a value, which may be long.
  void much() {
    if (buffer_->size() > counted_ + kUncounted) [[unlikely]]
      all();
  }

 private:
  static constexpr size_t kUncounted = size_t{1} << 16;

  const Buffer* buffer_;
  /// The most bytes that the buffer has held so far.
  size_t counted_;
};

/// Writes an unsigned varint into space for ten bytes.
inline char* write_varint(char* out, uint64_t value) {
  if (value < 0x80) {
    *out = static_cast<char>(value);
    return out + 1;
  }
  if (value < 0x4000) {
    out[0] = static_cast<char>(value | 0x80);
    out[1] = static_cast<char>(value >> 7);
    return out + 2;
  }
  // Spreads 56 bits over eight bytes of seven, in eights, fours and pairs.
  uint64_t word = value & 0x00FFFFFFFFFFFFFF;
  word = (word & 0x000000000FFFFFFF) | ((word & 0x00FFFFFFF0000000) << 4);
  word = (word & 0x00003FFF00003FFF) | ((word & 0x0FFFC0000FFFC000) << 2);
  word = (word & 0x007F007F007F007F) | ((word & 0x3F803F803F803F80) << 1);
  constexpr uint64_t kContinued = 0x8080808080808080;
  auto bytes = (static_cast<unsigned>(std::bit_width(value)) + 6) / 7;
  if (bytes <= 8) {
    store_little_endian(word | (kContinued & ((uint64_t{1} << (8 * (bytes - 1))) - 1)), out);
    return out + bytes;
  }
  store_little_endian(word | kContinued, out);
  out[8] = static_cast<char>(value >> 56);
  if (bytes == 9) return out + 9;
  out[9] = 1;
  return out + 10;
}

/// The binary writers put the marker byte first.
inline char* write_binary_int64(char* out, int64_t value) {
  *out++ = marker::kInt64;
  return write_varint(out, zigzag_encode(value));
}

inline char* write_binary_uint64(char* out, uint64_t value) {
  *out++ = marker::kUint64;
  return write_varint(out, value);
}

inline char* write_binary_double(char* out, double value) {
  *out++ = marker::kDouble;
  store_little_endian(std::bit_cast<uint64_t>(value), out);
  return out + 8;
}

inline char* write_binary_boolean(char* out, bool value) {
  *out++ = value ? marker::kTrue : marker::kFalse;
  return out;
}

/// Returns the bytes that a binary string of `size` bytes takes at most.
inline constexpr size_t max_binary_string_bytes(size_t size) { return size + 6; }

/// Strings are shorter than 2^31 bytes. If bytes up to `readable`, past the end of the string, may
/// be read and 16 more written, short strings are copied without branching on their length.
inline char* write_binary_string(char* out, std::string_view bytes, const char* readable) {
  *out++ = marker::kString;
  out = write_varint(out, static_cast<uint64_t>(bytes.size()) << 1);
  if (bytes.size() <= 16 && readable - bytes.data() >= 16) {
    std::memcpy(out, bytes.data(), 16);
  } else if (!bytes.empty()) {
    std::memcpy(out, bytes.data(), bytes.size());
  }
  return out + bytes.size();
}
inline char* write_binary_string(char* out, std::string_view bytes) {
  return write_binary_string(out, bytes, bytes.data() + bytes.size());
}

namespace detail {

/// The escape of every byte that needs one, by the next byte: `\n`; `\xHH`; `\NNN` before a hex
/// digit; for bytes below 8 `\N`, or `\NNN` before an octal digit.
struct Escape {
  char text[4];
  uint8_t size;
};
extern const std::array<Escape, 256> kShortEscapes;
extern const std::array<Escape, 256> kLongEscapes;

/// Escapes the byte at `p` and all following bytes that need an escape too, and moves `p` past
/// them.
char* write_escapes(char* out, const char*& p, const char* end);
/// Writes the bytes up to `stop`, eight at a time at best. The bytes after them, up to `end`,
/// decide the form of the last escape.
char* write_escaped(char* out, const char* p, const char* stop, const char* end);

}  // namespace detail

inline char* write_text_int64(char* out, int64_t value) {
  auto magnitude = static_cast<uint64_t>(value);
  if (value < 0) {
    *out++ = '-';
    magnitude = ~magnitude + 1;
  }
  return write_digits(out, magnitude);
}

inline char* write_text_uint64(char* out, uint64_t value) {
  out = write_digits(out, value);
  *out++ = 'u';
  return out;
}

/// Without a branch, which random values would mispredict; writes eight bytes.
inline char* write_text_boolean(char* out, bool value) {
  static constexpr char kLiterals[2][9] = {"%false  ", "%true   "};
  std::memcpy(out, kLiterals[value ? 1 : 0], 8);
  return out + (value ? 5 : 6);
}

/// Writes the fewest digits that give the value back, and of those the nearest, always with a `.`
/// or an exponent: `1.`, `0.1`, `1e+21`, `1e-11`, `%nan`, `%inf`, `%-inf`.
char* write_text_double(char* out, double value);
/// The same of a float: the fewest digits that give back its 32 bits.
char* write_text_float(char* out, float value);

/// Returns the bytes that a text string of `size` bytes takes at most, its quotes included.
inline constexpr size_t max_text_string_bytes(size_t size) { return 4 * size + 2 + 16; }

/// Writes a string in quotes, with the escapes that YTsaurus writes. Bytes up to `readable`, past
/// the end of the string, may be read, so that short strings take one step too.
inline char* write_text_string(char* out, std::string_view bytes,
                               [[maybe_unused]] const char* readable) {
  const char* p = bytes.data();
  const char* end = p + bytes.size();
  *out++ = '"';
#if defined(__SSE2__)
  while (p != end && readable - p >= 16) {
    const auto count = static_cast<unsigned>(end - p < 16 ? end - p : 16);
    __m128i block = _mm_loadu_si128(static_cast<const __m128i*>(static_cast<const void*>(p)));
    // One more than a control character, DEL or a byte from 0x80 is at most a space, or negative.
    __m128i special =
        _mm_or_si128(_mm_cmplt_epi8(_mm_add_epi8(block, _mm_set1_epi8(1)), _mm_set1_epi8('!')),
                     _mm_or_si128(_mm_cmpeq_epi8(block, _mm_set1_epi8('"')),
                                  _mm_cmpeq_epi8(block, _mm_set1_epi8('\\'))));
    const unsigned mask = static_cast<unsigned>(_mm_movemask_epi8(special)) & ((1U << count) - 1);
    _mm_storeu_si128(static_cast<__m128i*>(static_cast<void*>(out)), block);
    if (mask == 0) {
      out += count;
      p += count;
    } else {
      int clean = std::countr_zero(mask);
      out += clean;
      p += clean;
      out = detail::write_escapes(out, p, end);
    }
  }
#endif
  if (p != end) out = detail::write_escaped(out, p, end, end);
  *out++ = '"';
  return out;
}
inline char* write_text_string(char* out, std::string_view bytes) {
  return write_text_string(out, bytes, bytes.data() + bytes.size());
}

/// Appends a string of any size in parts. After each, the buffer is counted if there is a count,
/// and drained unless what was written before is needed again.
void append_binary_string(std::string_view bytes, Buffer* out, BufferCount* count = nullptr,
                          bool drains = true);
void append_text_string(std::string_view bytes, Buffer* out, BufferCount* count = nullptr,
                        bool drains = true);

}  // namespace xwalk::yson
