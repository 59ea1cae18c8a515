#pragma once

#include <cstddef>
#include <string_view>

namespace xwalk {

/// Bytes of a uuid, most significant first, and of its text, in five groups (RFC 4122).
inline constexpr size_t kUuidSize = 16;
inline constexpr size_t kUuidTextSize = 36;

/// Writes the text of 16 bytes, in lower case: 36 bytes at `out`. Returns their end.
char* write_uuid_text(const char* bytes, char* out);
/// Reads the text of a uuid, of either case, into 16 bytes. Returns false if it is not one. Then
/// the bytes may be half written.
bool read_uuid_text(std::string_view text, char* bytes);

}  // namespace xwalk
