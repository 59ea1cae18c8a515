#pragma once

#include <optional>

#include "xwalk/convert/convert.h"
#include "xwalk/xwalk.hpp"

namespace xwalk::api {

/// Reads the options of a conversion. Throws Error (Usage).
io::ConvertOptions read_options(const Options& options);

/// Options of an input that may be a schema, and the system that `format` names, if it does.
struct SourceOptions {
  io::ConvertOptions convert;
  std::optional<crosswalk::System> system;
};
SourceOptions read_source_options(const Options& options);

}  // namespace xwalk::api
