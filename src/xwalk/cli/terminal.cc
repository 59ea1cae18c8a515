#include "xwalk/cli/terminal.h"

#include <algorithm>
#include <charconv>
#include <cstdlib>
#include <optional>
#include <sys/ioctl.h>
#include <system_error>
#include <unistd.h>

#include "xwalk/base/visible.h"

namespace xwalk::cli {
namespace {

std::string_view code_of(Ink ink) {
  switch (ink) {
    case Ink::Bold:
      return "1";
    case Ink::Faint:
      return "2";
    case Ink::Good:
      return "32";
    case Ink::Bad:
      return "31";
  }
  return "0";
}

std::optional<int> columns_of_environment() {
  const char* text = std::getenv("COLUMNS");
  if (text == nullptr) return std::nullopt;
  const std::string_view digits = text;
  int columns = 0;
  const auto [end, failed] = std::from_chars(digits.begin(), digits.end(), columns);
  if (failed != std::errc() || end != digits.end() || columns <= 0) return std::nullopt;
  return columns;
}

}  // namespace

Terminal::Terminal(int descriptor, bool color) : is_terminal_(isatty(descriptor) == 1) {
  const char* no_color = std::getenv("NO_COLOR");
  const char* term = std::getenv("TERM");
  has_color_ = color && is_terminal_ && (no_color == nullptr || *no_color == '\0') &&
               !(term != nullptr && std::string_view(term) == "dumb");
  winsize size{};
  if (is_terminal_ && ioctl(descriptor, TIOCGWINSZ, &size) == 0 && size.ws_col > 0) {
    width_ = size.ws_col;
  }
  const std::optional<int> columns = columns_of_environment();
  width_ = columns.value_or(width_);
  is_bounded_ = is_terminal_ || columns;
}

std::string Terminal::paint(Ink ink, std::string_view text) const {
  if (!has_color_) return std::string(text);
  std::string out = "\x1b[";
  out += code_of(ink);
  out += 'm';
  out += text;
  out += "\x1b[0m";
  return out;
}

std::string harmless(std::string_view text, bool colors) {
  std::string out;
  while (!text.empty()) {
    const size_t end = std::min(text.find_first_of(colors ? "\n\t\x1b" : "\n\t"), text.size());
    out += visible(text.substr(0, end));
    text.remove_prefix(end);
    size_t kept = text.empty() || text.front() == '\x1b' ? 0 : 1;
    if (text.starts_with("\x1b[")) {
      const size_t digits = text.find_first_not_of("0123456789;", 2);
      if (digits != std::string_view::npos && text[digits] == 'm') kept = digits + 1;
    }
    out += text.substr(0, kept);
    text.remove_prefix(kept);
    if (kept == 0 && !text.empty()) {
      out += visible(text.substr(0, 1));
      text.remove_prefix(1);
    }
  }
  return out;
}

std::string wrap(std::string_view text, int width, int indent) {
  std::string out;
  int column = indent;
  bool line_is_empty = true;
  while (!text.empty()) {
    size_t space = text.find_first_of(" \n");
    std::string_view word = text.substr(0, space);
    int length = display_width(word);
    if (!line_is_empty && column + 1 + length > width) {
      out += '\n';
      out.append(static_cast<size_t>(indent), ' ');
      column = indent;
      line_is_empty = true;
    }
    if (!line_is_empty) {
      out += ' ';
      ++column;
    }
    out += word;
    column += length;
    line_is_empty = false;
    if (space == std::string_view::npos) break;
    if (text[space] == '\n') {
      out += '\n';
      out.append(static_cast<size_t>(indent), ' ');
      column = indent;
      line_is_empty = true;
    }
    text.remove_prefix(space + 1);
  }
  return out;
}

}  // namespace xwalk::cli
