#include "xwalk/base/display.h"

#include <algorithm>
#include <cstddef>
#include <utf8proc.h>

namespace xwalk {
namespace {

/// One character as a reader sees it: its bytes and its columns.
struct Cluster {
  size_t bytes;
  int width;
};

/// Reads one code point. A malformed byte counts as one, of one column.
size_t read(std::string_view text, utf8proc_int32_t* code) {
  const auto* bytes = reinterpret_cast<const utf8proc_uint8_t*>(text.data());
  const auto size = static_cast<utf8proc_ssize_t>(std::min<size_t>(text.size(), 4));
  const utf8proc_ssize_t length = utf8proc_iterate(bytes, size, code);
  if (length > 0) return static_cast<size_t>(length);
  *code = 0xFFFD;
  return 1;
}

bool is_printable_ascii(char c) { return c >= ' ' && c <= '~'; }

/// Returns how many leading characters of a text are one byte and one column each. ASCII characters
/// never combine with the character before.
size_t plain_characters(std::string_view text) {
  const size_t ascii =
      static_cast<size_t>(std::ranges::find_if_not(text, is_printable_ascii) - text.begin());
  return ascii == text.size() || ascii == 0 ? ascii : ascii - 1;
}

Cluster first_cluster(std::string_view text) {
  utf8proc_int32_t code = 0;
  Cluster cluster{read(text, &code), 0};
  cluster.width = utf8proc_charwidth(code);
  utf8proc_int32_t state = 0;
  while (cluster.bytes < text.size()) {
    utf8proc_int32_t next = 0;
    const size_t length = read(text.substr(cluster.bytes), &next);
    if (utf8proc_grapheme_break_stateful(code, next, &state)) break;
    // What joins a character, such as a mark or another emoji, shares its columns.
    cluster.width = std::max(cluster.width, utf8proc_charwidth(next));
    cluster.bytes += length;
    code = next;
  }
  return cluster;
}

/// Returns the length of the colour escape at the start of a text, or 0.
size_t colour_bytes(std::string_view text) {
  if (!text.starts_with('\x1b')) return 0;
  return std::min(text.find('m'), text.size() - 1) + 1;
}

}  // namespace

int display_width(std::string_view text) {
  int width = 0;
  while (true) {
    const size_t plain = plain_characters(text);
    width += static_cast<int>(plain);
    text.remove_prefix(plain);
    if (text.empty()) return width;
    const size_t colour = colour_bytes(text);
    const Cluster cluster = colour > 0 ? Cluster{colour, 0} : first_cluster(text);
    width += cluster.width;
    text.remove_prefix(cluster.bytes);
  }
}

std::string clip(std::string_view text, int width) {
  if (display_width(text) <= width) return std::string(text);
  if (width <= 0) return "";
  size_t kept = std::min(plain_characters(text), static_cast<size_t>(width - 1));
  for (int used = static_cast<int>(kept); kept < text.size();) {
    const Cluster cluster = first_cluster(text.substr(kept));
    used += cluster.width;
    if (used > width - 1) break;
    kept += cluster.bytes;
  }
  return std::string(text.substr(0, kept)) + "…";
}

}  // namespace xwalk
