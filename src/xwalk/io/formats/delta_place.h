#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "xwalk/delta/type.h"
#include "xwalk/io/bytes/location.h"

namespace xwalk::io {

class IdleEngine;

/// The engine of Delta tables, and the package that it works with.
inline constexpr std::string_view kDeltaEngine = "delta";
inline constexpr std::string_view kDeltaPackage = "deltalake";

/// A table at one of its versions.
struct DeltaPlace {
  delta::Schema schema;
  uint64_t version = 0;
  /// The columns that the table is partitioned by.
  std::vector<std::string> partitions;
  /// What the log states: rows (nothing if it does not, or if vectors delete some), bytes and files
  /// of data.
  std::optional<uint64_t> rows;
  uint64_t bytes = 0;
  uint64_t files = 0;
  /// The program that made the version, if it states it.
  std::string writer;
  /// The engine that has described the table, to read it.
  std::shared_ptr<IdleEngine> engine;
};

/// Returns true for the local folder of a table, which has `_delta_log`.
bool is_delta_table(const Location& path, const StorageOptions& storage = {});

/// Returns the name of a table's folder as the engine takes it. Throws Error (Unsupported) for one
/// in a store.
std::string delta_folder(const Location& path);

/// Parses what the engine says about a table. Throws Error (Io, Input).
DeltaPlace parse_delta_place(const std::string& description, const Location& path);

/// Asks the engine what a table is at a version: a number, or a time, `2026-11-30` or
/// `2026-11-30T12:00:00.5Z`, whose version was the latest then. Throws Error.
DeltaPlace delta_place(const Location& path, const std::optional<std::string>& version);

/// Tables that were looked up, each once. Thread-safe.
class DeltaTables {
 public:
  /// Returns what `delta_place` returned for a name at first. Throws as it does.
  std::shared_ptr<const DeltaPlace> find(const Location& path,
                                         const std::optional<std::string>& version);

 private:
  std::mutex mutex_;
  std::map<std::string, std::shared_ptr<const DeltaPlace>> found_;
};

}  // namespace xwalk::io
