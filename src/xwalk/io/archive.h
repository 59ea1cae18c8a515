#pragma once

#include <string>

#include "xwalk/io/open.h"

// Archives of tables that the program `ytclone` makes of a cluster: a folder for each table, with a
// manifest in JSON, the attributes of the table, and parts of YSON or Skiff compressed by zstd.
namespace xwalk::io {

/// Returns whether a folder, on disk or in a store, is the archive of one table, a file or a
/// document: it has a manifest.
bool is_archive(const std::string& path, const StorageOptions& storage);

/// Opens the rows of the generation that the manifest of an archive names, by the schema of its
/// attributes. What the parts hold is held against the manifest: their sizes when they are opened,
/// the SHA-256 of each at its end, the number of rows at the end of all. Throws Error: Input for a
/// manifest that is none or does not fit what is there, Unsupported for what is newer, encrypted or
/// no table.
Input open_archive(const std::string& path, const InputOptions& options);

}  // namespace xwalk::io
