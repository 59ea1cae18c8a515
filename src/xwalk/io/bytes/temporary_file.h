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

/// An empty folder of this user alone: in memory if the system has a folder for that, else in the
/// folder that TMPDIR names. It is removed with all in it at the end.
class TemporaryFolder {
 public:
  /// Throws Error (Io).
  TemporaryFolder();
  ~TemporaryFolder();
  TemporaryFolder(const TemporaryFolder&) = delete;
  TemporaryFolder& operator=(const TemporaryFolder&) = delete;

  /// Returns the absolute path.
  const std::string& path() const { return path_; }

 private:
  std::string path_;
};

}  // namespace xwalk::io
