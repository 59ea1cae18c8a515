#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "xwalk/variant/fault.h"

namespace xwalk::variant {

/// Loads an unsigned integer of 1 to 4 bytes.
inline uint32_t load_unsigned(const char* bytes, int size) {
  uint32_t value = 0;
  for (int i = size; i-- > 0;) value = value << 8 | static_cast<unsigned char>(bytes[i]);
  return value;
}

/// The dictionary of field names of a VARIANT.
class Metadata {
 public:
  /// Returns how many bytes at the beginning are metadata, or nothing if they end too early or
  /// have another version. Reads the sizes alone.
  static std::optional<size_t> size_in(std::string_view bytes);

  /// Checks the bytes and keeps a copy of them, unless they equal those read before. Every name is
  /// UTF-8, and the names are unique and in order if the header says so.
  Outcome read(std::string_view bytes);

  uint32_t size() const { return size_; }
  /// Returns the name of a field id below `size()`.
  std::string_view name(uint32_t id) const {
    const uint32_t begin = offset(id);
    return {names_ + begin, offset(id + 1) - begin};
  }

 private:
  uint32_t offset(uint32_t id) const {
    return load_unsigned(offsets_ + static_cast<size_t>(id) * static_cast<size_t>(width_), width_);
  }
  Outcome check();

  std::string bytes_;
  /// Whether `bytes_` were checked.
  bool good_ = false;
  int width_ = 1;
  uint32_t size_ = 0;
  const char* offsets_ = nullptr;
  const char* names_ = nullptr;
};

}  // namespace xwalk::variant
