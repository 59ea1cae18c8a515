#pragma once

#include <algorithm>
#include <bit>
#include <cstdint>
#include <cstring>
#include <limits>
#include <string_view>
#include <vector>

#include <arrow/buffer_builder.h>
#include <arrow/memory_pool.h>
#include <arrow/stl_allocator.h>
#include <parquet/exception.h>

namespace xwalk::plugin {

template <typename T>
using Pooled = std::vector<T, arrow::stl::allocator<T>>;

inline uint64_t load_word(const char* at) {
  uint64_t word = 0;
  std::memcpy(&word, at, sizeof word);
  return word;
}

/// Returns true if bytes from `at` on can be read; `end` is null if it is not known.
inline bool can_read(const char* at, const char* end, int64_t bytes) {
  return end != nullptr && end - at >= bytes;
}

/// Mixes all bits of a word into all others.
constexpr uint64_t mix_bits(uint64_t word) {
  word = (word ^ (word >> 32)) * 0x9E37'79B9'7F4A'7C15;
  return word ^ (word >> 29);
}

/// The distinct values of a chunk in the order in which they came, which are a dictionary of
/// Parquet: PLAIN values, those of no fixed length after their length.
class Distinct {
 public:
  /// No number of a value.
  static constexpr uint32_t kNone = std::numeric_limits<uint32_t>::max();

  /// By what values are found: their bytes if they are at most eight, else a hash.
  struct Key {
    uint64_t bits = 0;
    uint32_t length = 0;
    bool operator==(const Key&) const = default;
  };

  explicit Distinct(arrow::MemoryPool* pool) : slots_(pool), starts_(pool), bytes_(pool) {}

  /// Forgets all values. `width` is the length of each, 0 if they differ; their dictionary may take
  /// `most_bytes`.
  void clear(uint32_t width, int64_t most_bytes) {
    slots_.assign(std::max(kFirstSlots, slots_.size()), Slot{});
    set_shift();
    starts_.clear();
    bytes_.Rewind(0);
    width_ = width;
    most_bytes_ = most_bytes;
    count_ = 0;
  }

  /// Returns the key of bytes; `end` is where the memory after them ends, null if unknown.
  static Key key_of(std::string_view value, const char* end) {
    const auto length = static_cast<uint32_t>(value.size());
    if (length > 8) return {hash(value), length};
    if (length == 8) return {load_word(value.data()), length};
    if (can_read(value.data(), end, 8)) {
      return {load_word(value.data()) & ((uint64_t{1} << 8 * length) - 1), length};
    }
    Key key{.bits = 0, .length = length};
    if (length > 0) std::memcpy(&key.bits, value.data(), length);
    return key;
  }

  /// Returns the number of a value, which is added if it is new; kNone if there is no room for it.
  uint32_t number_of(Key key, const char* value) {
    size_t at = place(key);
    for (int probes = 0; probes < kMostProbes; ++probes, at = (at + 1) & (slots_.size() - 1)) {
      const Slot& slot = slots_[at];
      if (slot.number == 0) return insert(key, value, at);
      if (slot.bits == key.bits && slot.length == key.length &&
          (key.length <= 8 || same(slot.number - 1, value, key.length))) {
        return slot.number - 1;
      }
    }
    return kNone;
  }

  /// Doubles the bytes that the dictionary may take, up to `most_bytes`. Returns false if it may
  /// take as many already.
  bool widen(int64_t most_bytes) {
    if (most_bytes_ >= most_bytes) return false;
    most_bytes_ = std::min(2 * most_bytes_, most_bytes);
    return true;
  }

  int32_t count() const { return static_cast<int32_t>(count_); }
  std::string_view bytes() const {
    return {reinterpret_cast<const char*>(bytes_.data()), static_cast<size_t>(bytes_.length())};
  }
  std::string_view operator[](uint32_t number) const {
    const char* at = start(number);
    uint32_t length = width_;
    if (length == 0) std::memcpy(&length, at - sizeof length, sizeof length);
    return {at, length};
  }

 private:
  struct Slot {
    uint64_t bits = 0;
    uint32_t length = 0;
    /// Plus one; 0 if the slot is empty.
    uint32_t number = 0;
  };

  static constexpr size_t kFirstSlots = 1024;
  /// Only values that were made to meet take more.
  static constexpr int kMostProbes = 256;

  static uint64_t hash(std::string_view value) {
    uint64_t bits = value.size();
    const char* at = value.data();
    for (size_t left = value.size(); left > 8; left -= 8, at += 8) {
      bits = mix_bits(bits ^ load_word(at)) + 0x2545'F491'4F6C'DD1D;
    }
    return mix_bits(bits ^ load_word(value.data() + value.size() - 8));
  }

  size_t place(Key key) const {
    return ((key.bits ^ (key.bits >> 32)) + key.length) * 0xD6E8'FEB8'6659'FD93 >> shift_;
  }

  const char* start(uint32_t number) const {
    return bytes().data() + (width_ == 0 ? starts_[number] : size_t{number} * width_);
  }

  bool same(uint32_t number, const char* value, uint32_t length) const {
    const char* mine = start(number);
    if (length > 16) return std::memcmp(mine, value, length) == 0;
    return load_word(mine) == load_word(value) &&
           load_word(mine + length - 8) == load_word(value + length - 8);
  }

  [[gnu::noinline]] uint32_t insert(Key key, const char* value, size_t at) {
    const int64_t more = int64_t{key.length} + (width_ == 0 ? 4 : 0);
    if (bytes_.length() + more > most_bytes_) return kNone;
    PARQUET_THROW_NOT_OK(bytes_.Reserve(more));
    if (width_ == 0) {
      bytes_.UnsafeAppend(&key.length, sizeof key.length);
      starts_.push_back(static_cast<uint32_t>(bytes_.length()));
    }
    bytes_.UnsafeAppend(value, key.length);
    slots_[at] = {key.bits, key.length, ++count_};
    if (size_t{count_} * 2 > slots_.size()) grow();
    return count_ - 1;
  }

  void set_shift() { shift_ = 64 - std::countr_zero(slots_.size()); }

  void grow() {
    Pooled<Slot> old(slots_.size() * 2, Slot{}, slots_.get_allocator());
    old.swap(slots_);
    set_shift();
    for (const Slot& slot : old) {
      if (slot.number == 0) continue;
      size_t to = place({slot.bits, slot.length});
      while (slots_[to].number != 0) to = (to + 1) & (slots_.size() - 1);
      slots_[to] = slot;
    }
  }

  Pooled<Slot> slots_;
  int shift_ = 0;
  Pooled<uint32_t> starts_;
  arrow::BufferBuilder bytes_;
  uint32_t width_ = 0;
  int64_t most_bytes_ = 0;
  uint32_t count_ = 0;
};

}  // namespace xwalk::plugin
