#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "xwalk/hub/finding.h"

namespace xwalk::skiff {

/// How a node of a schema is encoded. All numbers are little-endian.
enum class WireType : uint8_t {
  Nothing,  ///< no bytes
  Boolean,  ///< one byte, 0 or 1
  Int8,
  Int16,
  Int32,
  Int64,
  Int128,
  Int256,
  Uint8,
  Uint16,
  Uint32,
  Uint64,
  Uint128,
  Uint256,
  Double,
  String32,  ///< a uint32 length, then the bytes
  Yson32,    ///< a uint32 length, then one YSON value
  Tuple,     ///< the children, one after another
  Variant8,  ///< a uint8 tag, then the child of that index
  Variant16,
  RepeatedVariant8,   ///< variants one after another, ended by the tag 0xFF
  RepeatedVariant16,  ///< the same with uint16 tags, ended by 0xFFFF
};

inline constexpr int kWireTypeCount = static_cast<int>(WireType::RepeatedVariant16) + 1;

/// Returns the name in a schema: "repeated_variant8".
std::string_view wire_name(WireType wire);
/// Returns the wire type of a name, or nothing.
std::optional<WireType> wire_from_name(std::string_view name);

/// Returns true for the types without children.
bool is_simple(WireType wire);
/// Variant8, Variant16.
bool is_variant(WireType wire);
/// RepeatedVariant8, RepeatedVariant16.
bool is_repeated(WireType wire);
/// Int8 … Int256.
bool is_signed_integer(WireType wire);
/// Uint8 … Uint256.
bool is_unsigned_integer(WireType wire);
/// Bytes of every value of a simple type; nothing for strings and compound types.
std::optional<size_t> fixed_width(WireType wire);
/// Bytes of the tag: 1 or 2; 0 for types without a tag.
size_t tag_width(WireType wire);
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
  /// Makes a compound type. Throws Error (Input) if it is no compound type, has fewer or more
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

/// Lists what goes beyond the written specification, as findings of the rule `spec.beyond-text`:
/// `nothing` outside of variants, integers other than int64 and uint64.
hub::Findings beyond_text(const Type& type);

}  // namespace xwalk::skiff
