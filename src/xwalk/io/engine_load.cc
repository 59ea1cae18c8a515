#include "xwalk/io/engine_load.h"

#include <dlfcn.h>
#include <filesystem>

#include <fmt/format.h>

#include "xwalk/base/error.h"
#include "xwalk/io/engine_abi.h"
#include "xwalk/io/engine_file.h"

// Alone in its file: a statically linked program has another one in its place, see static/.

namespace xwalk::io {

LoadedEngine load_engine(const std::string& name) {
  std::string file = "lib" + name + ".so";
  std::filesystem::path found = find_engine_file(file);
  if (found.empty()) {
    throw Error(ErrorCode::Io,
                fmt::format("Parquet and Arrow IPC data need the plugin {}, which is not installed "
                            "beside xwalk",
                            file),
                {}, "pip install \"xwalk[parquet]\", or build with XWALK_BUILD_PARQUET=ON.");
  }
  void* library = ::dlopen(found.c_str(), RTLD_NOW | RTLD_LOCAL);
  if (library == nullptr) {
    const char* reason = ::dlerror();
    throw Error(ErrorCode::Io,
                fmt::format("the plugin {} does not load, install pyarrow of the release it was "
                            "built with: {}",
                            found.string(), reason == nullptr ? "" : reason));
  }
  auto entry = reinterpret_cast<XwalkEngineEntry>(::dlsym(library, "xwalk_engine_v1"));
  const XwalkEngine* engine = entry == nullptr ? nullptr : entry();
  if (engine == nullptr || engine->version != XWALK_ENGINE_VERSION) {
    throw Error(
        ErrorCode::Io,
        fmt::format("the plugin {} speaks version {} of the engine contract and this xwalk "
                    "version {}: install both from one release",
                    found.string(), engine == nullptr ? 0 : engine->version, XWALK_ENGINE_VERSION));
  }
  return {engine, found.string()};
}

}  // namespace xwalk::io
