// Shared by every module's checks: cases as read from the files, and comparisons.

#include <fstream>

#include <fmt/format.h>

#include "runner.h"
#include "xwalk/base/error.h"

namespace xwalk::vectors {
namespace {

constexpr const char* kNumber = "number";

/// Makes an object of each number that a double would round.
class ExactNumbers : public nlohmann::detail::json_sax_dom_parser<Json> {
 public:
  using json_sax_dom_parser::json_sax_dom_parser;
  bool number_float(double /*rounded*/, const std::string& text) {
    std::string name = kNumber;
    std::string digits = text;
    return start_object(1) && key(name) && string(digits) && end_object();
  }
};

bool is_exact_number(const Json& json) {
  return json.is_object() && json.size() == 1 && json.contains(kNumber);
}

}  // namespace

Json read_cases(const std::string& path) {
  std::ifstream stream(path);
  Json cases;
  ExactNumbers reader(cases);
  Json::sax_parse(stream, &reader);
  return cases;
}

double double_of(const Json& number) {
  return is_exact_number(number) ? std::stod(text_of(number)) : number.get<double>();
}

std::string text_of(const Json& number) {
  return is_exact_number(number) ? number.at(kNumber).get<std::string>() : number.dump();
}

void expect(bool condition, std::string_view expected, std::string_view found) {
  if (!condition) throw Mismatch{std::string(expected), std::string(found)};
}

void expect_equal(std::string_view what, const std::string& expected, const std::string& found) {
  if (expected != found) {
    throw Mismatch{fmt::format("{} = {}", what, expected), found};
  }
}

void Context::expect_refused(std::string_view what, const std::function<void()>& action) const {
  try {
    action();
  } catch (const Error& error) {
    std::string words = error.what();
    const Place& place = error.place();
    if (place.byte) words += fmt::format(", byte {}", *place.byte);
    if (place.row) words += fmt::format(", row {}", *place.row);
    if (!place.path.empty()) words += fmt::format(", at {}", place.path.text());
    refusals->push_back(std::move(words));
    return;
  }
  throw Mismatch{fmt::format("{} refused", what), "accepted"};
}

std::string direction_of(const Json& vector, const std::string& there, const std::string& back) {
  std::string direction = vector.value("direction", "both");
  const bool known = direction == "both" || direction == there || direction == back;
  expect(known, fmt::format("both, {} or {}", there, back), direction);
  return direction;
}

}  // namespace xwalk::vectors
