#include "xwalk/io/plugins/engine_load.h"

#include <atomic>
#include <cstdio>
#include <cstdlib>
#include <dlfcn.h>
#include <exception>
#include <mutex>
#include <unistd.h>

#include <fmt/format.h>

#include "xwalk/base/error.h"
#include "xwalk/io/plugins/engine_abi.h"
#include "xwalk/io/plugins/engine_file.h"
#include "xwalk/io/plugins/store_abi.h"

// Alone in its file: a statically linked program has another one in its place, see static/.

namespace xwalk::io {
namespace {

std::atomic<bool> loader_is_locked = false;

/// Loads a library. Once its static objects have thrown, every later call gets the same error,
/// because another thread that called the loader would wait forever.
void* open_library(const std::string& path) {
  static std::mutex mutex;
  static std::exception_ptr thrown;
  const std::lock_guard guard(mutex);
  if (thrown) std::rethrow_exception(thrown);
  // Declared to throw nothing, which would end the process here.
  void* (*volatile open)(const char*, int) = ::dlopen;
  try {
    return open(path.c_str(), RTLD_NOW | RTLD_LOCAL);
  } catch (...) {
    thrown = std::current_exception();
    loader_is_locked = true;
#ifdef __GLIBC__
    // If even this is refused, a program that links xwalk still ends on its own.
    (void)::on_exit([](int code, void*) { end_past_loader(code); }, nullptr);
#endif
    throw;
  }
}

/// Loads a plugin and returns what its one function gives; `what` needs it.
template <typename Entry>
auto load(const std::string& file, const char* symbol, int version, std::string_view what,
          std::string* path) {
  *path = find_engine_file(file);
  if (path->empty()) {
    throw Error(
        ErrorCode::Io,
        fmt::format("{} need the plugin {}, which is not installed beside xwalk", what, file), {},
        "Install the wheel xwalk_parquet, or build with XWALK_BUILD_PARQUET=ON.");
  }
  void* library = open_library(*path);
  if (library == nullptr) {
    const char* reason = ::dlerror();
    throw Error(ErrorCode::Io,
                fmt::format("the plugin {} does not load, install pyarrow of the release it was "
                            "built with: {}",
                            *path, reason == nullptr ? "" : reason));
  }
  auto entry = reinterpret_cast<Entry>(::dlsym(library, symbol));
  const auto* found = entry == nullptr ? nullptr : entry();
  if (found == nullptr || found->version != version) {
    throw Error(ErrorCode::Io,
                fmt::format("the plugin {} has version {} of the interface, and this xwalk needs "
                            "version {}: install both from the same release",
                            *path, found == nullptr ? 0 : found->version, version));
  }
  return found;
}

}  // namespace

LoadedEngine load_engine(const std::string& name) {
  LoadedEngine loaded{};
  loaded.engine =
      load<XwalkEngineEntry>("lib" + name + ".so", "xwalk_engine_v1", XWALK_ENGINE_VERSION,
                             "Parquet and Arrow IPC data", &loaded.path);
  return loaded;
}

const XwalkStore* load_stores() {
  std::string path;
  return load<XwalkStoreEntry>("libxwalk_stores.so", "xwalk_store_v1", XWALK_STORE_VERSION,
                               "URIs of stores", &path);
}

void end_past_loader(int code) {
  if (!loader_is_locked) return;
  std::fflush(nullptr);
  ::_exit(code);
}

}  // namespace xwalk::io
