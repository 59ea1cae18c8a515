#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "xwalk/skiff/kinds.h"

namespace xwalk::skiff {

/// Returns the wire type of a name, or nothing.
std::optional<WireType> wire_from_name(std::string_view name);

/// Most children that the tag can name: 256 and 65536, one less for repeated variants, whose last
/// tag is the end.
size_t max_children(WireType wire);

/// Largest number of nodes of a schema, references expanded: registries let a short text describe
/// an exponentially large tree.
inline constexpr size_t kMaxSchemaNodes = size_t{1} << 20;

/// A node of a Skiff schema with its children: a cheap immutable value. The name does not affect
/// the encoding; it ties a node to a column or a member.
class Type {
 public:
  /// Makes a simple type.
  explicit Type(WireType simple = WireType::Nothing, std::string name = {});
  /// Makes a compound type. Throws Error (Input) if it is not a compound type, has fewer or more
  /// children than its tag can name, or is deeper than limits::kSchemaDepth or larger than
  /// kMaxSchemaNodes.
  Type(WireType compound, std::vector<Type> children, std::string name = {});

  WireType wire() const { return wire_; }
  const std::string& name() const { return name_; }
  std::span<const Type> children() const;
  const Type& child(size_t index = 0) const { return children()[index]; }
  /// Returns the same node under another name.
  Type named(std::string name) const;

  /// Returns true for `variant8<nothing;T>`.
  bool is_optional() const;

  int depth() const;
  size_t node_count() const;

  /// Compares wire types and names.
  friend bool operator==(const Type& a, const Type& b);

 private:
  struct Children;
  WireType wire_;
  std::string name_;
  std::shared_ptr<const Children> children_;
};

/// Returns true if both encode the same bytes: names are not compared.
bool same_encoding(const Type& a, const Type& b);

/// Makes `variant8<nothing;item>`; the item loses its name to it.
Type optional_of(const Type& item);

/// Returns the short form: `tuple<'a':int64;'b':variant8<nothing;string32>>`. The name of the node
/// itself is printed too when it has one.
std::string to_string(const Type& type);

/// Parses the short form; a `;` after the last child is allowed, as the living system prints it,
/// and so are names without quotes. Throws Error (Input) with its place.
Type parse_short(std::string_view text);

}  // namespace xwalk::skiff
