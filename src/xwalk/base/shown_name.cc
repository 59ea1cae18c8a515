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

bool same_letter(char left, char right) { return lower(left) == right; }

bool is_http(std::string_view scheme) {
  return std::ranges::equal(scheme, std::string_view("http"), same_letter) ||
         std::ranges::equal(scheme, std::string_view("https"), same_letter);
}

bool starts_with_letters(std::string_view text, std::string_view letters) {
  return text.size() >= letters.size() &&
         std::ranges::equal(text.substr(0, letters.size()), letters, same_letter);
}

bool holds_secret(std::string_view query) {
  return std::ranges::any_of(kSecrets, [&](std::string_view word) {
    return std::search(query.begin(), query.end(), word.begin(), word.end(), same_letter) !=
           query.end();
  });
}

/// Returns the size of the text before the first white space or `quote`.
size_t size_of_word(std::string_view text, char quote) {
  const auto ends = [&](char c) {
    return static_cast<unsigned char>(c) <= ' ' || (quote != 0 && c == quote);
  };
  return static_cast<size_t>(std::ranges::find_if(text, ends) - text.begin());
}

/// Returns the character that ends a URL whose scheme comes after `before`; 0 if it is not quoted.
char end_of_quote(std::string_view before) {
  const char c = before.empty() ? '\0' : before.back();
  if (c == '<') return '>';
  return c == '"' || c == '\'' || c == '`' ? c : '\0';
}

/// Appends the part of a URL after `://`.
void append_rest(std::string_view rest, std::string_view scheme, std::string* out) {
  const bool http = is_http(scheme);
  // CONTAINER@ACCOUNT of Azure
  const bool has_container = starts_with_letters(scheme, "abfs") ||
                             starts_with_letters(scheme, "wasb") ||
                             starts_with_letters(scheme, "az");
  const std::string_view host = rest.substr(0, rest.find_first_of("/?#"));
  const size_t at = host.rfind('@');
  const size_t colon = host.find(':');
  if (at != std::string_view::npos && (colon < at || !has_container)) {
    // Without a password, the name of a user is a token.
    out->append(rest.substr(0, colon < at ? colon + 1 : 0)).append("…");
    rest.remove_prefix(at);
  }
  const size_t query = rest.find_first_of(http ? "?#" : "?");
  const bool cut = query != std::string_view::npos && (http || holds_secret(rest.substr(query)));
  out->append(rest.substr(0, cut ? query : rest.size()));
  if (cut) out->append("?…");
}

/// Appends text outside of URLs. A word after `?` may be the query of a URL that has a space or a
/// quote in it, or of which the text has only the end.
void append_outside(std::string_view text, bool http, std::string* out) {
  for (size_t query; (query = text.find('?')) != std::string_view::npos;) {
    out->append(text.substr(0, query + 1));
    text.remove_prefix(query + 1);
    const size_t size = size_of_word(text, 0);
    const bool cut = size > 0 && (http || holds_secret(text.substr(0, size)));
    out->append(cut ? "…" : text.substr(0, size));
    text.remove_prefix(size);
  }
  out->append(text);
}

/// Returns the scheme that `text` has before `://` at `mark`.
std::string_view scheme_before(std::string_view text, size_t mark) {
  size_t begin = mark;
  while (begin > 0 && is_scheme_character(text[begin - 1])) --begin;
  return text.substr(begin, mark - begin);
}

}  // namespace

std::string shown_name(std::string_view name) {
  const size_t mark = name.find(kMark);
  if (mark == std::string_view::npos) return shown_text(name);
  const std::string_view scheme = scheme_before(name, mark);
  if (scheme.empty() || scheme.size() != mark) return shown_text(name);
  std::string out(name.substr(0, mark + kMark.size()));
  append_rest(name.substr(mark + kMark.size()), scheme, &out);
  return out;
}

std::string shown_text(std::string_view text) {
  std::string out = is_ci_command(text) ? "./" : "";
  bool any_http = false;
  const auto append = [&](std::string_view part) { append_outside(part, any_http, &out); };
  for (size_t mark; (mark = text.find(kMark)) != std::string_view::npos;) {
    const std::string_view scheme = scheme_before(text, mark);
    const char quote = end_of_quote(text.substr(0, mark - scheme.size()));
    append(text.substr(0, mark + kMark.size()));
    text.remove_prefix(mark + kMark.size());
    const size_t size = size_of_word(text, quote);
    any_http = any_http || is_http(scheme);
    append_rest(text.substr(0, size), scheme, &out);
    text.remove_prefix(size);
  }
  append(text);
  return out;
}

}  // namespace xwalk
