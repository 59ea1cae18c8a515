#include "xwalk/cli/built_with.h"

#include <algorithm>
#include <string>
#include <string_view>
#include <vector>

#include <fmt/format.h>

#include "xwalk/base/error.h"
#include "xwalk/base/text.h"
#include "xwalk/io/engines/plugin_engine.h"
#include "xwalk/io/formats/row_format.h"
#include "xwalk/version.h"

namespace xwalk::cli {
namespace {

#if defined(__clang__)
constexpr std::string_view kCompiler = "Clang " __clang_version__;
#elif defined(__GNUC__)
constexpr std::string_view kCompiler = "GCC " __VERSION__;
#else
constexpr std::string_view kCompiler = "an unknown compiler";
#endif

}  // namespace

std::string plugin_text() {
  try {
    return std::string(io::Engine::parquet().description());
  } catch (const Error& error) {
    return error.message();
  }
}

std::string built_with() {
  std::vector<std::string> formats;
  for (const io::Format format : io::formats()) {
    std::string name(format->name);
    if (std::ranges::find(formats, name) == formats.end()) formats.push_back(std::move(name));
  }
  return fmt::format("xwalk {}\ncompiler:  {}, {}\nlibraries: {}\nrows:      {}\nplugin:    {}\n",
                     XWALK_VERSION, kCompiler, XWALK_PLATFORM, XWALK_LIBRARIES, join(formats, ", "),
                     plugin_text());
}

}  // namespace xwalk::cli
