#pragma once

#include <cstddef>
#include <cstdint>
#include <string>

namespace xwalk::io {

/// A file in the folder that TMPDIR names. It has no name, and disappears with its descriptor,
/// however the process ends.
class TemporaryFile {
 public:
  /// Throws Error (Io).
  TemporaryFile();
  ~TemporaryFile();
  TemporaryFile(TemporaryFile&& other) noexcept;
  TemporaryFile& operator=(TemporaryFile&&) = delete;

  /// Adds bytes. Throws Error (Io).
  void write(const void* bytes, size_t size);
  uint64_t size() const { return size_; }
  /// Returns the descriptor, and gives it away.
  int release();

 private:
  std::string folder_;
  int descriptor_ = -1;
  uint64_t size_ = 0;
};

}  // namespace xwalk::io
