#pragma once

#include <bit>
#include <cstdint>
#include <cstring>
#include <memory>
#include <mutex>
#include <string_view>
#include <vector>

#include "xwalk/hub/array.h"
#include "xwalk/hub/type.h"

namespace xwalk::hub {

/// Keeps the memory of released arrays for the arrays that are built next: fresh pages cost more
/// than filling them. Arrays keep the pool alive and may be released in any thread.
class BufferPool {
 public:
  BufferPool() { blocks_.reserve(kMostBlocks); }
  ~BufferPool();
  BufferPool(const BufferPool&) = delete;
  BufferPool& operator=(const BufferPool&) = delete;

  /// Returns memory of at least `size` bytes from malloc, its contents undefined, or null if no
  /// kept block fits.
  void* take(size_t size);
  /// Takes over memory from malloc of `size` bytes; may be null.
  void give(void* memory, size_t size);

 private:
  struct Block {
    void* memory;
    size_t size;
  };

  /// More than a decoder has in hand at a time is given back to the system.
  static constexpr size_t kMostBytes = size_t{64} << 20;
  static constexpr size_t kMostBlocks = 256;

  std::mutex mutex_;
  std::vector<Block> blocks_;
  size_t bytes_ = 0;
};

/// Builds one Arrow array of a field, and below it those of its children, in raw memory. Meant for
/// the inner loops of row decoders: every append is inline, checks capacity with one compare and
/// costs nothing for validity while values are present.
///
/// A builder knows its layout (`Layout`), not what the values mean. Parents do not drive children:
/// a decoder appends to the child builders and closes the parent's slot itself (`append_list`,
/// `append_struct`, `append_union`). Supported are all kinds but views, large and run-end layouts,
/// dictionaries and fixed-size lists.
///
/// `truncate` takes back rows at any depth, also half-appended ones, so that a decoder that fails
/// in the middle of a row can put a placeholder in its place (`append_placeholder`).
class ColumnBuilder {
 public:
  enum class Layout : uint8_t { Null, Bits, Fixed, Bytes, List, Struct, Union };

  /// Throws Error (Unsupported) for a kind that is not built here. Memory comes from the pool and
  /// goes back to it, if there is one.
  explicit ColumnBuilder(const Field& field, std::shared_ptr<BufferPool> pool = nullptr);
  ~ColumnBuilder();
  ColumnBuilder(ColumnBuilder&& other) noexcept;
  ColumnBuilder& operator=(ColumnBuilder&&) = delete;
  ColumnBuilder(const ColumnBuilder&) = delete;
  ColumnBuilder& operator=(const ColumnBuilder&) = delete;

  Layout layout() const { return layout_; }
  bool nullable() const { return nullable_; }
  int64_t length() const { return length_; }
  int64_t null_count() const { return null_count_; }
  /// Bytes of each value of a Fixed layout.
  int width() const { return width_; }
  ColumnBuilder& child(size_t index) { return children_[index]; }
  const ColumnBuilder& child(size_t index) const { return children_[index]; }
  size_t child_count() const { return children_.size(); }

  /// Makes room for `rows` more values in this array (not in children).
  void reserve(int64_t rows) {
    if (length_ + rows > capacity_) grow(length_ + rows);
  }

  /// Appends a value of a Fixed layout of sizeof(T) bytes.
  template <typename T>
  void append(T value) {
    if (length_ == capacity_) [[unlikely]]
      grow(length_ + 1);
    std::memcpy(values_ + length_ * static_cast<int64_t>(sizeof(T)), &value, sizeof(T));
    ++length_;
  }
  /// Appends the low `width()` bytes of an integer to a Fixed layout of at most eight bytes.
  void append_integer(uint64_t bits) {
    if (length_ == capacity_) [[unlikely]]
      grow(length_ + 1);
    put_integer(values_, static_cast<size_t>(length_), static_cast<size_t>(width_), bits);
    ++length_;
  }
  /// Stores the low `width` bytes of an integer as value `row` of memory that `open_fixed`
  /// returned. It always writes eight bytes, so that the width costs no branch: rows must come in
  /// order.
  static void put_integer(uint8_t* values, size_t row, size_t width, uint64_t bits) {
    if constexpr (std::endian::native == std::endian::big) bits <<= 64 - 8 * width;
    std::memcpy(values + row * width, &bits, sizeof(bits));
  }
  /// Appends `width()` bytes.
  void append_fixed(const void* bytes) {
    if (length_ == capacity_) [[unlikely]]
      grow(length_ + 1);
    std::memcpy(values_ + length_ * width_, bytes, static_cast<size_t>(width_));
    ++length_;
  }
  void append_bool(bool value) {
    if (length_ == capacity_) [[unlikely]]
      grow(length_ + 1);
    values_[length_ >> 3] =
        static_cast<uint8_t>(values_[length_ >> 3] | (uint8_t{value} << (length_ & 7)));
    ++length_;
  }
  void append_bytes(const char* bytes, size_t size) {
    char* out = begin_bytes(size);
    std::memcpy(out, bytes, size);
    end_bytes(size);
  }
  void append_bytes(std::string_view bytes) { append_bytes(bytes.data(), bytes.size()); }

  /// Slack after the space that `begin_bytes` returns, so that short copies can use whole 16-byte
  /// steps.
  static constexpr size_t kByteSlack = 32;
  /// Returns room for up to `most` bytes (and kByteSlack) of the next value of a Bytes layout.
  char* begin_bytes(size_t most) {
    if (length_ == capacity_) [[unlikely]]
      grow(length_ + 1);
    if (most + kByteSlack > bytes_capacity_ - bytes_size_) [[unlikely]]
      grow_bytes(most);
    return bytes_ + bytes_size_;
  }
  /// Closes the value begun by `begin_bytes`, of `size` bytes.
  void end_bytes(size_t size) {
    bytes_size_ += size;
    ++length_;
    offsets_[length_] = static_cast<int32_t>(bytes_size_);
  }

