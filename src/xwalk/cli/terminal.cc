#include "xwalk/cli/terminal.h"

#include <cstdlib>
#include <sys/ioctl.h>
#include <unistd.h>

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
    case Ink::Notice:
      return "36";
    case Ink::Warning:
      return "33";
    case Ink::Bad:
      return "31";
  }
  return "0";
}

/// Reads one character; malformed bytes count as one character each.
size_t decode(std::string_view text, size_t at, uint32_t* code) {
  auto byte = [&](size_t i) { return static_cast<unsigned char>(text[i]); };
  unsigned first = byte(at);
  size_t length = first < 0x80 ? 1 : first < 0xe0 ? 2 : first < 0xf0 ? 3 : 4;
  if (first < 0xc0) length = 1;
  if (at + length > text.size()) length = 1;
  if (length == 1) {
    *code = first;
    return 1;
  }
  *code = first & (0xffU >> (length + 1));
  for (size_t i = 1; i < length; ++i) *code = (*code << 6) | (byte(at + i) & 0x3fU);
  return length;
}

int width_of(uint32_t code) {
  bool combining = (code >= 0x300 && code < 0x370) || code == 0x200b || code == 0xfeff;
  if (combining) return 0;
  bool wide = (code >= 0x1100 && code < 0x1160) || (code >= 0x2e80 && code < 0xa4d0) ||
              (code >= 0xac00 && code < 0xd7a4) || (code >= 0xf900 && code < 0xfb00) ||
              (code >= 0xfe30 && code < 0xfe70) || (code >= 0xff00 && code < 0xff61) ||
              (code >= 0x1f300 && code < 0x1faff) || (code >= 0x20000 && code < 0x40000);
  return wide ? 2 : 1;
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

int display_width(std::string_view text) {
  int width = 0;
  for (size_t at = 0; at < text.size();) {
    if (text[at] == '\x1b') {
      while (at < text.size() && text[at] != 'm') ++at;
      ++at;
      continue;
    }
    uint32_t code = 0;
    at += decode(text, at, &code);
    width += width_of(code);
  }
  return width;
}

std::string clip(std::string_view text, int width) {
  if (display_width(text) <= width) return std::string(text);
  int used = 0;
  size_t at = 0;
  while (at < text.size()) {
    uint32_t code = 0;
    size_t length = decode(text, at, &code);
    if (used + width_of(code) > width - 1) break;
    used += width_of(code);
    at += length;
  }
  return std::string(text.substr(0, at)) + "…";
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
