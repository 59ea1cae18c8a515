#include "xwalk/base/text_cursor.h"

#include <charconv>

#include <fmt/format.h>

#include "xwalk/base/nlohmann_json.h"
#include "xwalk/base/text.h"
#include "xwalk/base/utf8.h"

namespace xwalk {
namespace {

constexpr std::string_view kSpace = " \t\n\r";

bool is_space(char c) { return c == ' ' || c == '\t' || c == '\n' || c == '\r'; }

/// Characters of the words in the messages: those of names, numbers and time zones, and all of
/// UTF-8 outside ASCII.
bool is_token_char(char c) {
  return is_ascii_alnum(c) || static_cast<unsigned char>(c) >= 0x80 ||
         std::string_view("_$.-+").find(c) != std::string_view::npos;
}

bool is_integer_char(char c) { return is_ascii_alnum(c) || c == '_' || c == '-' || c == '+'; }

}  // namespace

std::string_view trimmed(std::string_view text) {
  const size_t start = text.find_first_not_of(kSpace);
  if (start == std::string_view::npos) return {};
  return text.substr(start, text.find_last_not_of(kSpace) - start + 1);
}

std::optional<int64_t> integer_of(std::string_view text, int64_t low, int64_t high) {
  const char* const last = text.data() + text.size();
  int64_t value = 0;
  const auto [end, error] = std::from_chars(text.data(), last, value);
  if (error != std::errc() || end != last || value < low || value > high) return std::nullopt;
  return value;
}

bool TextCursor::at_line_start() const {
  for (size_t i = at_; i > 0 && is_space(text_[i - 1]); --i) {
    if (text_[i - 1] == '\n') return true;
  }
  return false;
}

void TextCursor::skip_blanks() {
  for (; at_ < text_.size(); ++at_) {
    const bool comment =
        comments_ == Comments::Yes && (text_[at_] == '#' || rest().starts_with("//"));
    if (comment) at_ = std::min(text_.find('\n', at_), text_.size() - 1);
    if (!comment && !is_space(text_[at_])) return;
  }
}

bool TextCursor::take(char c) {
  if (!peek(c)) return false;
  ++at_;
  return true;
}

bool TextCursor::take(std::string_view token) {
  if (!peek(token)) return false;
  at_ += token.size();
  return true;
}

void TextCursor::expect(char c) {
  if (!take(c)) expected(fmt::format("'{}'", c));
}

void TextCursor::expect_end() {
  if (!at_end()) expected("the end");
}

int64_t TextCursor::integer(int64_t low, int64_t high, std::string_view what) {
  const size_t start = this->start();
  const std::optional<int64_t> value = integer_of(take_while(is_integer_char), low, high);
  if (value) return *value;
  expected_at(
      start, what.empty() ? fmt::format("an integer from {} to {}", low, high) : std::string(what));
}

std::string TextCursor::quoted_text(const Escape& escape) {
  const size_t start = this->start();
  const char quote = text_[at_++];
  std::string out;
  while (at_ < text_.size()) {
    const char c = text_[at_++];
    if (c == quote) return out;
    if (c != '\\') {
      out += c;
    } else if (at_ < text_.size()) {
      escape(&out);
    }
  }
  fail(start, 1, "expected a closing quote, found the end");
}

std::string TextCursor::quoted_text(std::string_view letters) {
  return quoted_text([&](std::string* out) { escape(letters, out); });
}

void TextCursor::escape(std::string_view letters, std::string* out) {
  const size_t start = at_ - 1;
  const char letter = text_[at_++];
  if (letters.find(letter) == std::string_view::npos) {
    std::string known;
    for (char c : letters)
      known += fmt::format(" \\{}{}", c, c == 'x' ? "HH" : c == 'u' ? "{…}" : "");
    fail(start, 2, fmt::format("expected an escape of{}, found {}", known, text_.substr(start, 2)));
  }
  constexpr std::string_view kControls = "0abtnvfr";
  constexpr std::string_view kMeanings("\0\a\b\t\n\v\f\r", 8);
  if (letter != 'x' && letter != 'u') {
    const size_t control = kControls.find(letter);
    *out += control == std::string_view::npos ? letter : kMeanings[control];
    return;
  }
  const bool braces = letter == 'u';
  const size_t first = at_ + (braces ? 1 : 0);
  const size_t end = braces ? text_.find('}', at_) : at_ + 2;
  const std::string_view digits =
      end > text_.size() || (braces && text_[at_] != '{') ? "" : text_.substr(first, end - first);
  uint32_t value = 0;
  const auto [stop, error] =
      std::from_chars(digits.data(), digits.data() + digits.size(), value, 16);
  const bool whole = error == std::errc() && stop == digits.data() + digits.size();
  if (!whole || value > 0x10FFFF || (value >= 0xD800 && value <= 0xDFFF)) {
    expected_at(at_, braces ? "a code point in hex between braces" : "two hex digits");
  }
  if (braces) {
    append_utf8(value, out);
  } else {
    *out += static_cast<char>(value);
  }
  at_ = braces ? end + 1 : end;
}

void TextCursor::expected(std::string_view what, std::string hint) {
  expected_at(start(), what, std::move(hint));
}

void TextCursor::expected_at(size_t at, std::string_view what, std::string hint) const {
  const size_t length = token_length(at);
  const std::string found = length == 0 ? "the end" : clipped(text_.substr(at, length));
  fail(at, std::max<size_t>(1, length), fmt::format("expected {}, found {}", what, found),
       std::move(hint));
}

void TextCursor::fail(size_t at, size_t length, std::string message, std::string hint) const {
  throw Error(ErrorCode::Input, std::move(message), place_in_text(text_, at, length),
              std::move(hint));
}

std::string TextCursor::json_name(std::string_view ends) {
  const size_t start = this->start();
  if (peek('"')) {
    // The escapes are those of JSON.
    (void)quoted_text([&](std::string*) { move_to(at_ + 1); });
    const auto json = nlohmann::json::parse(since(start), nullptr, /*allow_exceptions=*/false);
    if (!json.is_string()) {
      fail(start, at_ - start, "expected a name as a string of JSON");
    }
    return json.get<std::string>();
  }
  const auto belongs = [ends](char c) { return ends.find(c) == std::string_view::npos; };
  return std::string(trimmed(word(belongs, "a name")));
}

void TextCursor::check_depth(int depth, int most) const {
  if (depth > most) {
    fail(at_, 1, fmt::format("expected at most {} nested types, found more", most));
  }
}

size_t TextCursor::token_length(size_t at) const {
  size_t end = at;
  while (end < text_.size() && is_token_char(text_[end])) ++end;
  if (end == at && at < text_.size()) ++end;
  return end - at;
}

}  // namespace xwalk
