#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "xwalk/lance/type.h"

namespace xwalk::lance {

/// One version of a dataset, as its file name in `_versions` tells.
struct Version {
  uint64_t number = 0;
  std::string file_name;

  friend bool operator==(const Version&, const Version&) = default;
};

/// The content of a version's manifest, without its fragments.
struct Manifest {
  Schema schema;
  uint64_t version = 0;
  uint64_t reader_flags = 0;
  uint64_t writer_flags = 0;
  /// The library that wrote it and its version, "" if not stated.
  std::string writer;
  /// The version of the data files: "0.1", "2.0" … "2.3".
  std::string data_version;
  /// The file in `_transactions` that describes how the version was made, "" if none is named.
  std::string transaction;
  /// The highest field id ever assigned, if the dataset never reuses ids.
  std::optional<int32_t> max_allocated_field_id;
};

/// What the end of one `.lance` data file says.
struct DataFile {
  Schema schema;
  uint16_t major = 0;
  uint16_t minor = 0;
  /// Rows, where the file tells (2.x).
  std::optional<uint64_t> rows;
};

/// Lists a dataset's versions from the names in its folder `_versions`, oldest first. Both ways of
/// naming are read ("5.manifest", and 20 digits that count down); a folder that mixes them is
/// refused, as Lance does. Detached versions and other files are skipped.
std::vector<Version> list_versions(const std::vector<std::string>& file_names);

/// Reads a manifest file. Throws Error (Input) with the byte for a truncated file, wrong magic or
/// an offset that lies; Error (Unsupported) naming the bits for reader flags newer than this
/// version of xwalk.
Manifest read_manifest(std::string_view file);

/// The ids of the columns that a version's data files hold.
struct DataFileFields {
  /// One list per file, equal lists once; -2 for a column that moved to a newer file.
  std::vector<std::vector<int32_t>> ids;
  bool has_fragments = false;
};

/// Reads them out of a manifest file; goes over all of its fragments. Throws as above.
DataFileFields read_data_file_fields(std::string_view file);

/// Reads the schema of one data file: 2.x or legacy, told apart by the version at its end.
DataFile read_data_file(std::string_view file);

/// Facts that a version states about its rows.
struct Fragments {
  uint64_t count = 0;
  /// Rows that are not deleted; empty if a fragment does not state it.
  std::optional<uint64_t> rows;
  /// Bytes of the data files; empty if a file's size is not stated.
  std::optional<uint64_t> bytes;
  /// One above the number of every fragment that a version has had, as far as this one states it.
  uint64_t next_number = 0;
};

/// Reads them out of a manifest file; goes over all fragments. Throws as above.
Fragments read_fragments(std::string_view file);

/// Fetches a range of a file.
using Need = std::function<void(uint64_t offset, uint64_t size)>;

/// Requests the bytes that `read_manifest` needs from a file whose last 64 KiB are available.
/// Invalid files are ignored here, because reading reports them.
void need_manifest(std::string_view file, const Need& need);

/// The same for `read_data_file`: the descriptor of a 2.x file, all of a legacy one.
void need_data_file(std::string_view file, const Need& need);

}  // namespace xwalk::lance
