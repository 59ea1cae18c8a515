#pragma once

#include <string_view>

#include "xwalk/hub/type.h"

namespace xwalk::hub {

// Names of the canonical Arrow extensions that systems or readers distinguish from their storage
// type.

inline constexpr std::string_view kBool8Extension = "arrow.bool8";
inline constexpr std::string_view kFixedTensorExtension = "arrow.fixed_shape_tensor";
inline constexpr std::string_view kJsonExtension = "arrow.json";
inline constexpr std::string_view kUuidExtension = "arrow.uuid";

/// Returns whether Arrow's own readers ask for the storage of a field's extension type.
inline bool has_stored_extension(const Field& field) {
  const std::string_view name = field.extension_name();
  return name == kBool8Extension || name == kFixedTensorExtension || name == kJsonExtension ||
         name == kUuidExtension;
}

}  // namespace xwalk::hub
