#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

#include "xwalk/base/error.h"
#include "xwalk/base/limits.h"

namespace xwalk {

/// Returns the text without white space at both ends.
std::string_view trimmed(std::string_view text);

/// Returns the integer that the whole text is, if it is in the range.
std::optional<int64_t> integer_of(std::string_view text, int64_t low, int64_t high);

/// Reads the written form of a type or a schema from its begin to its end. White space is space,
/// tab, line feed and carriage return; methods that take something skip the white space before it.
/// Errors are Error (Input) with line and column.
class TextCursor {
 public:
  enum class Comments : uint8_t { No, Yes };

  /// Comments begin with `#` or `//`, end with the line and are white space.
  explicit TextCursor(std::string_view text, Comments comments = Comments::No)
      : text_(text), comments_(comments) {}

  std::string_view text() const { return text_; }
  size_t at() const { return at_; }
  void move_to(size_t at) { at_ = std::min(at, text_.size()); }
  /// Returns the text from the cursor on.
  std::string_view rest() const { return text_.substr(at_); }
  /// Returns the text between an earlier place and the cursor.
  std::string_view since(size_t start) const { return text_.substr(start, at_ - start); }
  /// Returns true if a line ends in the white space directly before the cursor.
  bool at_line_start() const;

  void skip_space() {
    if (comments_ == Comments::Yes || (at_ < text_.size() && text_[at_] <= ' ')) skip_blanks();
  }
  /// Skips white space and returns the offset of the next token.
  size_t start() { return skip_space(), at_; }
  bool at_end() { return start() == text_.size(); }
  bool peek(char c) { return !at_end() && text_[at_] == c; }
  bool peek(std::string_view token) { return skip_space(), rest().starts_with(token); }
  bool take(char c);
  bool take(std::string_view token);
  void expect(char c);
  void expect_end();

  /// Takes the characters for which `belongs` is true. The result may be empty.
  template <typename Predicate>
  std::string_view take_while(Predicate belongs) {
    const size_t start = this->start();
    while (at_ < text_.size() && belongs(text_[at_])) ++at_;
    return since(start);
  }
  /// Takes at least one such character.
  template <typename Predicate>
  std::string_view word(Predicate belongs, std::string_view what) {
    const std::string_view found = take_while(belongs);
    if (found.empty()) expected(what);
    return found;
  }
  /// Takes a word that is an integer. `what` describes it in the error, by default with its range.
  int64_t integer(int64_t low, int64_t high, std::string_view what = {});

  /// Reads one escape after its backslash, and appends its meaning.
  using Escape = std::function<void(std::string*)>;
  /// Takes the text between quotes; the next character is the quote that also ends it.
  std::string quoted_text(const Escape& escape);
  /// The same with the escapes `letters`: control characters by their letter in C, `x` with two hex
  /// digits, `u` with a code point in hex between braces, and characters that mean themselves.
  std::string quoted_text(std::string_view letters);

  /// Throws the error "expected …, found …" for the token at the cursor or at an offset.
  [[noreturn]] void expected(std::string_view what, std::string hint = {});
  [[noreturn]] void expected_at(size_t at, std::string_view what, std::string hint = {}) const;
  /// Throws an error about `length` bytes.
  [[noreturn]] void fail(size_t at, size_t length, std::string message,
                         std::string hint = {}) const;
  /// Returns a name: a string of JSON, or the text before one of `ends` without the blanks around
  /// it. Throws Error (Input) for an empty one and an invalid string.
  std::string json_name(std::string_view ends);
  /// Throws if a type has more types around it than allowed.
  void check_depth(int depth, int most = limits::kSchemaDepth) const;

  /// Calls a function. If it throws an Error without a place, adds the place of the text that
  /// begins at `start`: up to the cursor, or the token there.
  template <typename Function>
  auto with_place(size_t start, Function function) const {
    try {
      return function();
    } catch (Error& error) {
      if (!error.place().line) error.place() = place_in_text(text_, start, length_since(start));
      throw;
    }
  }

 private:
  void skip_blanks();
  size_t token_length(size_t at) const;
  size_t length_since(size_t start) const {
    return at_ > start ? at_ - start : std::max<size_t>(1, token_length(start));
  }
  void escape(std::string_view letters, std::string* out);

  std::string_view text_;
  size_t at_ = 0;
  Comments comments_;
};

}  // namespace xwalk
