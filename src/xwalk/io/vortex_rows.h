#pragma once

#include <memory>
#include <string>
#include <string_view>

#include "xwalk/hub/batch.h"
#include "xwalk/hub/type.h"
#include "xwalk/io/engine_rows.h"
#include "xwalk/io/sink.h"

namespace xwalk::io {

/// Key of the slot in a file's postscript that keeps what Vortex has no place for: an Arrow schema
/// (IPC form) with the metadata of fields, annotations among it.
inline constexpr std::string_view kVortexSlot = "xwalk:arrow-schema";

/// Reads the Arrow schema of a `.vortex` file's bytes: its dtype, with the metadata of the slot
/// wherever that still describes the types. No engine needed.
hub::Schema vortex_schema(std::string_view file);

/// Opens the rows of a file, by the program xwalk-engine-vortex.
std::unique_ptr<hub::BatchReader> open_vortex(const ProgramReadOptions& options);

/// Opens a file for rows of a hub schema that Vortex takes, by the engine: see `ProgramSink`.
/// `labels` is a schema whose metadata is to be kept in the slot (usually the same one, before
/// Vortex's types took the metadata away); an empty one writes no slot. The file gets its name in
/// `finish`, or with the others of a set, and replaces another one only if the mode is Overwrite;
/// an object of a store is written as a file first.
std::unique_ptr<hub::BatchWriter> write_vortex(const std::string& path, const hub::Schema& schema,
                                               const hub::Schema& labels,
                                               const SinkOptions& options = {},
                                               bool separate_engine = false);

}  // namespace xwalk::io
