#pragma once

#include <cstdint>
#include <cstring>
#include <memory>
#include <string_view>
#include <vector>

#include "xwalk/hub/handle.h"
#include "xwalk/parquet/type.h"

namespace xwalk::parquet {

/// An Arrow array taken apart: buffers that can go into other arrays, each kept alive by whoever
/// owns it. Copies share the buffers.
struct Column {
  int64_t length = 0;
  int64_t offset = 0;
  /// -1 where it is not known.
  int64_t null_count = -1;
  /// As the C data interface orders them: validity, then offsets or values, then bytes.
  std::vector<const void*> buffers;
  std::vector<std::shared_ptr<const void>> owners;
  std::vector<Column> children;
  /// The values of 32-bit indices, or null.
  std::shared_ptr<const Column> dictionary;

  template <typename T>
  const T* values() const {
    return static_cast<const T*>(buffers[1]);
  }
  const int32_t* offsets() const { return static_cast<const int32_t*>(buffers[1]); }
  const char* bytes() const { return static_cast<const char*>(buffers[2]); }

  bool has_nulls() const { return null_count != 0 && !buffers.empty() && buffers[0] != nullptr; }
  /// `index` counts from the column's own offset.
  bool valid(int64_t index) const {
    if (buffers.empty() || buffers[0] == nullptr) return true;
    int64_t bit = offset + index;
    return ((static_cast<const uint8_t*>(buffers[0])[bit >> 3] >> (bit & 7)) & 1) != 0;
  }
  std::string_view value(int64_t index) const {
    const int32_t* at = offsets() + offset + index;
    return {bytes() + at[0], static_cast<size_t>(at[1] - at[0])};
  }

  /// Bytes of a value, of a fixed size or not.
  std::string_view value_or_fixed(int64_t index, PhysicalType physical, int32_t width) const;

  /// Replaces a buffer by one that is owned here.
  void set_buffer(size_t index, std::shared_ptr<const void> buffer) {
    if (buffers.size() <= index) buffers.resize(index + 1, nullptr);
    buffers[index] = buffer.get();
    owners.push_back(std::move(buffer));
  }
  /// Moves the start of the values without touching buffers; for lists whose offsets are folded.
  void advance(int64_t by, int64_t new_length) {
    offset += by;
    length = new_length;
    if (by != 0) null_count = -1;
  }
};

/// Takes an array apart. The array stays whole behind it until the last buffer is let go.
Column take_apart(hub::ArrayHandle array);

/// Puts an array together.
hub::ArrayHandle put_together(Column column);

/// Returns memory for `size` bytes and some slack, aligned to 64 bytes, not initialised.
std::shared_ptr<void> allocate(size_t size);

}  // namespace xwalk::parquet
