// Prints YSON that a peer wrote, for the comparison in yson_bindings_test.py. Reads hex lines
// `<fragment> <hex>` and answers each with `ok <keys> <text> <pretty> <binary>`, the last three in
// hex, keys saying whether a map has `repeated` keys or all are `unique`; or with `error`.

#include <algorithm>
#include <iostream>
#include <set>
#include <string>
#include <string_view>

#include "xwalk/base/error.h"
#include "xwalk/base/hex.h"
#include "xwalk/yson/parse.h"
#include "xwalk/yson/print.h"

namespace {

std::string print_as(const xwalk::yson::Node& node, char fragment, xwalk::yson::Format format) {
  if (fragment == 'l') return print_list_fragment(node.as_list(), format);
  if (fragment == 'm') return print_map_fragment(node, format);
  return print(node, format);
}

bool repeats_keys(const xwalk::yson::Node& node);

bool repeats_keys(const xwalk::yson::Node::Map& entries) {
  std::set<std::string_view> keys;
  for (const auto& [key, value] : entries) {
    if (!keys.insert(key).second || repeats_keys(value)) return true;
  }
  return false;
}

bool repeats_keys(const xwalk::yson::Node& node) {
  using Kind = xwalk::yson::Node::Kind;
  if (repeats_keys(node.attributes())) return true;
  if (node.is(Kind::Map)) return repeats_keys(node.as_map());
  if (!node.is(Kind::List)) return false;
  const auto& items = node.as_list();
  return std::any_of(items.begin(), items.end(),
                     [](const auto& item) { return repeats_keys(item); });
}

std::string answer(const std::string& line) {
  using namespace xwalk::yson;
  char letter = line.at(0);
  Fragment fragment = letter == 'l'   ? Fragment::List
                      : letter == 'm' ? Fragment::Map
                                      : Fragment::Node;
  try {
    Node node = parse_fragment(xwalk::from_hex(line.substr(2)), fragment);
    return std::string(repeats_keys(node) ? "ok repeated " : "ok unique ") +
           xwalk::to_hex(print_as(node, letter, Format::Text)) + ' ' +
           xwalk::to_hex(print_as(node, letter, Format::Pretty)) + ' ' +
           xwalk::to_hex(print_as(node, letter, Format::Binary));
  } catch (const xwalk::Error&) {
    return "error";
  }
}

}  // namespace

int main() {
  std::string line;
  while (std::getline(std::cin, line)) {
    if (line.size() < 2) return 2;
    std::cout << answer(line) << '\n';
  }
  return 0;
}
