#pragma once

#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <string_view>

#include "xwalk/iceberg/table.h"
#include "xwalk/io/bytes/location.h"

namespace xwalk::io {

class IdleEngine;

/// The engine of Iceberg tables, and the package that it works with.
inline constexpr std::string_view kIcebergEngine = "iceberg";
inline constexpr std::string_view kIcebergPackage = "pyiceberg";

/// A table at one of its versions, and where its metadata is.
struct IcebergPlace {
  iceberg::TableVersion table;
  /// The file of the metadata.
  std::string metadata;
  /// The local folder of the table, which its files must be in; "" for one of a catalog or a store.
  std::string folder;
  /// The engine that answers about the table and reads it.
  std::shared_ptr<IdleEngine> engine;
};

/// Returns true for the local folder of a table, which has `metadata/….metadata.json`.
bool is_iceberg_table(const Location& path, const StorageOptions& storage = {});

/// Returns the current metadata file of the folder of a table: the one that `version-hint.text`
/// leads to, else the one with the highest number. Throws Error: Io for a folder that cannot be
/// read, Input if none or several are the newest.
std::string iceberg_metadata_in(const std::string& folder);

/// Reads what a table is: one of a catalog, `iceberg://CATALOG/namespace.table`, its local folder,
/// or its metadata file. `version` as `iceberg::read_table` takes it. Throws Error.
IcebergPlace iceberg_place(const Location& path, const std::optional<std::string>& version,
                           const StorageOptions& storage);

/// Tables that were looked up, each once. Thread-safe.
class IcebergTables {
 public:
  /// Returns what `iceberg_place` returned for a name at first. Throws as it does.
  std::shared_ptr<const IcebergPlace> find(const Location& path,
                                           const std::optional<std::string>& version,
                                           const StorageOptions& storage);

 private:
  std::mutex mutex_;
  std::map<std::string, std::shared_ptr<const IcebergPlace>> found_;
};

}  // namespace xwalk::io
