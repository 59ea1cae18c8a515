#include "xwalk/cli/toml_nesting.h"

#include <algorithm>
#include <cstdint>
#include <vector>

#include <fmt/format.h>

#include "xwalk/base/error.h"

namespace xwalk::cli {
namespace {

/// A project file has three levels, and storage options and accepted findings one more each.
constexpr size_t kMostLevels = 64;

/// Returns the position after the string that begins at `at`.
size_t end_of_string(std::string_view text, size_t at) {
  const char quote = text[at];
  const bool escapes = quote == '"';
  const bool is_long = text.substr(at).starts_with(std::string(3, quote));
  const size_t size = is_long ? 3 : 1;
  for (at += size; at < text.size(); ++at) {
    if (escapes && text[at] == '\\') {
      ++at;
    } else if (text[at] == quote && text.substr(at).starts_with(std::string(size, quote))) {
      at += size;
      // Two more quotes may belong to a long string.
      for (size_t more = 0; is_long && more < 2 && text.substr(at).starts_with(quote); ++more) ++at;
      return at;
    } else if (!is_long && text[at] == '\n') {
      return at;  // the parser refuses it
    }
  }
  return text.size();
}

/// Counts the levels at each character of a text.
class Levels {
 public:
  /// Takes a character outside of strings and comments.
  void take(char c) {
    if (c == '\n') {
      if (open_.empty()) begin_line();
    } else if (is_header_) {
      header_ += c == '.' || c == '[' ? 1 : 0;
    } else if (c == '[' && open_.empty() && !in_value_) {
      is_header_ = true;
      header_ = 1;
    } else if (c == '[' || c == '{') {
      open_.push_back({dots_ + 1, c == '{'});
      levels_ += dots_ + 1;
      begin_key(c == '{');
    } else if ((c == ']' || c == '}') && !open_.empty()) {
      levels_ -= open_.back().levels;
      open_.pop_back();
      begin_key(false);
    } else if (c == ',' && !open_.empty()) {
      begin_key(open_.back().is_table);
    } else if (c == '=') {
      in_value_ = true;
    } else if (c == '.' && !in_value_) {
      ++dots_;
    }
  }
  size_t count() const { return header_ + levels_ + dots_; }

 private:
  struct Open {
    size_t levels;
    bool is_table;
  };

  void begin_line() {
    is_header_ = false;
    begin_key(true);
  }
  void begin_key(bool is_key) {
    in_value_ = !is_key;
    dots_ = 0;
  }

  std::vector<Open> open_;
  /// Of the last header, of the brackets that are open, and of the key.
  size_t header_ = 0;
  size_t levels_ = 0;
  size_t dots_ = 0;
  bool is_header_ = false;
  bool in_value_ = false;
};

}  // namespace

void check_nesting(std::string_view text, const std::string& file) {
  Levels levels;
  uint64_t line = 1;
  for (size_t at = 0; at < text.size();) {
    size_t next = at + 1;
    if (text[at] == '"' || text[at] == '\'') {
      next = end_of_string(text, at);
    } else if (text[at] == '#') {
      next = std::min(text.find('\n', at), text.size());
    } else {
      levels.take(text[at]);
    }
    // guard(allocate): tables of TOML are nested at most 64 deep before the parser sees them.
    if (levels.count() > kMostLevels) {
      throw Error(ErrorCode::Usage,
                  fmt::format("expected at most {} levels of tables, found more", kMostLevels),
                  {.file = file, .line = line});
    }
    line += static_cast<uint64_t>(std::count(text.begin() + static_cast<ptrdiff_t>(at),
                                             text.begin() + static_cast<ptrdiff_t>(next), '\n'));
    at = next;
  }
}

}  // namespace xwalk::cli
