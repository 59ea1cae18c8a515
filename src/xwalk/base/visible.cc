#include "xwalk/base/visible.h"

#include <algorithm>
#include <cstdint>
#include <iterator>

#include <fmt/format.h>

#include "xwalk/base/text.h"

namespace xwalk {
namespace {

/// Returns the first character of a UTF-8 text if it has two or three bytes and is invisible but
/// changes how others are displayed (C1 controls, bidirectional controls, line separators,
/// noncharacters); otherwise 0.
uint32_t hidden_character(std::string_view text) {
  const auto byte = [&](size_t i) -> uint32_t { return static_cast<unsigned char>(text[i]); };
  if (byte(0) >= 0xc0 && byte(0) < 0xe0) {
    const uint32_t code = (byte(0) & 0x1fU) << 6 | (byte(1) & 0x3fU);
    return code < 0xa0 || code == 0x61c ? code : 0;
  }
  if (byte(0) < 0xe0 || byte(0) >= 0xf0) return 0;
  const uint32_t code = (byte(0) & 0xfU) << 12 | (byte(1) & 0x3fU) << 6 | (byte(2) & 0x3fU);
  const bool turns = code == 0x200e || code == 0x200f || (code >= 0x2028 && code <= 0x202e) ||
                     (code >= 0x2066 && code <= 0x2069);
  return turns || code >= 0xfffe || code == 0xfeff ? code : 0;
}

}  // namespace

size_t ci_command(std::string_view text) {
  constexpr std::string_view kHashes = "##";
  for (size_t at = 0; (at = text.find(kHashes, at)) != std::string_view::npos; ++at) {
    size_t end = at + kHashes.size();
    while (end < text.size() && is_ascii_alpha(text[end])) ++end;
    if (end < text.size() && text[end] == '[') return end;
  }
  return std::string_view::npos;
}

namespace {

/// Returns the place of the bracket of the next command.
size_t next_command(std::string_view text, size_t bracket) {
  const size_t next = ci_command(text.substr(bracket + 1));
  return next == std::string_view::npos ? next : bracket + 1 + next;
}

}  // namespace

bool is_ci_command(std::string_view line) {
  // GitHub Actions trims every space of Unicode.
  const auto is_shown = [](char c) { return c > ' ' && c < '\x7f'; };
  const auto first = std::ranges::find_if(line, is_shown);
  return line.substr(static_cast<size_t>(first - line.begin())).starts_with("::");
}

std::string visible(std::string_view text) {
  const auto stays = [](char c) { return c >= ' ' && c < '\x7f'; };
  size_t bracket = ci_command(text);
  if (bracket == std::string_view::npos && std::ranges::all_of(text, stays)) {
    return std::string(text);
  }
  const bool utf8 = is_valid_utf8(text);
  std::string out;
  out.reserve(text.size());
  for (size_t i = 0; i < text.size(); ++i) {
    const auto byte = static_cast<unsigned char>(text[i]);
    if (i == bracket) {
      out += fmt::format("\\x{:X}", byte);
      bracket = next_command(text, i);
      continue;
    }
    if (byte < 0x20 || byte == 0x7f || (byte >= 0x80 && !utf8)) {
      const std::string in_quotes = quoted(text.substr(i, 1));
      out += std::string_view(in_quotes).substr(1, in_quotes.size() - 2);
      continue;
    }
    const uint32_t hidden = byte < 0x80 ? 0 : hidden_character(text.substr(i));
    if (hidden == 0) {
      out += text[i];
    } else {
      out += fmt::format("\\u{{{:X}}}", hidden);
      i += hidden < 0x800 ? 1 : 2;
    }
  }
  return out;
}

std::string visible_json(std::string_view json) {
  std::string out;
  out.reserve(json.size());
  size_t begin = 0;
  // Text of JSON is in its strings alone, and so are commands to a CI service.
  size_t bracket = ci_command(json);
  for (size_t i = 0; i < json.size(); ++i) {
    const auto byte = static_cast<unsigned char>(json[i]);
    if (byte < 0x7f && i != bracket) continue;
    const bool whole = i + (byte < 0xe0 ? 1 : 2) < json.size();
    const uint32_t hidden = byte < 0xc0 || !whole ? 0 : hidden_character(json.substr(i));
    if (byte != 0x7f && hidden == 0 && i != bracket) continue;
    out.append(json.substr(begin, i - begin));
    out += fmt::format("\\u{:04x}", hidden == 0 ? byte : hidden);
    if (i == bracket) bracket = next_command(json, i);
    if (hidden != 0) i += hidden < 0x800 ? 1 : 2;
    begin = i + 1;
  }
  out.append(json.substr(begin));
  return out;
}

void append_visible_json(std::string_view text, std::string* out) {
  constexpr std::string_view kShort = "\"\\\b\f\n\r\t";
  constexpr std::string_view kLetters = "\"\\bfnrt";
  *out += '"';
  size_t begin = 0;
  size_t bracket = ci_command(text);
  for (size_t i = 0; i < text.size(); ++i) {
    const auto byte = static_cast<unsigned char>(text[i]);
    const uint32_t hidden = byte < 0xc0 ? 0 : hidden_character(text.substr(i));
    const bool stays = byte >= 0x20 && byte != 0x7f && byte != '"' && byte != '\\' && i != bracket;
    if (stays && hidden == 0) continue;
    if (i == bracket) bracket = next_command(text, i);
    out->append(text.substr(begin, i - begin));
    const size_t letter = kShort.find(text[i]);
    if (letter != std::string_view::npos) {
      *out += '\\';
      *out += kLetters[letter];
    } else {
      fmt::format_to(std::back_inserter(*out), "\\u{:04x}", hidden == 0 ? byte : hidden);
    }
    if (hidden != 0) i += hidden < 0x800 ? 1 : 2;
    begin = i + 1;
  }
  out->append(text.substr(begin));
  *out += '"';
}

}  // namespace xwalk
