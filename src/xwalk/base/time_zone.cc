#include "xwalk/base/time_zone.h"

#include <string>

#include "xwalk/base/text.h"
#include "xwalk/base/zone_names.h"

namespace xwalk {

bool is_utc_offset(std::string_view zone) {
  if (zone.empty() || (zone[0] != '+' && zone[0] != '-')) return false;
  std::string digits;
  for (size_t i = 1; i < zone.size(); ++i) {
    if (zone[i] == ':' && (i == 3 || i == 6)) continue;
    if (!is_ascii_digit(zone[i])) return false;
    digits += zone[i];
  }
  if (digits.size() != 2 && digits.size() != 4 && digits.size() != 6) return false;
  if (std::stoi(digits.substr(0, 2)) > 25) return false;
  for (size_t i = 2; i < digits.size(); i += 2) {
    if (digits[i] > '5') return false;
  }
  return true;
}

bool is_time_zone(std::string_view zone) { return is_zone_name(zone) || is_utc_offset(zone); }

}  // namespace xwalk
