#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>

namespace xwalk {

/// Bytes that can be read at any place: a file, or memory. Meant for formats that keep their schema
/// in a footer, where reading the whole file would be waste.
class RandomAccess {
 public:
  virtual ~RandomAccess() = default;
  virtual uint64_t size() const = 0;
  /// Returns the bytes from `offset` on. Throws Error (Input) if the range is not within the bytes,
  /// Error (Io) if they cannot be read.
  virtual std::string read(uint64_t offset, uint64_t size) const = 0;
  /// Returns the name for messages: a path, or "<memory>".
  virtual const std::string& name() const = 0;
};

/// Opens a file. Throws Error (Io).
std::unique_ptr<RandomAccess> open_random_access(const std::string& path);

/// Wraps bytes in memory, which must live as long as the result.
std::unique_ptr<RandomAccess> memory_access(std::string_view bytes, std::string name = "<memory>");

}  // namespace xwalk
