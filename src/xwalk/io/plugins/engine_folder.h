#pragma once

#include <string>

namespace xwalk::io {

/// Names the folder of the plugin libxwalk_parquet.so and of the engine programs, for a program
/// that is not installed next to them: it is searched before the places of an installation. The
/// CMake package defines XWALK_ENGINE_FOLDER as the one that came with it. To be called before the
/// first file is opened. Throws Error (Usage) for a path that is not absolute.
void set_engine_folder(const std::string& folder);

/// Returns that folder, "" if none is set.
const std::string& engine_folder();

}  // namespace xwalk::io
