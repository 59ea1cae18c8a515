#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "xwalk/hub/batch.h"
#include "xwalk/io/engines/program_engine.h"
#include "xwalk/io/formats/lance_place.h"
#include "xwalk/lance/evolution.h"
#include "xwalk/lance/file.h"

namespace xwalk::io {

/// Reads the manifest of a version, by default the latest. Needs no engine. Throws Error: Usage for
/// a missing version, listing the existing ones; Unsupported for links that do not lead
/// into `followed`.
lance::Manifest read_lance_manifest(const Location& folder, std::optional<uint64_t> version = {},
                                    const StorageOptions& storage = {},
                                    const Locations& followed = {});

/// Reads what the evolution of a version depends on: its schema and the ids in its files. `version`
/// as `lance_place` takes it. Throws as above.
lance::EvolutionState read_lance_evolution_state(const Location& folder,
                                                 const std::optional<std::string>& version = {},
                                                 const StorageOptions& storage = {});

/// Reads the schema of a dataset or of one data file; no engine needed. `version` as `lance_place`
/// takes it. Links in the dataset are refused unless they lead into `followed`.
lance::Schema read_lance_schema(const Location& path,
                                const std::optional<std::string>& version = {},
                                const StorageOptions& storage = {}, const Locations& followed = {});

}  // namespace xwalk::io
