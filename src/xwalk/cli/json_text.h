#pragma once

#include <string>

#include <nlohmann/json.hpp>

#include "xwalk/base/visible.h"

namespace xwalk::cli {

/// Prints JSON so that whatever names it holds can be shown: bytes that are not UTF-8 are replaced,
/// characters that show nothing escaped. In one line with an indent of -1.
inline std::string json_text(const nlohmann::ordered_json& json, int indent = 2) {
  return visible_json(
      json.dump(indent, ' ', false, nlohmann::ordered_json::error_handler_t::replace));
}

}  // namespace xwalk::cli
