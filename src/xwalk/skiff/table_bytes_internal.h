#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>

namespace xwalk::skiff {

/// A place of a value that is absent.
inline constexpr uint32_t kNoPlace = 0xFFFFFFFF;
/// Strings up to here are copied in one step.
inline constexpr size_t kStep = 32;
/// Bytes that are read after the tag or the fixed bytes of a field: a length and a step of a
/// string.
inline constexpr size_t kFieldBytes = sizeof(uint32_t) + kStep;
/// Items of lists from where on a block is cut, however few its rows are.
inline constexpr size_t kMostItems = size_t{64} << 10;

template <typename T>
T load(const char* at) {
  T value;
  std::memcpy(static_cast<void*>(&value), at, sizeof(T));
  return value;
}

inline size_t bytes_left(const char* at, const char* end) { return static_cast<size_t>(end - at); }

}  // namespace xwalk::skiff
