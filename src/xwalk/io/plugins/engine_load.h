#pragma once

#include <string>

struct XwalkEngine;
struct XwalkStore;

namespace xwalk::io {

/// An engine in this process and the file it came from.
struct LoadedEngine {
  const XwalkEngine* engine;
  std::string path;
};

/// Loads the plugin `lib<name>.so`, which is never unloaded. Throws Error (Io) in one sentence that
/// names what to install if it is missing, does not load or has another version.
LoadedEngine load_engine(const std::string& name);

/// Loads the plugin `libxwalk_stores.so`; the same otherwise.
const XwalkStore* load_stores();

/// Ends the process if `exit` would hang, else returns. A library whose static objects throw, as
/// they do without memory, leaves the system's loader locked by the thread that loaded it, and
/// `exit` needs the loader.
void end_past_loader(int code);

}  // namespace xwalk::io
