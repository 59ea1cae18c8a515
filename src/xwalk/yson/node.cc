#include "xwalk/yson/node.h"

#include <bit>
#include <cmath>

#include <fmt/format.h>

#include "xwalk/base/error.h"
#include "xwalk/base/text.h"

namespace xwalk::yson {
namespace {

[[noreturn]] void fail_kind(Node::Kind expected, const Node& found) {
  fail_at(found, fmt::format("expected {}, found {}", kind_name(expected), described(found)));
}

template <typename Value, typename Variant>
auto& checked(Variant& value, Node::Kind expected, const Node& node) {
  auto* found = std::get_if<Value>(&value);
  if (found == nullptr) fail_kind(expected, node);
  return *found;
}

const Node* find_last(const Node::Map& entries, std::string_view key) {
  for (auto entry = entries.rbegin(); entry != entries.rend(); ++entry) {
    if (entry->first == key) return &entry->second;
  }
  return nullptr;
}

/// NaN equals NaN regardless of its bits; -0 and 0 differ.
bool same_double(double a, double b) {
  if (std::isnan(a) || std::isnan(b)) return std::isnan(a) && std::isnan(b);
  return std::bit_cast<uint64_t>(a) == std::bit_cast<uint64_t>(b);
}

}  // namespace

Node Node::boolean(bool value) {
  Node node;
  node.value_ = value;
  return node;
}

Node Node::int64(int64_t value) {
  Node node;
  node.value_ = value;
  return node;
}

Node Node::uint64(uint64_t value) {
  Node node;
  node.value_ = value;
  return node;
}

Node Node::real(double value) {
  Node node;
  node.value_ = value;
  return node;
}

Node Node::string(std::string value) {
  Node node;
  node.value_ = std::move(value);
  return node;
}

Node Node::list(List items) {
  Node node;
  node.value_ = std::move(items);
  return node;
}

Node Node::map(Map entries) {
  Node node;
  node.value_ = std::move(entries);
  return node;
}

bool Node::as_boolean() const { return checked<bool>(value_, Kind::Boolean, *this); }
int64_t Node::as_int64() const { return checked<int64_t>(value_, Kind::Int64, *this); }
uint64_t Node::as_uint64() const { return checked<uint64_t>(value_, Kind::Uint64, *this); }
double Node::as_double() const { return checked<double>(value_, Kind::Double, *this); }
const std::string& Node::as_string() const {
  return checked<std::string>(value_, Kind::String, *this);
}
const Node::List& Node::as_list() const { return checked<List>(value_, Kind::List, *this); }
const Node::Map& Node::as_map() const { return checked<Map>(value_, Kind::Map, *this); }
Node::List& Node::as_list() { return checked<List>(value_, Kind::List, *this); }
Node::Map& Node::as_map() { return checked<Map>(value_, Kind::Map, *this); }

const Node* Node::find(std::string_view key) const { return find_last(as_map(), key); }

const Node* Node::find_attribute(std::string_view key) const { return find_last(attributes_, key); }

Node& Node::add(std::string key, Node value) {
  as_map().emplace_back(std::move(key), std::move(value));
  return *this;
}

Node& Node::add(Node value) {
  as_list().push_back(std::move(value));
  return *this;
}

Node& Node::add_attribute(std::string key, Node value) {
  attributes_.emplace_back(std::move(key), std::move(value));
  return *this;
}

bool operator==(const Node& a, const Node& b) {
  if (a.kind() != b.kind() || a.attributes_ != b.attributes_) return false;
  if (a.is(Node::Kind::Double)) {
    return same_double(std::get<double>(a.value_), std::get<double>(b.value_));
  }
  return a.value_ == b.value_;
}

std::string_view kind_name(Node::Kind kind) {
  switch (kind) {
    case Node::Kind::Entity:
      return "entity";
    case Node::Kind::Boolean:
      return "boolean";
    case Node::Kind::Int64:
      return "int64";
    case Node::Kind::Uint64:
      return "uint64";
    case Node::Kind::Double:
      return "double";
    case Node::Kind::String:
      return "string";
    case Node::Kind::List:
      return "list";
    case Node::Kind::Map:
      return "map";
  }
  return "unknown";
}

Node::Node() = default;
Node::Node(const Node&) = default;
Node::Node(Node&&) noexcept = default;
Node& Node::operator=(const Node&) = default;
Node& Node::operator=(Node&&) noexcept = default;
Node::~Node() = default;

void fail_at(const Node& node, std::string message, std::string hint) {
  throw Error(ErrorCode::Input, std::move(message), {.byte = node.source_offset()},
              std::move(hint));
}

std::string described(const Node& node) {
  std::string text(kind_name(node.kind()));
  if (node.is(Node::Kind::String)) text += " " + clipped(node.as_string());
  return text;
}

}  // namespace xwalk::yson
