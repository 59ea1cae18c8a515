#include "xwalk/crosswalk/acceptance.h"

#include <fmt/format.h>

#include "xwalk/base/visible.h"

namespace xwalk::crosswalk {

const Acceptance* accepted(const std::vector<Acceptance>& all, std::string_view path,
                           std::string_view rule) {
  for (const Acceptance& one : all) {
    if (one.rule == rule && one.path == (path.empty() ? kTablePath : path)) return &one;
  }
  return nullptr;
}

std::string words_of(const Acceptance& acceptance) {
  return fmt::format("accepted until {}: {}", acceptance.expires, visible(acceptance.reason));
}

}  // namespace xwalk::crosswalk
