#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "xwalk/vortex/kinds.h"

namespace xwalk::vortex {

inline constexpr int kMaxDecimalPrecision = 76;

class DType;

/// Names and types of a struct's fields or a union's variants, in order.
struct Member;

/// A logical type: a cheap immutable value. Factories check the rules of the format and throw
/// Error (Input) when one is broken. Accessors are valid for the kinds that their comment names.
class DType {
 public:
  DType() = default;  ///< null

  static DType null() { return DType(); }
  /// Makes a type of a kind whose row is plain.
  static DType plain(Kind kind, bool nullable) { return {kind, kind == Kind::Null || nullable}; }
  static DType boolean(bool nullable);
  static DType primitive(PType ptype, bool nullable);
  /// 1 ≤ precision ≤ 76; -128 ≤ scale ≤ precision.
  static DType decimal(int precision, int scale, bool nullable);
  static DType utf8(bool nullable);
  static DType binary(bool nullable);
  /// Names may repeat in a DType, though a file cannot be written with them.
  static DType struct_(std::vector<Member> fields, bool nullable);
  static DType list(DType element, bool nullable);
  static DType fixed_size_list(DType element, uint32_t size, bool nullable);
  static DType variant(bool nullable);
  /// At least one variant; names distinct; type ids distinct, one per variant.
  static DType union_(std::vector<Member> variants, std::vector<uint8_t> type_ids, bool nullable);
  /// The key must not be nullable.
  static DType map(DType key, DType value, bool keys_sorted, bool nullable);
  /// Known extensions are checked against their storage and metadata; unknown ones are kept as
  /// they are. Nullability is the storage's.
  static DType extension(std::string id, DType storage, std::string metadata);

  Kind kind() const { return kind_; }
  bool nullable() const;
  /// Primitive.
  PType ptype() const { return ptype_; }
  /// Decimal.
  int precision() const { return precision_; }
  int scale() const { return scale_; }
  /// Struct, Union.
  std::span<const Member> members() const;
  /// List, FixedSizeList.
  const DType& element() const;
  /// FixedSizeList: items per value.
  uint32_t size() const;
  /// Union.
  std::span<const uint8_t> type_ids() const;
  /// Map.
  const DType& key() const;
  const DType& value() const;
  bool keys_sorted() const;
  /// Extension.
  const std::string& id() const;
  const DType& storage() const;
  const std::string& metadata() const;

  /// Returns the same type with another nullability; of an extension, of its storage.
  DType with_nullable(bool nullable) const;

  friend bool operator==(const DType& a, const DType& b);

  struct Payload;

 private:
  DType(Kind kind, bool nullable, std::shared_ptr<const Payload> payload = nullptr)
      : kind_(kind), nullable_(nullable), payload_(std::move(payload)) {}

  Kind kind_ = Kind::Null;
  bool nullable_ = true;
  PType ptype_ = PType::U8;
  uint8_t precision_ = 0;
  int8_t scale_ = 0;
  std::shared_ptr<const Payload> payload_;
};

struct Member {
  std::string name;
  DType type;

  friend bool operator==(const Member&, const Member&) = default;
};

}  // namespace xwalk::vortex
