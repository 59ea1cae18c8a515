#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

namespace xwalk {

/// Computes the SHA-256 of bytes that come in runs (FIPS 180-4), by the instructions for it where
/// the processor has them.
class Sha256 {
 public:
  void add(std::string_view bytes);
  /// Returns the sum of all bytes in hexadecimal digits; nothing can be added behind.
  std::string finish();

 private:
  static constexpr size_t kBlock = 64;

  std::array<uint32_t, 8> state_ = {0x6a09e667, 0xbb67ae85, 0x3c6ef372, 0xa54ff53a,
                                    0x510e527f, 0x9b05688c, 0x1f83d9ab, 0x5be0cd19};
  std::array<char, kBlock> rest_ = {};
  uint64_t size_ = 0;
};

}  // namespace xwalk
