#pragma once

#include <string>
#include <string_view>

#include "xwalk/vortex/type.h"

namespace xwalk::vortex {

/// Writes and reads the JSON form: {"type":"struct","fields":[{"name":…,"dtype":{…}}],…}. Metadata
/// and other bytes are hex.
std::string write_json(const DType& type, int indent = 2);
DType read_json(std::string_view text);

}  // namespace xwalk::vortex
