#pragma once

#include <cstdint>
#include <cstring>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

// libxwalk.so shows what the installed headers declare.
#pragma GCC visibility push(default)

namespace xwalk::yson {

/// A YSON value as a tree. Meant for schemas, settings and single values; rows are decoded without
/// it. Maps keep their order and repeated keys, as the syntax does.
class Node {
 public:
  Node(const Node&);
  Node(Node&&) noexcept;
  Node& operator=(const Node&);
  Node& operator=(Node&&) noexcept;
  ~Node();

  enum class Kind : uint8_t { Entity, Boolean, Int64, Uint64, Double, String, List, Map };
  using List = std::vector<Node>;
  using Map = std::vector<std::pair<std::string, Node>>;

  Node();  ///< `#`
  static Node boolean(bool value);
  static Node int64(int64_t value);
  static Node uint64(uint64_t value);
  static Node real(double value);
  static Node string(std::string value);
  static Node list(List items = {});
  static Node map(Map entries = {});

  /// Change the node to another value, without attributes. A string reuses the memory of the one
  /// before.
  void set_entity() { set(std::monostate{}); }
  void set_boolean(bool value) { set(value); }
  void set_int64(int64_t value) { set(value); }
  void set_uint64(uint64_t value) { set(value); }
  void set_real(double value) { set(value); }
  void set_string(std::string_view value) {
    auto* text = std::get_if<std::string>(&value_);
    if (text == nullptr) text = &value_.emplace<std::string>();
    if (!value.empty() && text->size() == value.size()) {
      // It may be the string itself.
      std::memmove(text->data(), value.data(), value.size());
    } else {
      text->assign(value);
    }
    forget();
  }

  Kind kind() const { return static_cast<Kind>(value_.index()); }
  bool is(Kind kind) const { return this->kind() == kind; }

  /// The accessors throw Error (Input) naming the expected and the found kind.
  bool as_boolean() const;
  int64_t as_int64() const;
  uint64_t as_uint64() const;
  double as_double() const;
  const std::string& as_string() const;
  const List& as_list() const;
  const Map& as_map() const;
  List& as_list();
  Map& as_map();

  /// Returns the value of a key of a map (the last one, if it is repeated), or null.
  const Node* find(std::string_view key) const;
  /// Appends an entry to a map, or an item to a list.
  Node& add(std::string key, Node value);
  Node& add(Node value);

  bool has_attributes() const { return !attributes_.empty(); }
  const Map& attributes() const { return attributes_; }
  const Node* find_attribute(std::string_view key) const;
  Node& add_attribute(std::string key, Node value);

  /// Byte at which the value began in the text it was parsed from; for messages. Not compared.
  size_t source_offset() const { return source_offset_; }
  void set_source_offset(size_t offset) { source_offset_ = offset; }

  friend bool operator==(const Node& a, const Node& b);

 private:
  template <typename Value>
  void set(Value value) {
    if (auto* there = std::get_if<Value>(&value_)) {
      *there = value;
    } else {
      value_ = value;
    }
    forget();
  }
  void forget() {
    if (!attributes_.empty()) attributes_.clear();
    source_offset_ = 0;
  }

  std::variant<std::monostate, bool, int64_t, uint64_t, double, std::string, List, Map> value_;
  Map attributes_;
  size_t source_offset_ = 0;
};

// A friend alone would not be shown.
bool operator==(const Node& a, const Node& b);

/// Returns the word for a kind in messages: "list", "string", "int64", "entity"…
std::string_view kind_name(Node::Kind kind);

/// Throws Error (Input) at the byte of a node.
[[noreturn]] void fail_at(const Node& node, std::string message, std::string hint = {});

/// Returns the kind of a node in messages, and its text if it is a string.
std::string described(const Node& node);

}  // namespace xwalk::yson

#pragma GCC visibility pop
