#pragma once

#include <string>
#include <string_view>

#include "xwalk/vortex/type.h"

namespace xwalk::vortex {

/// Writes an IPC DTypeMessage: u32 header length, header, body without padding (the DType in
/// FlatBuffers form).
std::string write_ipc_dtype(const DType& type);

/// Returns true if bytes begin with the header of an IPC message of any kind.
bool is_ipc_message(std::string_view bytes);

/// Reads an IPC DTypeMessage from the front of a stream; `consumed` receives its size. Throws Error
/// (Input) with the byte for a truncated or other message.
DType read_ipc_dtype(std::string_view stream, size_t* consumed = nullptr);

}  // namespace xwalk::vortex
