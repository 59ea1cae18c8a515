#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "xwalk/hub/batch.h"
#include "xwalk/io/engine_rows.h"
#include "xwalk/lance/evolution.h"
#include "xwalk/lance/file.h"

namespace xwalk::io {

/// Returns true for a folder, also of a store, that holds a dataset.
bool is_lance_dataset(const std::string& path, const StorageOptions& storage = {});

/// Lists the versions of a dataset, oldest first. Throws Error (Io) for a folder that
/// cannot be read, Error (Input) for one that is no dataset.
std::vector<lance::Version> lance_versions(const std::string& folder,
                                           const StorageOptions& storage = {});

/// Reads the manifest of a version, the latest where none is given; no engine needed. Throws Error:
/// Usage for a version that is not there, with those that are.
lance::Manifest read_lance_manifest(const std::string& folder, std::optional<uint64_t> version = {},
                                    const StorageOptions& storage = {});

/// Reads what the evolution of a version depends on: its schema and the ids in its files. Throws as
/// above.
lance::EvolutionState read_lance_evolution_state(const std::string& folder,
                                                 std::optional<uint64_t> version = {},
                                                 const StorageOptions& storage = {});

/// Reads the schema of a dataset or of one data file; no engine needed.
lance::Schema read_lance_schema(const std::string& path, std::optional<uint64_t> version = {},
                                const StorageOptions& storage = {});

}  // namespace xwalk::io
