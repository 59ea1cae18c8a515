#pragma once

#include <optional>
#include <type_traits>

#include "xwalk/base/error.h"

namespace xwalk {

/// Returns what a parser returns; nothing if it throws Error. For texts that others have written,
/// which may be of another kind.
template <typename Parse>
std::optional<std::invoke_result_t<Parse>> if_valid(Parse parse) {
  try {
    return parse();
  } catch (const Error&) {
    return std::nullopt;
  }
}

}  // namespace xwalk
