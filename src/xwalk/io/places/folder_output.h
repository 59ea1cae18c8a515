#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <unordered_set>
#include <vector>

#include "xwalk/io/bytes/atomic_path.h"
#include "xwalk/io/formats/options.h"
#include "xwalk/io/places/input_files.h"

namespace xwalk::io {

/// Makes a folder, and the folders in it that a file below needs. Throws Error (Io) for one in it
/// that is a link.
void make_folders(const Location& root, const std::string& below);

/// A folder of files that appears when all of them are complete. On a disk it is written under a
/// temporary name and renamed. In a store, which has no rename, its objects are sent under hidden
/// names. They get their final names when all are complete. A manifest of them, next to the folder,
/// comes last.
class FolderOutput {
 public:
  /// Append adds files to the existing ones, all at the end. Overwrite replaces them. Throws Error
  /// as `folder_place` does.
  FolderOutput(Location folder, const InputFiles& there, const OutputOptions& options);
  ~FolderOutput();
  FolderOutput(const FolderOutput&) = delete;
  FolderOutput& operator=(const FolderOutput&) = delete;

  const Location& folder() const { return folder_; }
  /// Returns true if other processes may have written, or write, files of the usual names there.
  bool shares_names() const { return shares_names_; }
  /// Returns where a file of the folder is written, with what its writer is opened with; makes the
  /// folders above it. Throws Error (Io).
  Location begin(const std::string& below, OutputOptions* options);
  /// Notes a file that is complete.
  void wrote(const std::string& below, uint64_t rows, uint64_t bytes);
  /// Gives all their names, or adds them to the set of the options.
  void finish();

 private:
  void write_manifest();
  void replace();

  struct File {
    std::string below;
    uint64_t rows;
    uint64_t bytes;
  };

  Location folder_;
  OutputMode mode_;
  bool durable_;
  StorageOptions storage_;
  OutputSet own_;
  OutputSet* set_;
  bool shares_names_;
  /// Null in a store, and where files are added to a folder.
  std::unique_ptr<AtomicPath> staged_;
  Location root_;
  /// In a store: the paths of the existing objects, and those of the run.
  std::unordered_set<std::string> before_;
  std::vector<File> files_;
};

}  // namespace xwalk::io