  /// The next eight write a run of values at once, for decoders that go column by column.

  /// Opens `rows` values of a Fixed layout for the caller to write.
  uint8_t* extend_fixed(int64_t rows) {
    reserve(rows);
    uint8_t* out = values_ + length_ * width_;
    length_ += rows;
    return out;
  }
  /// Opens room for `rows` values of a Fixed layout, which `extend_fixed` adds.
  uint8_t* open_fixed(int64_t rows) {
    reserve(rows);
    return values_ + length_ * width_;
  }
  /// Opens room for `rows` values of a Bytes layout, `size` bytes in all (and kByteSlack), for
  /// `close_bytes`; the ends of the values go to `ends`, counted from the column's first byte.
  char* open_bytes(int64_t rows, size_t size, int32_t** ends) {
    reserve(rows);
    if (size + kByteSlack > bytes_capacity_ - bytes_size_) grow_bytes(size);
    *ends = offsets_ + length_ + 1;
    return bytes_ + bytes_size_;
  }
  void close_bytes(int64_t rows, size_t size) {
    bytes_size_ += size;
    length_ += rows;
  }
  /// Opens `rows` slots of a list or map; the ends of their items go where the result points,
  /// counted from the first item of child 0.
  int32_t* extend_lists(int64_t rows) {
    reserve(rows);
    int32_t* ends = offsets_ + length_ + 1;
    length_ += rows;
    return ends;
  }
  /// Closes `rows` struct slots. Every child must have that many more values.
  void extend_structs(int64_t rows) {
    reserve(rows);
    length_ += rows;
  }
  /// Appends values of a Bits layout, one byte each, 0 or 1.
  void append_bits(const uint8_t* bytes, int64_t rows);
  /// Marks the last `rows` values null if their byte is 0.
  void mark_nulls(const uint8_t* present, int64_t rows);

  /// Closes a list or map slot: its items are what was appended to child 0 since the last slot.
  void append_list() {
    if (length_ == capacity_) [[unlikely]]
      grow(length_ + 1);
    ++length_;
    offsets_[length_] = static_cast<int32_t>(children_[0].length_);
  }
  /// Closes a struct slot. Every child must have one more value than this struct had.
  void append_struct() {
    if (length_ == capacity_) [[unlikely]]
      grow(length_ + 1);
    ++length_;
  }
  /// Opens a slot of a dense union: the caller then appends one value to `child(index)`.
  void append_union(size_t index) {
    if (length_ == capacity_) [[unlikely]]
      grow(length_ + 1);
    values_[length_] = type_codes_[index];
    offsets_[length_] = static_cast<int32_t>(children_[index].length_);
    ++length_;
  }

  /// Appends a null: a zero value with its validity bit cleared, nulls or placeholders below a
  /// struct. Must not be called on a union.
  void append_null();
  /// Appends `count` nulls at once.
  void append_nulls(int64_t count);
  /// Appends a null if the field is nullable, else a zero or empty value at every level. Used for
  /// rejected rows.
  void append_placeholder();

  /// Takes back everything after the first `rows` values, at every depth.
  void truncate(int64_t rows);

  /// The bytes of all values so far, and where each begins; for checks over a whole batch.
  std::string_view bytes() const { return {bytes_, bytes_size_}; }
  const int32_t* offsets() const { return offsets_; }
  bool is_null(int64_t row) const { return ((validity_[row >> 3] >> (row & 7)) & 1) == 0; }

  /// Replaces every byte of a value of a Bytes layout.
  void fill_bytes(int64_t row, char byte) {
    std::memset(bytes_ + offsets_[row], byte,
                static_cast<size_t>(offsets_[row + 1] - offsets_[row]));
  }

  /// Returns roughly how many bytes the values take, children included.
  size_t memory() const;

  /// Gives the array away and leaves the builder empty.
  Array finish();

 private:
  void grow(int64_t rows);
  void grow_bytes(size_t more);
  void append_zero();
  void clear_valid() {
    validity_[length_ >> 3] =
        static_cast<uint8_t>(validity_[length_ >> 3] & ~(1u << (length_ & 7)));
    ++null_count_;
  }

  template <typename T>
  void resize(T** memory, size_t bytes);
  /// Returns the bytes of the values of a Fixed layout, and of what `put_integer` writes after
  /// them.
  size_t fixed_bytes(int64_t rows) const {
    return static_cast<size_t>(rows) * static_cast<size_t>(width_) + sizeof(uint64_t);
  }

  std::shared_ptr<BufferPool> pool_;
  Layout layout_ = Layout::Null;
  bool nullable_ = true;
  int width_ = 0;
  int64_t length_ = 0;
  int64_t capacity_ = 0;
  int64_t null_count_ = 0;
  /// Ones from the start on: only a null writes to it.
  uint8_t* validity_ = nullptr;
  /// Fixed values, bits (zeroes from the start on), or type codes.
  uint8_t* values_ = nullptr;
  int32_t* offsets_ = nullptr;
  char* bytes_ = nullptr;
  size_t bytes_size_ = 0;
  size_t bytes_capacity_ = 0;
  /// What the last batch needed, so that the next one is allocated at once.
  int64_t rows_hint_ = 0;
  size_t bytes_hint_ = 0;
  std::vector<ColumnBuilder> children_;
  std::vector<uint8_t> type_codes_;
};

/// Joins finished columns of one length into the struct array of a batch.
Array struct_of(std::vector<Array> columns, int64_t length);

}  // namespace xwalk::hub
