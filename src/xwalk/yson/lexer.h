#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "xwalk/yson/scan.h"

namespace xwalk::yson {

enum class TokenKind : uint8_t {
  End,  ///< the bytes end
  ListBegin,
  ListEnd,
  MapBegin,
  MapEnd,
  AttributesBegin,
  AttributesEnd,
  Separator,
  Equals,
  Entity,
  Boolean,
  Int64,
  Uint64,
  Double,
  String,
};

/// One token. `offset` and `size` are its position in the document.
struct Token {
  TokenKind kind = TokenKind::End;
  bool escaped = false;  ///< a string whose text still has its escapes
  size_t offset = 0;
  size_t size = 0;
  union {
    int64_t int64 = 0;
    uint64_t uint64;
    double real;
    bool boolean;
  };
  /// A string's bytes in the document, without quotes; with escapes if `escaped`.
  std::string_view text;

  /// Returns a string's value.
  std::string string() const;
};

/// Reads the tokens of a document in memory one by one, text and binary mixed as they come. It does
/// not know the grammar: brackets need not match.
class Lexer {
 public:
  /// The document outlives the lexer and its tokens.
  explicit Lexer(std::string_view document)
      : document_(document), p_(document.data()), end_(document.data() + document.size()) {}

  /// Reads the next token. Throws Error (Input) if there is no valid token.
  Token next();

  std::string_view document() const { return document_; }
  size_t offset() const { return static_cast<size_t>(p_ - document_.data()); }

  /// Throws Error (Input) "expected …, found …" with the place of the token.
  [[noreturn]] void fail(std::string_view expected, const Token& found) const;

 private:
  [[noreturn]] void fail(Status status, const char* begin, const char* at) const;

  std::string_view document_;
  const char* p_;
  const char* end_;
};

}  // namespace xwalk::yson
