#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace xwalk::io {

constexpr size_t kMarkDigits = 16;

/// Returns hexadecimal digits that only processes of this user can make for a text. They depend on
/// a secret in $XDG_STATE_HOME/xwalk/key (~/.local/state/xwalk/key unless set), which the first
/// call makes. Returns nothing if the secret can be neither made nor trusted.
std::optional<std::string> own_mark(std::string_view text);

/// Computes SipHash-2-4 of a text. `key` holds two integers whose bytes are little-endian.
uint64_t keyed_hash(const std::array<uint64_t, 2>& key, std::string_view text);

}  // namespace xwalk::io
