#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "xwalk/hub/batch.h"
#include "xwalk/hub/type.h"
#include "xwalk/io/engine_rows.h"
#include "xwalk/io/sink.h"
#include "xwalk/lance/evolution.h"
#include "xwalk/lance/file.h"

namespace xwalk::io {

/// Returns true for a folder that holds a dataset.
bool is_lance_dataset(const std::string& path);

/// Lists the versions of a dataset on disk, oldest first. Throws Error (Io) for a folder that
/// cannot be read, Error (Input) for one that is no dataset.
std::vector<lance::Version> lance_versions(const std::string& folder);

/// Reads the manifest of a version, the latest where none is given; no engine needed. Throws Error:
/// Usage for a version that is not there, with those that are.
lance::Manifest read_lance_manifest(const std::string& folder,
                                    std::optional<uint64_t> version = {});

/// Reads what the evolution of a version depends on: its schema and the ids in its files. Throws as
/// above.
lance::EvolutionState read_lance_evolution_state(const std::string& folder,
                                                 std::optional<uint64_t> version = {});

/// Reads the schema of a dataset or of one data file; no engine needed.
lance::Schema read_lance_schema(const std::string& path, std::optional<uint64_t> version = {});

/// Opens the rows of a dataset or of one data file, by the program xwalk-engine-lance. Rows
/// have the schema that `lance::rows_to_arrow` gives: JSON comes as text, blobs as their structs.
std::unique_ptr<hub::BatchReader> open_lance(const ProgramReadOptions& options);

struct LanceWriteOptions {
  /// Create refuses a dataset that is there; the others begin one where there is none. Overwrite
  /// makes a new version and keeps the old ones.
  OutputMode mode = OutputMode::Create;
  /// Version of the data files, "2.0" … "2.3"; empty for pylance's own choice.
  std::string data_version;
  bool durable = false;
};

/// Opens a dataset for rows of a hub schema, by the program xwalk-engine-lance. The fields get the
/// ids, keys and metadata that the schema's annotations ask for. Nothing is seen of the rows before
/// `finish`, and without it the dataset is as it was. Appended rows are of the dataset's schema,
/// but for the order of columns and nullable ones that they lack; Throws Error (Unsupported) for
/// others.
std::unique_ptr<hub::BatchWriter> write_lance(const std::string& path, const hub::Schema& schema,
                                              const LanceWriteOptions& options = {});

}  // namespace xwalk::io
