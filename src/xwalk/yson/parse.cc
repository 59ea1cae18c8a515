#include "xwalk/yson/parse.h"

#include <algorithm>

#include <fmt/format.h>

#include "xwalk/yson/lexer.h"

namespace xwalk::yson {
namespace {

/// Recursive descent; the depth limit bounds the stack.
class Parser {
 public:
  Parser(std::string_view bytes, const ParseOptions& options)
      : lexer_(bytes), depth_left_(std::min(options.max_depth, kMaxDepth)) {
    advance();
  }

  Node value() {
    Node::Map attributes;
    if (token_.kind == TokenKind::AttributesBegin) {
      attributes = entries(TokenKind::AttributesEnd, "\";\" or \">\"");
      if (token_.kind == TokenKind::AttributesBegin) {
        lexer_.fail("a value after its attributes", token_);
      }
    }
    size_t offset = token_.offset;
    Node node = bare_value();
    node.set_source_offset(offset);
    for (auto& [key, attribute] : attributes) {
      node.add_attribute(std::move(key), std::move(attribute));
    }
    return node;
  }

  Node::List list_fragment() { return items(TokenKind::End, "\";\" or the end of the input"); }

  Node::Map map_fragment() { return pairs(TokenKind::End, "\";\" or the end of the input"); }

  void expect_end() {
    if (token_.kind == TokenKind::End) return;
    lexer_.fail("the end of the input after one value", token_);
  }

 private:
  void advance() { token_ = lexer_.next(); }

  Node bare_value() {
    Node node;
    switch (token_.kind) {
      case TokenKind::ListBegin:
        open();
        node = Node::list(items(TokenKind::ListEnd, "\";\" or \"]\""));
        close();
        return node;
      case TokenKind::MapBegin:
        return Node::map(entries(TokenKind::MapEnd, "\";\" or \"}\""));
      case TokenKind::Entity:
        break;
      case TokenKind::Boolean:
        node = Node::boolean(token_.boolean);
        break;
      case TokenKind::Int64:
        node = Node::int64(token_.int64);
        break;
      case TokenKind::Uint64:
        node = Node::uint64(token_.uint64);
        break;
      case TokenKind::Double:
        node = Node::real(token_.real);
        break;
      case TokenKind::String:
        node = Node::string(token_.string());
        break;
      case TokenKind::End:
      case TokenKind::ListEnd:
      case TokenKind::MapEnd:
      case TokenKind::AttributesBegin:
      case TokenKind::AttributesEnd:
      case TokenKind::Separator:
      case TokenKind::Equals:
        lexer_.fail("a value", token_);
    }
    advance();
    return node;
  }

  /// Entries between brackets, the token at the opening one.
  Node::Map entries(TokenKind end, std::string_view separator) {
    open();
    Node::Map map = pairs(end, separator);
    close();
    return map;
  }

  Node::List items(TokenKind end, std::string_view separator) {
    Node::List list;
    while (token_.kind != end) {
      list.push_back(value());
      if (!next_item(end, separator)) break;
    }
    return list;
  }

  Node::Map pairs(TokenKind end, std::string_view separator) {
    Node::Map map;
    while (token_.kind != end) {
      if (token_.kind != TokenKind::String) lexer_.fail("a string as key", token_);
      std::string key = token_.string();
      advance();
      if (token_.kind != TokenKind::Equals) lexer_.fail("\"=\" after the key", token_);
      advance();
      map.emplace_back(std::move(key), value());
      if (!next_item(end, separator)) break;
    }
    return map;
  }

  bool next_item(TokenKind end, std::string_view separator) {
    if (token_.kind == end) return false;
    if (token_.kind != TokenKind::Separator) lexer_.fail(separator, token_);
    advance();
    return true;
  }

  void open() {
    if (depth_left_ == 0) lexer_.fail("fewer nested values (the depth limit)", token_);
    --depth_left_;
    advance();
  }

  void close() {
    ++depth_left_;
    advance();
  }

  Lexer lexer_;
  Token token_;
  int depth_left_;
};

bool is_marker(char c) { return c >= marker::kString && c <= marker::kUint64; }

}  // namespace

Node parse(std::string_view bytes, const ParseOptions& options) {
  Parser parser(bytes, options);
  Node node = parser.value();
  parser.expect_end();
  return node;
}

std::vector<Node> parse_list_fragment(std::string_view bytes, const ParseOptions& options) {
  return Parser(bytes, options).list_fragment();
}

Node parse_map_fragment(std::string_view bytes, const ParseOptions& options) {
  return Node::map(Parser(bytes, options).map_fragment());
}

Node parse_fragment(std::string_view bytes, Fragment fragment, const ParseOptions& options) {
  switch (fragment) {
    case Fragment::Node:
      return parse(bytes, options);
    case Fragment::List:
      return Node::list(parse_list_fragment(bytes, options));
    case Fragment::Map:
      return parse_map_fragment(bytes, options);
  }
  throw Error(ErrorCode::Usage, "expected a YSON fragment kind");
}

Place place_in(std::string_view document, size_t offset, size_t length) {
  offset = std::min(offset, document.size());
  std::string_view before = document.substr(0, std::min(offset + 1, document.size()));
  if (std::none_of(before.begin(), before.end(), is_marker)) {
    return place_in_text(document, offset, length);
  }
  Place place;
  place.byte = offset;
  return place;
}

}  // namespace xwalk::yson
