#pragma once

#include <bit>
#include <cstdint>
#include <cstring>
#include <memory>
#include <string_view>
#include <vector>

#include "xwalk/hub/handle.h"
#include "xwalk/hub/type.h"

namespace xwalk::hub {

using Owner = std::shared_ptr<const void>;

inline bool bit_is_set(const uint8_t* bits, int64_t index) {
  return ((bits[index >> 3] >> (index & 7)) & 1) != 0;
}
inline void set_bit(uint8_t* bits, int64_t index) {
  bits[index >> 3] = static_cast<uint8_t>(bits[index >> 3] | (1 << (index & 7)));
}
inline void clear_bit(uint8_t* bits, int64_t index) {
  bits[index >> 3] = static_cast<uint8_t>(bits[index >> 3] & ~(1 << (index & 7)));
}

/// An Arrow array as a value, the only form of one in this library: buffers and children are
/// shared, never changed once they are in an Array. Fields are those of ArrowArray; `null_count` is
/// 0 for unions and run-ends. Indices count from the array's own offset. Accessors are valid for
/// the layouts that their comment names.
struct Array {
  Array();
  Array(const Array&);
  Array(Array&&) noexcept;
  Array& operator=(const Array&);
  Array& operator=(Array&&) noexcept;
  ~Array();

  int64_t length = 0;
  int64_t offset = 0;
  int64_t null_count = -1;  ///< -1: not counted
  std::vector<const void*> buffers;
  std::vector<Array> children;
  std::shared_ptr<const Array> dictionary;
  /// Keep the buffers of this level alive.
  std::vector<Owner> owners;

  /// Returns buffer `index` as values of T, at the first element of the array.
  template <typename T>
  const T* values(size_t index = 1) const {
    return static_cast<const T*>(buffers[index]) + offset;
  }
  template <typename T>
  const T* raw(size_t index) const {
    return static_cast<const T*>(buffers[index]);
  }

  /// Every layout. For a dictionary and for runs, only the array's own validity counts.
  bool is_null(int64_t index) const {
    if (null_count == 0) return false;
    if (buffers.empty()) return true;
    const auto* bits = raw<uint8_t>(0);
    return bits != nullptr && !bit_is_set(bits, offset + index);
  }
  /// Loads a value of sizeof(T) bytes.
  template <typename T>
  T value(int64_t index, size_t buffer = 1) const {
    T loaded;
    std::memcpy(&loaded, fixed(index, sizeof(T), buffer), sizeof(T));
    return loaded;
  }
  /// Returns a pointer to a value of `width` bytes.
  const char* fixed(int64_t index, int64_t width, size_t buffer = 1) const {
    return raw<char>(buffer) + (offset + index) * width;
  }
  /// Bool.
  bool bit(int64_t index) const { return bit_is_set(raw<uint8_t>(1), offset + index); }
  /// Utf8 and Binary.
  std::string_view text(int64_t index) const {
    const auto* offsets = values<int32_t>() + index;
    return {raw<char>(2) + offsets[0], static_cast<size_t>(offsets[1] - offsets[0])};
  }
  /// List and Map: the items of an element are [first_item, end_item) of the child.
  int64_t first_item(int64_t index) const { return values<int32_t>()[index]; }
  int64_t end_item(int64_t index) const { return values<int32_t>()[index + 1]; }
  /// Struct: the index in every child.
  int64_t slot(int64_t index) const { return offset + index; }
  /// Unions: the type code; DenseUnion: the index in its child.
  int8_t type_code(int64_t index) const { return values<int8_t>(0)[index]; }
  int64_t union_slot(int64_t index) const { return values<int32_t>(1)[index]; }
};

/// Takes over an array of the C interface: every level shares its ownership. Throws Error (Input)
/// with the path for one whose buffers and children are not those of the type, whose children are
/// too short, whose offsets fall or pass the end of the items, or whose views, indices and unions
/// name a buffer, an element or an alternative that does not exist.
Array import_array(ArrayHandle array, const Type& type);
/// Gives an array to the C interface; every level owns its share, so that children can be moved
/// out.
ArrayHandle export_array(const Array& array);

/// Returns elements [start, start + length) of the array, nothing copied.
Array slice(const Array& array, int64_t start, int64_t length);

/// A buffer being filled: 64-byte aligned, its size rounded up to 64 and the rest zero.
class Buffer {
 public:
  explicit Buffer(int64_t bytes);
  template <typename T>
  T* as() {
    return static_cast<T*>(data_);
  }
  const Owner& owner() const { return owner_; }

 private:
  void* data_;
  Owner owner_;
};

/// Bytes that grow, for values of unknown size.
class GrowingBytes {
 public:
  /// Returns room for `size` more bytes, which count as used.
  uint8_t* grow(int64_t size);
  void append(const void* data, int64_t size) {
    if (size > 0) std::memcpy(grow(size), data, static_cast<size_t>(size));
  }
  int64_t size() const { return size_; }
  const uint8_t* data() const { return data_.get(); }
  /// Hands the bytes to an array as its next buffer.
  void attach(Array& array);

 private:
  std::shared_ptr<uint8_t[]> data_;
  int64_t size_ = 0;
  int64_t capacity_ = 0;
};

/// Adds a buffer to the array, which keeps it alive.
void attach(Array& array, const Buffer& buffer, const void* data);
inline void attach(Array& array, Buffer& buffer) { attach(array, buffer, buffer.as<void>()); }

/// Counts the set bits of [offset, offset + length).
int64_t count_bits(const uint8_t* bits, int64_t offset, int64_t length);
/// Copies bits [offset, offset + length) to the start of `out`.
void copy_bits(const uint8_t* bits, int64_t offset, int64_t length, uint8_t* out);

/// Returns the validity bits, or null if the array has no validity buffer. Not for null, union and
/// run-end arrays.
inline const uint8_t* validity(const Array& array) {
  return array.null_count == 0 ? nullptr : static_cast<const uint8_t*>(array.buffers[0]);
}
inline bool is_valid(const Array& array, int64_t index) { return !array.is_null(index); }
/// Counts the nulls of the array's own validity bits.
int64_t count_nulls(const Array& array);

/// Starts an array as long as `in`, with offset 0 and the same validity: shared if the bits start
/// at a byte boundary, else copied.
Array start_like(const Array& in);
/// Starts an array of `length` without validity.
Array start(int64_t length);

/// Makes an array of nulls (of zeros, at levels that have no validity) of any type.
Array null_array(const Type& type, int64_t length);

/// Returns how many buffers an array of this kind has, variadic ones of views aside.
int buffer_count(Kind kind);
/// Returns false for the kinds whose arrays have no validity buffer: null, unions, run-end.
bool has_validity(Kind kind);

/// Copies the validity so that it can be changed; one bit each at offset 0.
Buffer writable_validity(const Array& in);

}  // namespace xwalk::hub
