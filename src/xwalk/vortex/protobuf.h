#pragma once

#include <string>
#include <string_view>

#include "xwalk/vortex/type.h"

namespace xwalk::vortex {

/// Writes the Protobuf form (specification, "Protocol Buffers definition") in field order.
std::string write_protobuf(const DType& type);

/// Reads the Protobuf form; throws as `read_flatbuffers` does.
DType read_protobuf(std::string_view bytes);

}  // namespace xwalk::vortex
