#include "xwalk/base/error.h"

#include <algorithm>

#include <fmt/format.h>

#include "xwalk/base/text.h"

namespace xwalk {
namespace {

/// Width of the snippet shown under a message: fits 80 columns with its indent.
constexpr size_t kSnippetWidth = 72;

}  // namespace

std::string Error::describe() const {
  std::string out;
  if (!place_.file.empty()) out += place_.file + ":";
  if (place_.line) out += fmt::format("{}:{}:", *place_.line, place_.column.value_or(1));
  if (!out.empty()) out += ' ';
  out += "error: ";
  if (!place_.path.empty()) out += place_.path.text() + ": ";
  out += message_;
  if (!place_.snippet.empty()) {
    size_t offset = std::min(place_.snippet_offset, place_.snippet.size());
    size_t length = std::max<size_t>(1, place_.snippet_length);
    length = std::min(length, std::max<size_t>(1, place_.snippet.size() - offset));
    out += fmt::format("\n  {}\n  {}^{}", place_.snippet, std::string(offset, ' '),
                       std::string(length - 1, '~'));
  }
  std::string where;
  if (place_.table) where += fmt::format("table {}, ", *place_.table);
  if (place_.row) where += fmt::format("row {}, ", *place_.row);
  if (place_.byte && !place_.line) where += fmt::format("byte {}, ", *place_.byte);
  if (!where.empty()) out += "\n  at " + where.substr(0, where.size() - 2);
  if (!hint_.empty()) out += "\n  " + hint_;
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

  // A window of the line around the offset; unprintable bytes become '?' so that the caret stays
  // under the right column.
  size_t from = offset - line_start > kSnippetWidth / 2 ? offset - kSnippetWidth / 2 : line_start;
  size_t to = std::min(line_end, from + kSnippetWidth);
  std::string snippet;
  if (from > line_start) snippet += "…";
  size_t prefix = from > line_start ? 1 : 0;  // "…" is three bytes but one column
  for (char c : text.substr(from, to - from)) {
    auto byte = static_cast<unsigned char>(c);
    snippet += byte < 0x20 || byte >= 0x7f ? (c == '\t' ? ' ' : '?') : c;
  }
  if (to < line_end) snippet += "…";
  place.snippet = std::move(snippet);
  place.snippet_offset = prefix + (offset - from);
  place.snippet_length = std::min(length, to > offset ? to - offset : 1);
  return place;
}

}  // namespace xwalk
