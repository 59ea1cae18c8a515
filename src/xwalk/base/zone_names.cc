#include "xwalk/base/zone_names.h"

#include <algorithm>
#include <array>
#include <iterator>

namespace xwalk {
namespace {

constexpr std::string_view kNumbered[] = {
#include "xwalk/base/zone_numbers.inc"
};
/// Names of release 2026f of the database that YTsaurus has no number for.
constexpr std::string_view kOthers[] = {"America/Coyhaique"};

constexpr size_t kCount =
    std::size(kNumbered) - std::ranges::count(kNumbered, "") + std::size(kOthers);

using Names = std::array<std::string_view, kCount>;

Names sorted_names() {
  Names names;
  auto end = std::ranges::copy_if(kNumbered, names.begin(), [](std::string_view name) {
               return !name.empty();
             }).out;
  std::ranges::copy(kOthers, end);
  std::ranges::sort(names);
  return names;
}

/// The names in the order of their bytes. They are sorted when they are first needed: a compiler
/// may refuse so long a constant expression.
const Names& names() {
  static const Names sorted = sorted_names();
  return sorted;
}

}  // namespace

bool is_zone_name(std::string_view name) { return std::ranges::binary_search(names(), name); }

std::span<const std::string_view> zone_names() { return names(); }

}  // namespace xwalk
