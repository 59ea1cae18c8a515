#include "xwalk/yt/zone_numbers.h"

#include <algorithm>
#include <array>
#include <map>
#include <vector>

#include "xwalk/base/zone_names.h"

namespace xwalk::yt {
namespace {

/// Names that IANA has had since the numbers were given out, or whose number came later.
constexpr std::array<std::string_view, 6> kLater = {"America/Ciudad_Juarez", "America/Coyhaique",
                                                    "America/Nuuk",          "Asia/Qostanay",
                                                    "Europe/Kyiv",           "Pacific/Kanton"};
/// A name that IANA has no more; its number is nobody's.
constexpr std::string_view kGone = "US/Pacific-New";

/// Makes the names by number: two that come first, all others of their time sorted by bytes, and
/// those that came later.
std::vector<std::string_view> make_names() {
  std::vector<std::string_view> names = {"GMT", "Europe/Moscow"};
  for (const std::string_view name : zone_names()) {
    const bool first = name == names[0] || name == names[1];
    if (!first && std::ranges::find(kLater, name) == kLater.end()) names.push_back(name);
  }
  *names.insert(std::lower_bound(names.begin() + 2, names.end(), kGone), kGone) = "";
  // Two that are no zones, "localtime" and "posixrules", stand before the later ones.
  for (const std::string_view name : {"", "", "Asia/Qostanay", "America/Nuuk",
                                      "America/Ciudad_Juarez", "Europe/Kyiv", "Pacific/Kanton"}) {
    names.push_back(name);
  }
  return names;
}

const std::vector<std::string_view>& names_by_number() {
  static const std::vector<std::string_view> kNames = make_names();
  return kNames;
}

}  // namespace

std::string_view zone_of_number(uint16_t number) {
  const std::vector<std::string_view>& names = names_by_number();
  return number < names.size() ? names[number] : std::string_view();
}

std::optional<uint16_t> number_of_zone(std::string_view name) {
  static const std::map<std::string_view, uint16_t> kNumbers = [] {
    std::map<std::string_view, uint16_t> numbers;
    uint16_t next = 0;
    for (const std::string_view known : names_by_number()) numbers.emplace(known, next++);
    numbers.erase("");
    return numbers;
  }();
  const auto found = kNumbers.find(name);
  return found == kNumbers.end() ? std::nullopt : std::optional(found->second);
}

}  // namespace xwalk::yt
