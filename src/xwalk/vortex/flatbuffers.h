#pragma once

#include <string>
#include <string_view>

#include "xwalk/vortex/type.h"

namespace xwalk::vortex {

/// Writes the FlatBuffers form (specification, "FlatBuffers definition"), byte for byte what the
/// living system writes.
std::string write_flatbuffers(const DType& type);

/// Returns true if bytes have the structure of the FlatBuffers form, valid values or not.
bool is_flatbuffers(std::string_view bytes);

/// Reads the FlatBuffers form after verifying it. Absent extension metadata reads as empty. Throws
/// Error (Input) for bytes that break the format or a rule, Error (Unsupported) for a variant,
/// PType or depth newer than this version of xwalk.
DType read_flatbuffers(std::string_view bytes);

}  // namespace xwalk::vortex
