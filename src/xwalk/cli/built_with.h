#pragma once

#include <string>

namespace xwalk::cli {

/// Returns what the program was built with, in lines: version, compiler and processor, libraries
/// with their versions, formats of rows, and the plugin that it would load.
std::string built_with();

/// Returns the name and the version of the plugin for Parquet and Arrow files, or why it cannot be
/// loaded.
std::string plugin_text();

}  // namespace xwalk::cli
