#include "xwalk/base/json.h"

#include <array>
#include <atomic>
#include <cstddef>
#include <vector>

#include <fmt/format.h>
#include <simdjson.h>

#include "xwalk/base/text.h"

namespace xwalk {
namespace {

/// Follows the grammar, token by token. The bytes are UTF-8.
class Grammar {
 public:
  explicit Grammar(std::string_view text) : p_(text.data()), end_(p_ + text.size()) {}

  /// Returns the current position: where `text` returned false, that of the error.
  size_t position(std::string_view text) const { return static_cast<size_t>(p_ - text.data()); }

  bool text() {
    // Each round reads one value, and the closing brackets after it.
    for (;;) {
      skip_space();
      if (p_ == end_) return false;
      const char first = *p_;
      if (first == '[' || first == '{') {
        ++p_;
        if (!open(first)) return false;
        if (!closed_) continue;
      } else if (!scalar(first)) {
        return false;
      }
      if (!separators()) return false;
      if (done_) return p_ == end_;
    }
  }

 private:
  /// Enters a list or an object, or passes an empty one.
  bool open(char bracket) {
    const bool object = bracket == '{';
    skip_space();
    closed_ = take(object ? '}' : ']');
    if (closed_) return true;
    objects_.push_back(object);
    return !object || key();
  }

  /// Passes brackets that close and the comma before the next value.
  bool separators() {
    for (;;) {
      skip_space();
      done_ = objects_.empty();
      if (done_) return true;
      if (take(',')) {
        skip_space();
        return !objects_.back() || key();
      }
      if (!take(objects_.back() ? '}' : ']')) return false;
      objects_.pop_back();
    }
  }

  bool key() {
    if (!string()) return false;
    skip_space();
    return take(':');
  }

  bool scalar(char first) {
    switch (first) {
      case '"':
        return string();
      case 't':
        return word("true");
      case 'f':
        return word("false");
      case 'n':
        return word("null");
      default:
        return number();
    }
  }

  bool word(std::string_view expected) {
    if (!std::string_view(p_, static_cast<size_t>(end_ - p_)).starts_with(expected)) return false;
    p_ += expected.size();
    return true;
  }

  bool string() {
    if (!take('"')) return false;
    while (p_ < end_) {
      const char c = *p_;
      if (static_cast<unsigned char>(c) < 0x20) return false;
      ++p_;
      if (c == '"') return true;
      if (c == '\\' && !escape()) return false;
    }
    return false;
  }

  bool escape() {
    if (p_ == end_ || std::string_view("\"\\/bfnrtu").find(*p_) == std::string_view::npos)
      return false;
    if (*p_++ != 'u') return true;
    for (int digits = 0; digits < 4; ++digits, ++p_) {
      const bool hex = p_ < end_ && (is_ascii_digit(*p_) || (*p_ >= 'a' && *p_ <= 'f') ||
                                     (*p_ >= 'A' && *p_ <= 'F'));
      if (!hex) return false;
    }
    return true;
  }

  bool number() {
    take('-');
    if (!take('0') && !digits()) return false;
    if (take('.') && !digits()) return false;
    if (!take('e') && !take('E')) return true;
    if (!take('+')) take('-');
    return digits();
  }

  bool digits() {
    const char* begin = p_;
    while (p_ < end_ && is_ascii_digit(*p_)) ++p_;
    return p_ > begin;
  }

  bool take(char c) {
    if (p_ == end_ || *p_ != c) return false;
    ++p_;
    return true;
  }

  void skip_space() {
    while (p_ < end_ && (*p_ == ' ' || *p_ == '\t' || *p_ == '\n' || *p_ == '\r')) ++p_;
  }

  const char* p_;
  const char* end_;
  /// What is open: a bit each, true for an object.
  std::vector<bool> objects_;
  bool closed_ = false;
  bool done_ = false;
};

/// A parser that keeps its buffers between calls, for the threads of one number.
struct alignas(64) KeptParser {
  std::atomic<bool> busy = false;
  simdjson::dom::parser parser;
};

/// Returns the parser of this thread. It isn't a variable of each thread: its destructor would be
/// registered under a lock that a plugin whose loading failed keeps for ever.
KeptParser& kept_parser() {
  constexpr size_t kParsers = 64;
  // Never destroyed: a thread may still use it while the process ends.
  static auto* const parsers = new std::array<KeptParser, kParsers>;
  static std::atomic<size_t> threads = 0;
  thread_local size_t number = kParsers;
  if (number == kParsers) number = threads++ % kParsers;
  return (*parsers).at(number);
}

bool parses(simdjson::dom::parser& parser, std::string_view bytes) {
  simdjson::dom::element element;
  return parser.parse(bytes.data(), bytes.size()).get(element) == simdjson::SUCCESS;
}

bool parses(std::string_view bytes) {
  // The buffers of a large one would be kept for longer than they are needed.
  constexpr size_t kMostKept = size_t{1} << 20;
  KeptParser& kept = kept_parser();
  if (bytes.size() > kMostKept || kept.busy.exchange(true, std::memory_order_acquire)) {
    simdjson::dom::parser parser;
    return parses(parser, bytes);
  }
  const bool valid = parses(kept.parser, bytes);
  kept.busy.store(false, std::memory_order_release);
  return valid;
}

}  // namespace

bool is_valid_json(std::string_view bytes) {
  // Some versions of simdjson skip a byte order mark, which the grammar does not have.
  const bool is_marked = bytes.starts_with("\xEF\xBB\xBF");
  if (!is_marked && parses(bytes)) return true;
  // It has limits that the grammar has not: of numbers, of nesting, of what an escape names.
  return is_valid_utf8(bytes) && Grammar(bytes).text();
}

void check_json_document(std::string_view text, ErrorCode code) {
  size_t depth = 0;
  bool in_string = false;
  for (size_t i = 0; i < text.size(); ++i) {
    const char c = text[i];
    if (c == '\0') {
      throw Error(code, "expected JSON, found a zero byte", place_in_text(text, i));
    }
    if (c == '"') in_string = !in_string;
    if (in_string) {
      if (c == '\\') ++i;
      continue;
    }
    if ((c == '[' || c == '{') && ++depth > kJsonDepth) {
      throw Error(code, fmt::format("expected at most {} nested values in JSON", kJsonDepth),
                  place_in_text(text, i));
    }
    if ((c == ']' || c == '}') && depth > 0) --depth;
  }
}

size_t json_fault(std::string_view bytes) {
  const size_t text = utf8_prefix(bytes);
  Grammar grammar(bytes.substr(0, text));
  (void)grammar.text();
  return grammar.position(bytes);
}

}  // namespace xwalk
