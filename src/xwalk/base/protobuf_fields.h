#pragma once

#include <cstddef>
#include <string_view>

namespace xwalk {

/// Returns where the last whole field of a message in Protobuf's wire form ends: the size, or how
/// far the bytes are a message. What is inside of fields is not looked at.
size_t whole_protobuf_fields(std::string_view message);

/// Throws Error (Input) for bytes that are not a message of the expected type, with the byte where
/// the last whole field ends.
[[noreturn]] void refuse_protobuf(std::string_view message, std::string_view expected);

}  // namespace xwalk
