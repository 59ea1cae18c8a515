#include "xwalk/yt/zone_numbers.h"

#include <iterator>
#include <map>

#include <fmt/format.h>

#include "xwalk/base/text.h"

namespace xwalk::yt {
namespace {

constexpr std::string_view kZoneNumbers[] = {
#include "xwalk/base/zone_numbers.inc"
};

}  // namespace

std::string_view zone_of_number(uint16_t number) {
  return number < std::size(kZoneNumbers) ? kZoneNumbers[number] : std::string_view();
}

std::optional<uint16_t> number_of_zone(std::string_view name) {
  static const std::map<std::string_view, uint16_t> kNumbers = [] {
    std::map<std::string_view, uint16_t> numbers;
    uint16_t next = 0;
    for (const std::string_view known : kZoneNumbers) numbers.emplace(known, next++);
    numbers.erase("");
    return numbers;
  }();
  const auto found = kNumbers.find(name);
  return found == kNumbers.end() ? std::nullopt : std::optional(found->second);
}

std::string fault_of_number(std::string_view name) {
  return fmt::format("expected a time zone that has a number (as of {}), found {}",
                     kZoneNumbersDate, quoted(name));
}

}  // namespace xwalk::yt
