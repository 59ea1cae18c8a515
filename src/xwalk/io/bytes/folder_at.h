#pragma once

#include <cstddef>
#include <string>
#include <sys/stat.h>
#include <sys/types.h>
#include <utility>
#include <vector>

namespace xwalk::io {

/// A file or folder that is opened by its name in an open folder. A link is never followed.
class FileAt {
 public:
  FileAt() = default;
  /// Opens with flags of open(2), or is empty if that fails.
  FileAt(int folder, const char* name, int flags, mode_t mode = 0);
  /// Opens a path that the user has named, and follows links.
  static FileAt followed(const char* path, int flags);
  ~FileAt();
  FileAt(FileAt&& other) noexcept : descriptor_(std::exchange(other.descriptor_, -1)) {}
  FileAt& operator=(FileAt&& other) noexcept {
    std::swap(descriptor_, other.descriptor_);
    return *this;
  }

  explicit operator bool() const { return descriptor_ >= 0; }
  int descriptor() const { return descriptor_; }

 private:
  int descriptor_ = -1;
};

/// Opens a folder. Links in the first bytes of its path, which the user gave, are followed; none in
/// the rest. With `made`, missing folders of the rest are made, and their paths are added to it,
/// the outer one first. Empty, with errno, if that fails.
FileAt open_folder(const std::string& path, size_t given, std::vector<std::string>* made = nullptr);

/// Folders that a run makes, which do not stay if nothing stays in them.
class MadeFolders {
 public:
  MadeFolders();
  MadeFolders(const MadeFolders&) = delete;
  MadeFolders& operator=(const MadeFolders&) = delete;
  ~MadeFolders();

  /// Opens a folder as `open_folder` does, and makes what is missing of it. Throws Error
  /// (Interrupted) after `abandon_folders`.
  FileAt open(const std::string& path, size_t given);

 private:
  friend void abandon_folders();
  void remove() const;

  std::vector<std::string> made_;
};

/// Removes the empty folders of all MadeFolders, which make no more, as a process that ends without
/// their destructors does.
void abandon_folders();

/// Returns the names in an open folder; none if it cannot be read.
std::vector<std::string> names_at(int folder);

/// Returns true if a name in an open folder still is the file with this status.
bool is_still_at(int folder, const char* name, const struct stat& status);

/// Removes all that is in an open folder. Links are removed, not followed. Folders of other file
/// systems stay as they are.
void remove_contents(int folder);

}  // namespace xwalk::io
