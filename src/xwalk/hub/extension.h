#pragma once

#include <string_view>

namespace xwalk::hub {

// Names of the canonical Arrow extensions that systems tell from their storage.

inline constexpr std::string_view kBool8Extension = "arrow.bool8";
inline constexpr std::string_view kJsonExtension = "arrow.json";
inline constexpr std::string_view kUuidExtension = "arrow.uuid";

}  // namespace xwalk::hub
