#include "xwalk/lance/json_text.h"

#include <charconv>
#include <cmath>
#include <cstdint>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

namespace xwalk::lance {
namespace {

/// A decimal number as its digits and the power of ten of the last: equal for equal numbers.
struct Digits {
  std::string digits;
  int64_t exponent = 0;
  friend bool operator==(const Digits&, const Digits&) = default;
};

/// Takes a number of JSON's grammar apart; its sign aside.
Digits digits_of(std::string_view text) {
  Digits out;
  bool after_point = false;
  for (size_t i = 0; i < text.size(); ++i) {
    const char c = text[i];
    if (c == 'e' || c == 'E') {
      std::string_view power = text.substr(i + 1);
      if (power.starts_with('+')) power.remove_prefix(1);
      int64_t value = 0;
      const auto [end, failed] = std::from_chars(power.data(), power.data() + power.size(), value);
      // A power beyond 64 bits is equal to none.
      out.exponent += failed == std::errc() ? value : INT32_MAX;
      break;
    }
    if (c == '.') {
      after_point = true;
    } else if (c >= '0' && c <= '9') {
      if (!out.digits.empty() || c != '0') out.digits += c;
      if (after_point) --out.exponent;
    }
  }
  while (out.digits.ends_with('0')) {
    out.digits.pop_back();
    ++out.exponent;
  }
  if (out.digits.empty()) out.exponent = 0;
  return out;
}

/// Walks a text, and stops at the first value that is not preserved.
class Keeper final : public nlohmann::json_sax<nlohmann::json> {
 public:
  bool null() override { return true; }
  bool boolean(bool /*value*/) override { return true; }
  /// Of negative integers. Lance stores -0 as 0.
  bool number_integer(number_integer_t value) override { return value != 0; }
  bool number_unsigned(number_unsigned_t /*value*/) override { return true; }
  bool number_float(number_float_t value, const string_t& text) override {
    return std::isfinite(value) && digits_of(fmt::format("{}", value)) == digits_of(text);
  }
  bool string(string_t& /*value*/) override { return true; }
  bool binary(binary_t& /*value*/) override { return false; }
  bool start_object(size_t /*size*/) override {
    keys_.emplace_back();
    return true;
  }
  bool key(string_t& name) override { return keys_.back().insert(std::move(name)).second; }
  bool end_object() override {
    keys_.pop_back();
    return true;
  }
  bool start_array(size_t /*size*/) override { return true; }
  bool end_array() override { return true; }
  bool parse_error(size_t /*at*/, const std::string& /*token*/,
                   const nlohmann::json::exception& /*error*/) override {
    return false;
  }

 private:
  std::vector<std::set<std::string>> keys_;
};

}  // namespace

bool keeps_json_text(std::string_view text) {
  // The parser treats a zero byte as the end. Valid JSON has none.
  if (text.find('\0') != std::string_view::npos) return false;
  Keeper keeper;
  return nlohmann::json::sax_parse(text.begin(), text.end(), &keeper);
}

}  // namespace xwalk::lance
