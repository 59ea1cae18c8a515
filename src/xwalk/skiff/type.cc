#include "xwalk/skiff/type.h"

#include <algorithm>

#include <fmt/format.h>

#include "xwalk/base/error.h"
#include "xwalk/base/limits.h"
#include "xwalk/base/text.h"
#include "xwalk/base/text_cursor.h"

namespace xwalk::skiff {
namespace {

/// Returns true if every row is at the index of its wire type and no name is repeated.
constexpr bool rows_are_complete() {
  for (size_t i = 0; i < kWireRows.size(); ++i) {
    const WireRow& row = kWireRows[i];
    if (row.wire != static_cast<WireType>(i) || row.name.empty()) return false;
    bool sized = row.group != WireGroup::String && row.group != WireGroup::Yson;
    if (is_simple(row.wire) && row.width.has_value() != sized) return false;
    if ((is_variant(row.wire) || is_repeated(row.wire)) != (row.tag_width > 0)) return false;
    for (const WireRow& other : kWireRows.first(i)) {
      if (other.name == row.name) return false;
    }
  }
  return kWireRows.back().wire == WireType::RepeatedVariant16;
}
static_assert(rows_are_complete());

}  // namespace

std::optional<WireType> wire_from_name(std::string_view name) {
  const auto row = std::ranges::find(kWireRows, name, &WireRow::name);
  if (row == kWireRows.end()) return std::nullopt;
  return row->wire;
}

size_t max_children(WireType wire) {
  if (is_simple(wire)) return 0;
  if (wire == WireType::Tuple) return kMaxSchemaNodes;
  size_t tags = tag_width(wire) == 1 ? 256 : 65536;
  return is_repeated(wire) ? tags - 1 : tags;
}

struct Type::Children {
  std::vector<Type> types;
  int depth = 0;
  size_t nodes = 0;
};

Type::Type(WireType simple, std::string name) : wire_(simple), name_(std::move(name)) {
  if (!is_simple(simple)) *this = Type(simple, std::vector<Type>{}, std::move(name_));
}

Type::Type(WireType compound, std::vector<Type> children, std::string name)
    : wire_(compound), name_(std::move(name)) {
  if (is_simple(compound)) {
    throw Error(ErrorCode::Input,
                fmt::format("expected a compound wire type, found {}", wire_name(compound)));
  }
  if (compound != WireType::Tuple && children.empty()) {
    throw Error(ErrorCode::Input,
                fmt::format("expected at least one child of {}, found none", wire_name(compound)));
  }
  if (children.size() > max_children(compound)) {
    throw Error(ErrorCode::Input,
                fmt::format("expected at most {} children of {}, which its tag can name, found {}",
                            max_children(compound), wire_name(compound), children.size()));
  }
  auto body = std::make_shared<Children>();
  for (const Type& child : children) {
    body->depth = std::max(body->depth, child.depth());
    body->nodes += child.node_count();
  }
  if (body->depth >= limits::kSchemaDepth) {
    throw Error(ErrorCode::Input, fmt::format("expected a schema of at most {} levels, found more",
                                              limits::kSchemaDepth));
  }
  if (body->nodes >= kMaxSchemaNodes) {
    throw Error(ErrorCode::Input,
                fmt::format("expected a schema of at most {} nodes, found more", kMaxSchemaNodes));
  }
  body->types = std::move(children);
  children_ = std::move(body);
}

std::span<const Type> Type::children() const {
  if (children_ == nullptr) return {};
  return children_->types;
}

Type Type::named(std::string name) const {
  Type copy = *this;
  copy.name_ = std::move(name);
  return copy;
}

bool Type::is_optional() const {
  return wire_ == WireType::Variant8 && children().size() == 2 &&
         child(0).wire() == WireType::Nothing;
}

int Type::depth() const { return children_ == nullptr ? 1 : children_->depth + 1; }
size_t Type::node_count() const { return children_ == nullptr ? 1 : children_->nodes + 1; }

bool operator==(const Type& a, const Type& b) {
  if (a.wire_ != b.wire_ || a.name_ != b.name_) return false;
  if (a.children_ == b.children_) return true;
  return std::ranges::equal(a.children(), b.children());
}

bool same_encoding(const Type& a, const Type& b) {
  if (a.wire() != b.wire()) return false;
  return std::ranges::equal(a.children(), b.children(), same_encoding);
}

Type optional_of(const Type& item) {
  return Type(WireType::Variant8, {Type(WireType::Nothing), item.named("")}, item.name());
}

namespace {

std::string quoted_name(std::string_view name) {
  std::string out = "'";
  for (char c : name) {
    if (c == '\'' || c == '\\') {
      out += '\\';
      out += c;
    } else if (static_cast<unsigned char>(c) < 0x20 || c == 0x7f) {
      fmt::format_to(std::back_inserter(out), "\\x{:02x}", static_cast<unsigned char>(c));
    } else {
      out += c;
    }
  }
  return out + "'";
}

void print_short(std::string* out, const Type& type) {
  if (!type.name().empty()) *out += quoted_name(type.name()) + ":";
  *out += wire_name(type.wire());
  if (is_simple(type.wire())) return;
  *out += '<';
  bool first = true;
  for (const Type& child : type.children()) {
    if (!first) *out += ';';
    first = false;
    print_short(out, child);
  }
  *out += '>';
}

class ShortParser {
 public:
  explicit ShortParser(std::string_view text) : cursor_(text) {}

  Type parse_all() {
    Type type = parse_node(1);
    cursor_.expect_end();
    return type;
  }

 private:
  std::string_view word() {
    return cursor_.take_while([](char c) { return is_ascii_alnum(c) || c == '_' || c == '$'; });
  }

  Type parse_node(int depth) {
    cursor_.check_depth(depth);
    std::string name;
    size_t start = cursor_.start();
    std::string_view wire_word;
    bool named = cursor_.peek('\'');
    if (named) {
      name = cursor_.quoted_text("'\\x");
      if (!cursor_.take(':')) cursor_.expected("':' after a name");
    } else {
      wire_word = word();
      named = !wire_word.empty() && cursor_.take(':');
      if (named) name = wire_word;
    }
    if (named) {
      start = cursor_.start();
      wire_word = word();
    }
    const std::optional<WireType> wire = wire_from_name(wire_word);
    if (!wire) cursor_.expected_at(start, "a wire type");
    if (is_simple(*wire)) return Type(*wire, std::move(name));
    const size_t end = cursor_.at();
    cursor_.expect('<');
    std::vector<Type> children;
    while (!cursor_.take('>')) {
      if (!children.empty()) {
        if (!cursor_.take(';')) cursor_.expected("';' or '>'");
        if (cursor_.take('>')) break;
      }
      children.push_back(parse_node(depth + 1));
    }
    try {
      return Type(*wire, std::move(children), std::move(name));
    } catch (Error& error) {
      error.place() = place_in_text(cursor_.text(), start, end - start);
      throw;
    }
  }

  TextCursor cursor_;
};

}  // namespace

std::string to_string(const Type& type) {
  std::string out;
  print_short(&out, type);
  return out;
}

Type parse_short(std::string_view text) { return ShortParser(text).parse_all(); }

}  // namespace xwalk::skiff
