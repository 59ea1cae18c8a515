#include "xwalk/vortex/type.h"

#include <algorithm>
#include <array>
#include <set>

#include <fmt/format.h>

#include "xwalk/base/error.h"
#include "xwalk/base/text.h"
#include "xwalk/vortex/extension.h"

namespace xwalk::vortex {

struct DType::Payload {
  std::vector<Member> members;
  /// List and FixedSizeList: the element. Map: key, value. Extension: the storage.
  std::vector<DType> children;
  std::vector<uint8_t> type_ids;
  uint32_t size = 0;
  bool keys_sorted = false;
  std::string id;
  std::string metadata;

  friend bool operator==(const Payload&, const Payload&) = default;
};

namespace {

const DType::Payload kEmpty;

[[noreturn]] void broken(const std::string& message) { throw Error(ErrorCode::Input, message); }

/// Returns true if every row is at the index of its kind and no name is repeated.
constexpr bool rows_are_complete() {
  for (size_t i = 0; i < kKindRows.size(); ++i) {
    if (static_cast<size_t>(kKindRows[i].kind) != i + 1) return false;
  }
  for (size_t i = 0; i < kPrimitiveRows.size(); ++i) {
    if (static_cast<size_t>(kPrimitiveRows[i].ptype) != i) return false;
  }
  std::array<std::string_view, kKindRows.size() + kPrimitiveRows.size()> names;
  auto* end = std::ranges::transform(kKindRows, names.begin(), &KindRow::name).out;
  std::ranges::transform(kPrimitiveRows, end, &PrimitiveRow::name);
  std::ranges::sort(names);
  return !names.front().empty() && std::ranges::adjacent_find(names) == names.end();
}
static_assert(kKindRows.back().kind == Kind::Map && kPrimitiveRows.back().ptype == PType::F64);
static_assert(rows_are_complete());

}  // namespace

DType DType::boolean(bool nullable) { return {Kind::Bool, nullable}; }
DType DType::utf8(bool nullable) { return {Kind::Utf8, nullable}; }
DType DType::binary(bool nullable) { return {Kind::Binary, nullable}; }
DType DType::variant(bool nullable) { return {Kind::Variant, nullable}; }

DType DType::primitive(PType ptype, bool nullable) {
  DType type(Kind::Primitive, nullable);
  type.ptype_ = ptype;
  return type;
}

DType DType::decimal(int precision, int scale, bool nullable) {
  if (precision < 1 || precision > kMaxDecimalPrecision) {
    broken(fmt::format("expected a decimal precision from 1 to {}, found {}", kMaxDecimalPrecision,
                       precision));
  }
  if (scale < -128 || scale > precision) {
    broken(fmt::format("expected a decimal scale from -128 to the precision {}, found {}",
                       precision, scale));
  }
  DType type(Kind::Decimal, nullable);
  type.precision_ = static_cast<uint8_t>(precision);
  type.scale_ = static_cast<int8_t>(scale);
  return type;
}

DType DType::struct_(std::vector<Member> fields, bool nullable) {
  return {Kind::Struct, nullable,
          std::make_shared<const Payload>(Payload{.members = std::move(fields)})};
}

DType DType::list(DType element, bool nullable) {
  return {Kind::List, nullable,
          std::make_shared<const Payload>(Payload{.children = {std::move(element)}})};
}

DType DType::fixed_size_list(DType element, uint32_t size, bool nullable) {
  return {Kind::FixedSizeList, nullable,
          std::make_shared<const Payload>(Payload{.children = {std::move(element)}, .size = size})};
}

DType DType::union_(std::vector<Member> variants, std::vector<uint8_t> type_ids, bool nullable) {
  if (variants.empty()) broken("expected a union of at least one variant, found none");
  if (type_ids.size() != variants.size()) {
    broken(
        fmt::format("expected {} type ids of a union, found {}", variants.size(), type_ids.size()));
  }
  std::set<std::string_view> names;
  for (const Member& variant : variants) {
    if (!names.insert(variant.name).second) {
      broken(fmt::format("expected distinct names of union variants, found {} twice",
                         clipped(variant.name)));
    }
  }
  if (std::set<uint8_t>(type_ids.begin(), type_ids.end()).size() != type_ids.size()) {
    broken("expected distinct type ids of union variants, found one twice");
  }
  return {Kind::Union, nullable,
          std::make_shared<const Payload>(
              Payload{.members = std::move(variants), .type_ids = std::move(type_ids)})};
}

DType DType::map(DType key, DType value, bool keys_sorted, bool nullable) {
  if (key.nullable()) broken("expected a map key that is not nullable, found a nullable one");
  return {Kind::Map, nullable,
          std::make_shared<const Payload>(
              Payload{.children = {std::move(key), std::move(value)}, .keys_sorted = keys_sorted})};
}

DType DType::extension(std::string id, DType storage, std::string metadata) {
  check_extension(id, storage, metadata);
  bool nullable = storage.nullable();
  return {
      Kind::Extension, nullable,
      std::make_shared<const Payload>(Payload{
          .children = {std::move(storage)}, .id = std::move(id), .metadata = std::move(metadata)})};
}

bool DType::nullable() const { return kind_ == Kind::Null || nullable_; }

std::span<const Member> DType::members() const {
  return payload_ ? payload_->members : kEmpty.members;
}
const DType& DType::element() const { return payload_->children.at(0); }
uint32_t DType::size() const { return payload_ ? payload_->size : 0; }
std::span<const uint8_t> DType::type_ids() const {
  return payload_ ? payload_->type_ids : kEmpty.type_ids;
}
const DType& DType::key() const { return payload_->children.at(0); }
const DType& DType::value() const { return payload_->children.at(1); }
bool DType::keys_sorted() const { return payload_ && payload_->keys_sorted; }
const std::string& DType::id() const { return payload_ ? payload_->id : kEmpty.id; }
const DType& DType::storage() const { return payload_->children.at(0); }
const std::string& DType::metadata() const {
  return payload_ ? payload_->metadata : kEmpty.metadata;
}

DType DType::with_nullable(bool nullable) const {
  if (kind_ == Kind::Null) return *this;
  if (kind_ == Kind::Extension)
    return extension(id(), storage().with_nullable(nullable), metadata());
  DType type = *this;
  type.nullable_ = nullable;
  return type;
}

bool operator==(const DType& a, const DType& b) {
  if (a.kind_ != b.kind_ || a.nullable() != b.nullable() || a.ptype_ != b.ptype_ ||
      a.precision_ != b.precision_ || a.scale_ != b.scale_) {
    return false;
  }
  return a.payload_ == b.payload_ || (a.payload_ && b.payload_ && *a.payload_ == *b.payload_);
}

}  // namespace xwalk::vortex
