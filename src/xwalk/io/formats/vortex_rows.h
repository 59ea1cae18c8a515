#pragma once

#include <memory>
#include <string>
#include <string_view>

#include "xwalk/hub/batch.h"
#include "xwalk/hub/type.h"
#include "xwalk/io/engines/program_engine.h"

namespace xwalk::io {

/// Key of the slot in a file's postscript for facts that Vortex cannot store: an Arrow schema (IPC
/// form) with the metadata of fields, annotations among it.
inline constexpr std::string_view kVortexSlot = "xwalk:arrow-schema";

/// Reads the Arrow schema of a `.vortex` file's bytes: its dtype, with the metadata of the slot if
/// that still describes the types. No engine needed.
hub::Schema vortex_schema(std::string_view file);

}  // namespace xwalk::io
