#include "xwalk/base/zone_names.h"

#include <algorithm>

namespace xwalk {
namespace {

constexpr std::string_view kNames[] = {
#include "xwalk/base/zone_names.inc"
};

}  // namespace

bool is_zone_name(std::string_view name) {
  return std::binary_search(std::begin(kNames), std::end(kNames), name);
}

std::span<const std::string_view> zone_names() { return kNames; }

}  // namespace xwalk
