#include "xwalk/base/shown_name.h"

#include <algorithm>
#include <array>

#include "xwalk/base/text.h"
#include "xwalk/base/visible.h"

namespace xwalk {
namespace {

constexpr std::string_view kMark = "://";
constexpr std::array<std::string_view, 7> kSecrets = {
    "sig=", "signature=", "token=", "credential=", "key=", "secret=", "password="};

bool is_scheme_character(char c) {
  return is_ascii_alpha(c) || is_ascii_digit(c) || c == '+' || c == '-' || c == '.';
}

char lower(char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c; }

bool holds_secret(std::string_view query) {
  const auto same = [](char left, char right) { return lower(left) == right; };
  return std::ranges::any_of(kSecrets, [&](std::string_view word) {
    return std::search(query.begin(), query.end(), word.begin(), word.end(), same) != query.end();
  });
}

/// Appends the part of a URL after `://`.
void append_rest(std::string_view rest, bool http, std::string* out) {
  const std::string_view host = rest.substr(0, rest.find_first_of("/?#"));
  const size_t at = host.rfind('@');
  const size_t colon = host.find(':');
  if (at != std::string_view::npos && colon < at) {
    out->append(rest.substr(0, colon + 1)).append("…");
    rest.remove_prefix(at);
  }
  const size_t query = rest.find_first_of(http ? "?#" : "?");
  const bool cut = query != std::string_view::npos && (http || holds_secret(rest.substr(query)));
  out->append(rest.substr(0, cut ? query : rest.size()));
  if (cut) out->append("?…");
}

}  // namespace

std::string shown_name(std::string_view text) {
  std::string out = is_ci_command(text) ? "./" : "";
  for (size_t mark; (mark = text.find(kMark)) != std::string_view::npos;) {
    size_t scheme = mark;
    while (scheme > 0 && is_scheme_character(text[scheme - 1])) --scheme;
    const std::string_view word = text.substr(scheme, mark - scheme);
    out.append(text.substr(0, mark + kMark.size()));
    text.remove_prefix(mark + kMark.size());
    const auto ends = [](char c) {
      return static_cast<unsigned char>(c) <= ' ' ||
             std::string_view("\"'<>`").find(c) != std::string_view::npos;
    };
    const auto end = std::ranges::find_if(text, ends);
    const auto size = static_cast<size_t>(end - text.begin());
    const auto same = [](char left, char right) { return lower(left) == right; };
    const bool http = std::ranges::equal(word, std::string_view("http"), same) ||
                      std::ranges::equal(word, std::string_view("https"), same);
    append_rest(text.substr(0, size), http, &out);
    text.remove_prefix(size);
  }
  out.append(text);
  return out;
}

}  // namespace xwalk
