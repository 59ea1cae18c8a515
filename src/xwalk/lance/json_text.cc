#include "xwalk/lance/json_text.h"

#include <cmath>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "xwalk/base/nlohmann_json.h"
#include "xwalk/variant/sorted_json.h"
#include "xwalk/yson/writer.h"

namespace xwalk::lance {
namespace {

/// Returns true if a double is exactly the number of a JSON text.
bool is_same_number(double value, std::string_view text) {
  yson::Buffer plain;
  variant::append_plain_number(fmt::format("{}", value), &plain);
  const size_t size = plain.size();
  variant::append_plain_number(text, &plain);
  return plain.view().substr(0, size) == plain.view().substr(size);
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
    return std::isfinite(value) && is_same_number(value, text);
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
