#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

#include "xwalk/base/int128.h"
#include "xwalk/variant/fault.h"

namespace xwalk::variant {

/// A number of JSON.
struct JsonNumber {
  enum class Kind : uint8_t { Int64, Decimal, Double };
  Kind kind = Kind::Int64;
  Int128 unscaled = 0;
  int scale = 0;
  double real = 0;
};

/// Takes the tokens of a JSON text off its front.
class JsonCursor {
 public:
  explicit JsonCursor(std::string_view text)
      : begin_(text.data()), p_(begin_), end_(begin_ + text.size()) {}

  /// Skips space and returns the next byte, or 0 at the end.
  char peek();
  /// Takes a byte, after space, if it is the next.
  bool take(char byte);
  bool word(std::string_view word);
  /// Takes a string, whose quote is the next byte. The bytes are valid until the next call.
  Fault string(std::string_view* out);
  Fault number(JsonNumber* out);
  /// Takes the bytes up to a comma, a bracket, space or the end.
  std::string_view scalar();
  bool at_end() { return peek() == 0 && p_ == end_; }
  size_t offset() const { return static_cast<size_t>(p_ - begin_); }

 private:
  /// Takes the four digits of `\u`.
  bool code_unit(uint32_t* unit);
  Fault escape();

  const char* begin_;
  const char* p_;
  const char* end_;
  std::string unescaped_;
};

}  // namespace xwalk::variant
