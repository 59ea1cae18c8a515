#include "xwalk/cli/numbers.h"

#include <array>
#include <cmath>

#include <fmt/format.h>

#include "xwalk/base/text.h"

namespace xwalk::cli {

std::string grouped(uint64_t number) {
  std::string digits = std::to_string(number);
  for (size_t at = digits.size(); at > 3;) {
    at -= 3;
    digits.insert(at, ",");
  }
  return digits;
}

std::string byte_size(uint64_t bytes) {
  static constexpr std::array<const char*, 6> kUnits = {"kB", "MB", "GB", "TB", "PB", "EB"};
  if (bytes < 1000) return fmt::format("{} B", bytes);
  double size = static_cast<double>(bytes);
  size_t unit = 0;
  for (size /= 1000; size >= 999.95 && unit + 1 < kUnits.size(); size /= 1000) ++unit;
  return fmt::format("{:.1f} {}", size, kUnits[unit]);
}

std::string duration(double seconds) {
  if (seconds < 9.995) return fmt::format("{:.2f} s", seconds);
  if (seconds < 99.5) return fmt::format("{:.0f} s", seconds);
  auto whole = static_cast<uint64_t>(std::llround(seconds));
  if (whole < 3600) return fmt::format("{} min {:02} s", whole / 60, whole % 60);
  return fmt::format("{} h {:02} min", whole / 3600, whole % 3600 / 60);
}

std::string counted(uint64_t number, const std::string& word) {
  return grouped(number) + " " + word + (number == 1 ? "" : "s");
}

}  // namespace xwalk::cli
