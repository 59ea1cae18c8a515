#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "xwalk/yt/kinds.h"

namespace xwalk::yt {

class Type;
struct Member;

/// A type: a cheap immutable value. Accessors are valid for the kinds that their comment names.
class Type {
 public:
  /// Makes a simple type.
  Type(TypeKind simple);  // NOLINT(google-explicit-constructor): a simple kind is a whole type
  Type() : Type(TypeKind::Null) {}

  TypeKind kind() const { return kind_; }
  bool is(TypeKind kind) const { return kind_ == kind; }
  bool is_simple() const { return yt::is_simple(kind_); }
  Content content() const { return kind_row(kind_).content; }
  Composition composition() const { return kind_row(kind_).composition; }

  /// Optional, List, Tagged.
  const Type& item() const;
  /// Tagged.
  const std::string& tag() const;
  /// Struct and named Variant: members with names. Every other compound type: its elements or
  /// items, named "".
  std::span<const Member> members() const;
  /// Variant: true over a struct, false over a tuple. Struct: true. Tuple: false.
  bool is_named() const;
  /// Struct: stable names of members that were removed.
  std::span<const std::string> removed_members() const;
  /// Dict.
  const Type& key() const;
  const Type& value() const;
  /// Decimal.
  int precision() const;
  int scale() const;

  /// Compares everything, including tags and stable names.
  friend bool operator==(const Type& a, const Type& b);

  struct Parameters;
  Type(TypeKind kind, std::shared_ptr<const Parameters> parameters)
      : kind_(kind), parameters_(std::move(parameters)) {}

 private:
  TypeKind kind_;
  std::shared_ptr<const Parameters> parameters_;
};

/// A member of a struct or a named variant, or an element of a tuple or an unnamed variant.
struct Member {
  std::string name;
  Type type;
  /// The name the data is kept under; equal to `name` unless the member was renamed.
  std::string stable_name;

  Member() = default;
  Member(std::string member_name, Type member_type)
      : name(member_name), type(std::move(member_type)), stable_name(std::move(member_name)) {}
  Member(std::string member_name, Type member_type, std::string stable)
      : name(std::move(member_name)),
        type(std::move(member_type)),
        stable_name(std::move(stable)) {}

  friend bool operator==(const Member&, const Member&) = default;
};

Type optional(Type item);
Type list(Type item);
Type struct_(std::vector<Member> members, std::vector<std::string> removed_members = {});
Type tuple(std::vector<Type> elements);
/// Makes a variant over a struct.
Type variant(std::vector<Member> members);
/// Makes a variant over a tuple.
Type variant_of(std::vector<Type> elements);
Type dict(Type key, Type value);
Type tagged(std::string tag, Type item);
Type decimal(int precision, int scale);

/// Returns the name in `type_v3`: "bool", "yson", "tz_date32", "optional"…
std::string_view kind_name(TypeKind kind);
/// Returns the simple type of a `type_v3` name, or nothing.
std::optional<TypeKind> simple_kind(std::string_view name);
/// Returns the kind of any `type_v3` name, or nothing.
std::optional<TypeKind> kind_of_name(std::string_view name);

/// Names of the older form: as in `type_v3`, but "boolean" and "any". Simple types only.
std::string_view v1_name(TypeKind kind);
std::optional<TypeKind> kind_of_v1_name(std::string_view name);

/// A type as the keys `type` and `required` give it.
struct V1Type {
  TypeKind type = TypeKind::Null;
  bool required = false;

  friend bool operator==(const V1Type&, const V1Type&) = default;
};

/// Returns the type as `type` and `required` express it: composite types become `any`, decimals
/// `string`, optionals are not required.
V1Type to_v1(const Type& type);
/// Returns the type that `type` and `required` describe. Throws Error (Input) for a null, void or
/// any that is required.
Type from_v1(TypeKind type, bool required);
/// Returns true if `type` and `required` lose only tags.
bool is_pure_v1(const Type& type);

PhysicalType physical_type(const Type& type);
std::string_view to_string(PhysicalType type);

/// Returns true for optional, null, void and tagged of those: types whose values include `#`.
bool is_nullable(const Type& type);

/// Returns what the system's messages call one of `type.members()`: the name, or "<list-element>",
/// "<key>", "<tuple-element-0>".
std::string step_name(const Type& type, size_t index);

/// Returns the type without its tags, at this level only.
const Type& without_tags(const Type& type);

/// Returns what the system counts towards the limit of a table schema (kMaxSchemaComplexity).
int64_t complexity(const Type& type);

/// Returns true if values of the type have an order, and a column of it may be a key: no yson or
/// json, struct, dict or named variant inside. A whole column of optional<yson> is comparable too.
bool can_be_key_column(const Type& type);

/// Deepest nesting: 32 composite types around a simple one.
inline constexpr int kMaxTypeDepth = 32;
/// Complexity that a whole table schema may not reach.
inline constexpr int64_t kMaxSchemaComplexity = 32768;
/// Longest name of a column, member, tag, lock or group, in bytes.
inline constexpr size_t kMaxNameLength = 256;
/// Greatest precision of a decimal in the living system, and in the written specification.
inline constexpr int kMaxDecimalPrecision = 76;
inline constexpr int kSpecDecimalPrecision = 35;

}  // namespace xwalk::yt
