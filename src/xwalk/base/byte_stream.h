#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace xwalk {

/// A run of bytes.
struct ByteRange {
  uint64_t offset = 0;
  uint64_t size = 0;
};

/// Bytes to read, from a file, a pipe, a decompressor or memory. What a path means is `io/`'s
/// business.
class ByteSource {
 public:
  virtual ~ByteSource() = default;
  /// Fills up to `size` bytes and returns how many; 0 means the end. Throws Error (Io).
  virtual size_t read(char* out, size_t size) = 0;
  /// Returns the name for messages: a path, or "<stdin>".
  virtual const std::string& name() const = 0;
  /// Returns the whole contents if they are in memory (a mapped file), valid as long as the source.
  /// A reader that gets them need not call `read`.
  virtual std::optional<std::string_view> contents() { return std::nullopt; }
  /// Returns true where others may change the contents meanwhile, as those of a mapped file: who
  /// looks at bytes twice has to `read` them.
  virtual bool may_change() const { return false; }
  /// Declares that a part of the contents is no longer needed: it counts in `position`, and its
  /// memory may be freed (the bytes stay readable). Thread-safe.
  virtual void consumed(uint64_t /*offset*/, uint64_t /*size*/) {}
  /// Returns bytes consumed and, where known, to be consumed in all, of the file as it is stored.
  virtual uint64_t position() const = 0;
  virtual std::optional<uint64_t> size() const { return std::nullopt; }
};

/// Bytes to write.
class ByteSink {
 public:
  virtual ~ByteSink() = default;
  /// Throws Error (Io).
  virtual void write(std::string_view bytes) = 0;
  /// Completes the output; without it, a file never appears under its name.
  virtual void finish() = 0;
  virtual uint64_t position() const = 0;
};

}  // namespace xwalk
