#include "xwalk/base/error.h"

#include <algorithm>

#include <fmt/format.h>

#include "xwalk/base/display.h"
#include "xwalk/base/error_text.h"
#include "xwalk/base/shortened.h"
#include "xwalk/base/shown_name.h"
#include "xwalk/base/text.h"
#include "xwalk/base/visible.h"

namespace xwalk {
namespace {

/// Width of the snippet shown under a message: fits 80 columns with its indent.
constexpr size_t kSnippetWidth = 72;

/// Returns the length in bytes of the UTF-8 character at the front of a text; 0 if it is invalid.
size_t bytes_of_character(std::string_view text) {
  const auto first = static_cast<unsigned char>(text[0]);
  const size_t length = first < 0x80 ? 1 : first < 0xe0 ? 2 : first < 0xf0 ? 3 : 4;
  return length <= text.size() && is_valid_utf8(text.substr(0, length)) ? length : 0;
}

/// Returns part of a line as one looks at it: a space for a tab, and `?` for every byte that no
/// terminal should be sent.
std::string shown(std::string_view text) {
  std::string out;
  while (!text.empty()) {
    const std::string_view character =
        text.substr(0, std::max<size_t>(1, bytes_of_character(text)));
    if (character == "\t") {
      out += ' ';
    } else if (visible(character) == character) {
      out += character;
    } else {
      out.append(character.size(), '?');
    }
    text.remove_prefix(character.size());
  }
  return out;
}

/// Returns the first position at or after `at` that is not inside a UTF-8 character.
size_t at_character(std::string_view text, size_t at) {
  for (size_t i = at; i < text.size() && i < at + 4; ++i) {
    if ((static_cast<unsigned char>(text[i]) & 0xc0) != 0x80) return i;
  }
  return at;
}

/// Returns a message on one line. A line break in it comes from an input, a server or an engine.
std::string one_line(std::string_view text) { return visible(shortened(shown_text(text))); }

}  // namespace

std::string Error::describe() const { return text_of(*this, "error: "); }

std::string text_of(const Error& error, std::string_view word) {
  const Place& place = error.place();
  std::string out;
  if (!place.file.empty()) out += visible(shown_name(place.file)) + ":";
  if (place.line) out += fmt::format("{}:{}:", *place.line, place.column.value_or(1));
  if (!out.empty()) out += ' ';
  out += word;
  if (!place.path.empty()) out += visible(shortened_path(place.path.text())) + ": ";
  out += one_line(error.message());
  if (!place.snippet.empty()) {
    std::string quoted_line = place.snippet;
    for (size_t at; (at = ci_command(quoted_line)) != std::string::npos;) quoted_line[at] = '?';
    const std::string_view line = quoted_line;
    const std::string_view margin = is_ci_command(line) ? "  | " : "  ";
    const size_t offset = std::min(place.snippet_offset, line.size());
    const std::string before = shown(line.substr(0, offset));
    const std::string wrong = shown(line.substr(offset, place.snippet_length));
    const std::string after =
        shown(line.substr(offset + std::min(place.snippet_length, line.size() - offset)));
    const auto columns = [](std::string_view text) {
      return static_cast<size_t>(display_width(text));
    };
    out += fmt::format("\n{}{}{}{}\n{}{}^{}", margin, before, wrong, after, margin,
                       std::string(columns(before), ' '),
                       std::string(std::max<size_t>(1, columns(wrong)) - 1, '~'));
  }
  std::string where;
  if (place.table) where += fmt::format("table {}, ", *place.table);
  if (place.row) where += fmt::format("row {}, ", *place.row);
  if (place.byte && !place.line) where += fmt::format("byte {}, ", *place.byte);
  if (!where.empty()) out += "\n  at " + where.substr(0, where.size() - 2);
  if (!error.hint().empty()) out += "\n  " + one_line(error.hint());
  return out;
}

Place place_in_text(std::string_view text, size_t offset, size_t length) {
  offset = std::min(offset, text.size());
  size_t line_start = text.substr(0, offset).rfind('\n');
  line_start = line_start == std::string_view::npos ? 0 : line_start + 1;
  size_t line_end = std::min(text.find('\n', offset), text.size());

  Place place;
  place.line = 1 + static_cast<uint64_t>(std::count(
                       text.begin(), text.begin() + static_cast<ptrdiff_t>(line_start), '\n'));
  place.column = offset - line_start + 1;
  place.byte = offset;

  // A window of the line around the offset, whole characters.
  size_t from = line_start;
  if (offset - line_start > kSnippetWidth / 2) {
    from = std::min(offset, at_character(text, offset - kSnippetWidth / 2));
  }
  const size_t to =
      std::min(line_end, at_character(text, std::min(line_end, from + kSnippetWidth)));
  const std::string_view cut = "…";
  if (from > line_start) place.snippet += cut;
  place.snippet_offset = place.snippet.size() + (offset - from);
  place.snippet_length = std::min(length, to > offset ? to - offset : 1);
  place.snippet += text.substr(from, to - from);
  if (to < line_end) place.snippet += cut;
  return place;
}

Error::Error(const Error&) = default;
Error::Error(Error&&) noexcept = default;
Error& Error::operator=(const Error&) = default;
Error& Error::operator=(Error&&) noexcept = default;
Error::~Error() = default;

}  // namespace xwalk
