#pragma once

#include <bit>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <cstring>

namespace xwalk {

namespace internal {

template <std::integral T>
constexpr T byte_swapped(T value) {
  if constexpr (sizeof(T) == 2)
    return static_cast<T>(__builtin_bswap16(static_cast<uint16_t>(value)));
  if constexpr (sizeof(T) == 4)
    return static_cast<T>(__builtin_bswap32(static_cast<uint32_t>(value)));
  if constexpr (sizeof(T) == 8)
    return static_cast<T>(__builtin_bswap64(static_cast<uint64_t>(value)));
  return value;
}

}  // namespace internal

/// Returns a native integer as one whose first byte in memory is the least, or the most,
/// significant one; and the way back. Integers have 1, 2, 4 or 8 bytes, here and below.
template <std::integral T>
constexpr T to_little_endian(T value) {
  return std::endian::native == std::endian::little ? value : internal::byte_swapped(value);
}
template <std::integral T>
constexpr T to_big_endian(T value) {
  return std::endian::native == std::endian::big ? value : internal::byte_swapped(value);
}

/// Loads an integer from bytes of any alignment.
template <std::integral T>
T load_little_endian(const void* bytes) {
  T value;
  std::memcpy(&value, bytes, sizeof(T));
  return to_little_endian(value);
}
template <std::integral T>
T load_big_endian(const void* bytes) {
  T value;
  std::memcpy(&value, bytes, sizeof(T));
  return to_big_endian(value);
}

/// Stores an integer at bytes of any alignment.
template <std::integral T>
void store_little_endian(T value, char* bytes) {
  value = to_little_endian(value);
  std::memcpy(bytes, &value, sizeof(T));
}
template <std::integral T>
void store_big_endian(T value, char* bytes) {
  value = to_big_endian(value);
  std::memcpy(bytes, &value, sizeof(T));
}

}  // namespace xwalk
