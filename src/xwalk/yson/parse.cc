#include "xwalk/yson/parse.h"

#include <algorithm>
#include <string>
#include <utility>

#include <fmt/format.h>

#include "xwalk/base/error.h"
#include "xwalk/base/text.h"
#include "xwalk/yson/walk.h"

namespace xwalk::yson {
namespace {

/// Longest piece of the input shown in a message.
constexpr size_t kShownBytes = 40;

/// A sink that builds a tree in place.
class TreeBuilder {
 public:
  TreeBuilder(const char* document, Node* root) : document_(document), node_(root) {}

  void starts(const char* p) { offset_ = static_cast<size_t>(p - document_); }

  void begin(char bracket) {
    Open& open = open_.emplace_back();
    open.node = node_;
    if (bracket == '<') return;
    if (bracket == '[') {
      *node_ = Node::list();
      open.items = &node_->as_list();
    } else {
      *node_ = Node::map();
      open.entries = &node_->as_map();
    }
    node_->set_source_offset(offset_);
  }
  void end(char bracket, bool /*any*/) {
    node_ = open_.back().node;
    // Attributes wait for their value.
    if (bracket != '>') open_.pop_back();
  }
  void attributed() {
    for (auto& [key, attribute] : open_.back().attributes) {
      node_->add_attribute(std::move(key), std::move(attribute));
    }
    open_.pop_back();
  }

  void item(bool /*first*/) {
    if (Node::List* items = open_.back().items) node_ = &items->emplace_back();
  }
  static void item_end() {}
  void key(std::string_view bytes) {
    Open& open = open_.back();
    Node::Map& entries = open.entries == nullptr ? open.attributes : *open.entries;
    node_ = &entries.emplace_back(std::string(bytes), Node()).second;
  }

  void entity() { node_->set_source_offset(offset_); }
  void boolean(bool value) { node_->set_boolean(value), entity(); }
  void int64(int64_t value) { node_->set_int64(value), entity(); }
  void uint64(uint64_t value) { node_->set_uint64(value), entity(); }
  void real(double value) { node_->set_real(value), entity(); }
  void string(std::string_view bytes) { node_->set_string(bytes), entity(); }

 private:
  /// An open bracket: the value it belongs to, and where its items, entries or attributes go.
  struct Open {
    Node* node = nullptr;
    Node::List* items = nullptr;
    Node::Map* entries = nullptr;
    Node::Map attributes;
  };

  const char* document_;
  size_t offset_ = 0;
  /// The value to read next, or the one that was just read.
  Node* node_;
  std::vector<Open> open_;
};

/// A piece of the document in a message.
struct Found {
  std::string text;
  size_t size;
};

/// Describes the token at an offset, or the bytes that look like one word or number.
Found found_at(std::string_view document, size_t offset) {
  const char* const begin = document.data() + offset;
  const char* const end = document.data() + document.size();
  const char* at = begin;
  Node token;
  TreeBuilder builder(begin, &token);
  if (*begin != '<' && Walker(end, &builder).value(at, 0) == Status::Ok) {
    const auto size = static_cast<size_t>(at - begin);
    const std::string_view text =
        token.is(Node::Kind::String) ? token.as_string() : document.substr(offset, size);
    return {fmt::format("{} {}", kind_name(token.kind()), clipped(text, kShownBytes)), size};
  }
  const auto in_word = [](char c) {
    return is_ascii_alnum(c) || std::string_view("._%+-").find(c) != std::string_view::npos;
  };
  at = std::find_if_not(begin, end, in_word);
  const auto size = std::max<size_t>(1, static_cast<size_t>(at - begin));
  return {clipped(document.substr(offset, size), kShownBytes), size};
}

[[noreturn]] void fail(std::string_view document, Status status, const char* at) {
  auto offset = static_cast<size_t>(at - document.data());
  std::string_view expected = describe(status);
  Found found{"the end of the input", document.size() - offset};
  if (status == Status::Truncated) {
    if (*at == '"') expected = "expected the closing quote of a string";
    if (*at == marker::kString) expected = "expected the rest of a binary string";
  } else if (status == Status::BadVarint || status == Status::NegativeLength) {
    // The fault is in the bytes after the marker.
    ++offset;
    found = {clipped(document.substr(offset, 1)), 1};
  } else if (offset < document.size()) {
    found = found_at(document, offset);
  }
  throw Error(ErrorCode::Input, fmt::format("{}, found {}", expected, found.text),
              place_in(document, offset, std::max<size_t>(1, found.size)));
}

bool is_marker(char c) { return c >= marker::kString && c <= marker::kUint64; }

}  // namespace

Node parse(std::string_view bytes, const ParseOptions& options) {
  return parse_fragment(bytes, Fragment::Node, options);
}

std::vector<Node> parse_list_fragment(std::string_view bytes, const ParseOptions& options) {
  return std::move(parse_fragment(bytes, Fragment::List, options).as_list());
}

Node parse_map_fragment(std::string_view bytes, const ParseOptions& options) {
  return parse_fragment(bytes, Fragment::Map, options);
}

Node parse_fragment(std::string_view bytes, Fragment fragment, const ParseOptions& options) {
  Node root;
  TreeBuilder builder(bytes.data(), &root);
  const char* p = bytes.data();
  const char* const end = p + bytes.size();
  Walker walker(end, &builder);
  const int depth = std::min(options.max_depth, kMaxDepth);
  Status status = Status::Ok;
  switch (fragment) {
    case Fragment::Node:
      status = walker.value(p, depth);
      if (status != Status::Ok) break;
      skip_space(p, end);
      if (p != end) status = Status::ExpectedEnd;
      break;
    case Fragment::List:
      builder.begin('[');
      status = walker.items(p, depth);
      break;
    case Fragment::Map:
      builder.begin('{');
      status = walker.entries(p, depth);
      break;
  }
  if (status != Status::Ok) fail(bytes, status, p);
  return root;
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

void locate(std::string_view document, Error* error) {
  if (!error->place().byte || error->place().line) return;
  Path path = error->place().path;
  error->place() = place_in(document, *error->place().byte);
  error->place().path = std::move(path);
}

}  // namespace xwalk::yson
