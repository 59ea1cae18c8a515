#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

namespace xwalk {

/// What `parse_byte_count` takes, for messages.
inline constexpr std::string_view kByteCount = "bytes such as 512MiB, 8G or 8589934592";

/// Parses a whole number of bytes, 1 to 2^63 - 1, with or without a unit: `k`, `M`, `G`, `T` of
/// powers of 1000, `Ki`, `Mi`, `Gi`, `Ti` of 1024, each with or without `B`. Returns nothing for
/// any other text.
std::optional<int64_t> parse_byte_count(std::string_view text);

/// Parses a whole number, which `k`, `M` or `G` after it multiplies by a power of 1000. Returns
/// nothing for any other text.
std::optional<int64_t> parse_count(std::string_view text);

}  // namespace xwalk
