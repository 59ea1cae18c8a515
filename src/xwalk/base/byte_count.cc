#include "xwalk/base/byte_count.h"

#include <charconv>

namespace xwalk {

std::optional<int64_t> parse_byte_count(std::string_view text) {
  constexpr std::string_view kUnits = "kMGT";
  int64_t number = 0;
  const auto [end, failed] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (failed != std::errc() || number < 1) return std::nullopt;
  std::string_view unit(end, static_cast<size_t>(text.data() + text.size() - end));
  if (unit.ends_with('B')) unit.remove_suffix(1);
  if (unit.empty()) return number;
  const bool binary = unit.ends_with('i');
  if (binary) unit.remove_suffix(1);
  if (unit == "K") unit = "k";
  const size_t power = unit.size() == 1 ? kUnits.find(unit[0]) : std::string_view::npos;
  if (power == std::string_view::npos) return std::nullopt;
  for (size_t i = 0; i <= power; ++i) {
    if (__builtin_mul_overflow(number, binary ? 1024 : 1000, &number)) return std::nullopt;
  }
  return number;
}

std::optional<int64_t> parse_count(std::string_view text) {
  constexpr std::string_view kUnits = "kMG";
  int64_t number = 0;
  const auto [end, failed] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (failed != std::errc()) return std::nullopt;
  const std::string_view unit(end, static_cast<size_t>(text.data() + text.size() - end));
  if (unit.empty()) return number;
  const size_t power = unit.size() == 1 ? kUnits.find(unit[0]) : std::string_view::npos;
  if (power == std::string_view::npos) return std::nullopt;
  for (size_t i = 0; i <= power; ++i) {
    if (__builtin_mul_overflow(number, 1000, &number)) return std::nullopt;
  }
  return number;
}

}  // namespace xwalk
