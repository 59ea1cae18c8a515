#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "xwalk/io/bytes/location.h"
#include "xwalk/io/bytes/store.h"
#include "xwalk/io/formats/format.h"
#include "xwalk/io/formats/options.h"
#include "xwalk/io/formats/partition_names.h"

namespace xwalk::io {

/// The key and value in the name of a folder `day=2024-01-01`.
struct PartitionValue {
  std::string key;
  /// Nothing for null: `day=__HIVE_DEFAULT_PARTITION__`.
  std::optional<std::string> value;
};

/// Returns the keys and values of a path's folders, outermost first.
std::vector<PartitionValue> partition_of(std::string_view path);

/// A file of an input, or a dataset that is a folder itself.
struct InputFile {
  Location path;
  /// The keys and values of the folders between the named one and the file, outermost first.
  std::vector<PartitionValue> partition;
  /// The path below the folder that was named, or below where a pattern becomes one; else the name
  /// of the file.
  std::string below;
};

/// The files that paths stand for.
struct InputFiles {
  std::vector<InputFile> files;
  /// The format of the files of one folder; empty if the folder has no files.
  std::optional<Format> format;
  /// Files of a folder that are of another format than the others, or of none, and links to folders
  /// that were entered already.
  std::vector<std::string> left_aside;
  /// Whether files were found in folders, and none of the paths is a pipe.
  bool listed = false;
  /// The columns of keys whose types are known from more files than these.
  std::vector<hub::Field> keys = {};
};

/// Returns true for a name that is ignored in folders: one that begins with `.` or `_`.
bool is_hidden(std::string_view name);

/// Returns why a file or a link was left aside, as the end of a sentence.
std::string_view reason_of_leaving(const Location& path);

/// Finds the files of one format in a folder and in the folders below it, by name; names that begin
/// with `.` or `_` are skipped. Without a format all that have one must have the same. Throws
/// Error: Io for a folder that cannot be read, Usage for files of several formats, and for a table
/// of another system.
InputFiles files_in(const Location& folder, std::optional<Format> format,
                    const StorageOptions& storage = {});

/// Finds the files `.schema` in a folder without rows and in the folders below it, by name, as
/// `files_in` does. A folder with rows has none.
std::vector<InputFile> schema_files_in(const Location& folder, const StorageOptions& storage = {});

/// Returns true if a path is a pattern and not the name of an existing file.
bool is_pattern(const Location& path, const StorageOptions& storage = {});

/// Appends a slash to names in stores that are folders and not objects.
Locations with_folders_named(Locations paths, const StorageOptions& storage);

/// Returns `open(paths)`. If a name in a store turns out to be no object there, it is opened as a
/// folder.
template <typename Open>
auto open_names(const Locations& paths, const StorageOptions& storage, const Open& open) {
  try {
    return open(paths);
  } catch (const NoSuchObject&) {
    const Locations folders = with_folders_named(paths, storage);
    if (folders == paths) throw;
    return open(folders);
  }
}

/// Finds the files that paths mean, in order: a file, a folder, or a pattern, of a disk or a store.
/// In a pattern `*`, `?` and `[a-z]` stand for characters between two `/`, `**` for any folders. A
/// name in a store without a slash at its end is assumed to be an object, which saves a request;
/// see `open_names`. Only the options `format`, `partitions` and `storage` matter. Throws the
/// errors of `files_in`, Io for a pattern without matches, Usage for a folder without such files,
/// and for several files of another system's table, unless the format is given and `partitions` is
/// false.
InputFiles input_files(const Locations& paths, const InputOptions& options);

}  // namespace xwalk::io
