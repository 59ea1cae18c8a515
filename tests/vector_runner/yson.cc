#include <bit>
#include <cstring>

#include <fmt/format.h>

#include "runner.h"
#include "xwalk/base/hex.h"
#include "xwalk/yson/parse.h"
#include "xwalk/yson/print.h"

namespace xwalk::vectors {
namespace {

std::string hex_of(const yson::Node& node) {
  return to_hex(yson::print(node, yson::Format::Binary));
}

/// A scalar in both spellings: each parses to the value and prints as given.
void check_both_directions(const yson::Node& value, const std::string& text,
                           const std::string& binary_hex) {
  expect_equal("text", text, yson::print(value, yson::Format::Text));
  expect_equal("binary", binary_hex, hex_of(value));
  expect(yson::parse(text) == value, "the text parses to the value", "another value");
  expect(yson::parse(from_hex(binary_hex)) == value, "the binary form parses to the value",
         "another value");
}

void check_parse_ok(const Json& vector, const Context&) {
  yson::Node node = yson::parse(from_hex(vector.at("input_hex").get<std::string>()));
  expect_equal("text", vector.at("canonical_text"), yson::print(node, yson::Format::Text));
  expect_equal("binary", vector.at("canonical_binary_hex"), hex_of(node));
}

void check_parse_error(const Json& vector, const Context& context) {
  std::string input = from_hex(vector.at("input_hex").get<std::string>());
  context.expect_refused("input", [&] { yson::parse(input); });
}

void check_list_fragment(const Json& vector, const Context& context) {
  std::string input = vector.contains("input_hex")
                          ? from_hex(vector["input_hex"].get<std::string>())
                          : vector.at("input").get<std::string>();
  if (!vector.value("valid", true)) {
    context.expect_refused("input", [&] { yson::parse_list_fragment(input); });
    return;
  }
  std::vector<std::string> printed;
  for (const yson::Node& item : yson::parse_list_fragment(input)) {
    printed.push_back(yson::print(item, yson::Format::Text));
  }
  expect_equal("items", vector.at("items").dump(), Json(printed).dump());
}

void check_depth(const Json& vector, const Context& context) {
  auto depth = vector.at("max_ok_depth").get<size_t>();
  auto lists = [](size_t n) { return std::string(n, '[') + std::string(n, ']'); };
  auto maps = [](size_t n) {
    std::string text;
    for (size_t i = 0; i < n; ++i) text += "{a=";
    return text + "1" + std::string(n, '}');
  };
  yson::parse(lists(depth));
  yson::parse(maps(depth));
  context.expect_refused("one list more", [&] { yson::parse(lists(depth + 1)); });
  context.expect_refused("one map more", [&] { yson::parse(maps(depth + 1)); });
}

void check_double_text(const Json& vector, const Context&) {
  std::string bytes = from_hex(vector.at("ieee_hex_le").get<std::string>());
  expect(bytes.size() == sizeof(uint64_t), "8 bytes", fmt::format("{}", bytes.size()));
  uint64_t bits = 0;
  for (size_t i = bytes.size(); i-- > 0;) bits = bits << 8 | static_cast<uint8_t>(bytes[i]);
  check_both_directions(yson::Node::real(std::bit_cast<double>(bits)), vector.at("text"),
                        vector.at("binary_hex"));
}

void check_string_text(const Json& vector, const Context&) {
  check_both_directions(yson::Node::string(from_hex(vector.at("bytes_hex").get<std::string>())),
                        vector.at("text"), vector.at("binary_hex"));
}

void check_int_binary(const Json& vector, const Context&) {
  std::string digits = vector.at("value");
  bool is_signed = vector.at("signed");
  yson::Node value =
      is_signed ? yson::Node::int64(std::stoll(digits)) : yson::Node::uint64(std::stoull(digits));
  expect_equal("value", digits,
               is_signed ? std::to_string(value.as_int64()) : std::to_string(value.as_uint64()));
  check_both_directions(value, vector.at("text"), vector.at("binary_hex"));
}

}  // namespace

void add_yson_checks(Checks* checks) {
  checks->emplace("yson_parse_ok", check_parse_ok);
  checks->emplace("yson_parse_error", check_parse_error);
  checks->emplace("yson_list_fragment", check_list_fragment);
  checks->emplace("yson_depth", check_depth);
  checks->emplace("yson_double_text", check_double_text);
  checks->emplace("yson_string_text", check_string_text);
  checks->emplace("yson_int_binary", check_int_binary);
}

}  // namespace xwalk::vectors
