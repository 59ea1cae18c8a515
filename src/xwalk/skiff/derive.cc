#include "xwalk/skiff/derive.h"

#include <algorithm>
#include <string>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "xwalk/base/error.h"
#include "xwalk/skiff/table.h"
#include "xwalk/yt/kinds.h"
#include "xwalk/yt/tz.h"

namespace xwalk::skiff {
namespace {

using yt::TypeKind;

[[noreturn]] void refuse(const Path& path, std::string message, std::string hint = {}) {
  throw Error(ErrorCode::Unsupported, std::move(message), {.path = path}, std::move(hint));
}

/// Returns the integer of a number of bytes.
WireType integer_wire(bool is_signed, size_t bytes) {
  WireGroup group = is_signed ? WireGroup::Signed : WireGroup::Unsigned;
  return std::ranges::find_if(
             kWireRows,
             [&](const WireRow& row) { return row.group == group && row.width == bytes; })
      ->wire;
}

}  // namespace

WireType decimal_wire(int precision) {
  if (precision <= 9) return WireType::Int32;
  if (precision <= 18) return WireType::Int64;
  if (precision <= 38) return WireType::Int128;
  return WireType::Int256;
}

Type numbered_zone(const yt::Type& type) {
  const TypeKind kind = type.kind();
  return Type(WireType::Tuple,
              {Type(integer_wire(yt::tz_is_signed(kind), yt::tz_integer_size(kind))),
               Type(WireType::Uint16)});
}

Type derive(const yt::Type& given, const DeriveOptions& options, const Path& path) {
  const yt::Type& type = yt::without_tags(given);
  switch (type.content()) {
    case yt::Content::Null:
      return Type(WireType::Nothing);
    case yt::Content::Signed:
    case yt::Content::Unsigned: {
      size_t bytes = options.narrow ? yt::kind_row(type.kind()).integer_bytes : 8;
      return Type(integer_wire(type.content() == yt::Content::Signed, bytes));
    }
    case yt::Content::Real:
      return Type(WireType::Double);
    case yt::Content::Boolean:
      return Type(WireType::Boolean);
    case yt::Content::Bytes:
    case yt::Content::Utf8:
    case yt::Content::Json:
    case yt::Content::Uuid:
    case yt::Content::Zoned:
      return Type(WireType::String32);
    case yt::Content::Yson:
      return Type(WireType::Yson32);
    case yt::Content::Decimal:
      return Type(decimal_wire(type.precision()));
    case yt::Content::Compound:
      break;
  }
  if (type.is(TypeKind::Optional)) return optional_of(derive(type.item(), options, path));
  if (type.is(TypeKind::List)) {
    return Type(WireType::RepeatedVariant8, {derive(type.item(), options, path.item())});
  }
  if (type.is(TypeKind::Dict)) {
    return Type(WireType::RepeatedVariant8,
                {Type(WireType::Tuple, {derive(type.key(), options, path.map_key()),
                                        derive(type.value(), options, path.map_value())})});
  }
  bool variant = type.is(TypeKind::Variant);
  std::vector<Type> children;
  size_t index = 0;
  for (const yt::Member& member : type.members()) {
    std::string name = type.is_named() ? member.name : std::to_string(index);
    Path below = variant ? path.alternative(name) : path.field(name);
    Type child = derive(member.type, options, below);
    children.push_back(type.is_named() ? child.named(name) : child);
    ++index;
  }
  if (!variant) return Type(WireType::Tuple, std::move(children));
  if (children.empty()) {
    refuse(path, "expected a variant with alternatives, found one without",
           "Skiff has no variant without children.");
  }
  bool small = children.size() <= max_children(WireType::Variant8);
  if (children.size() > max_children(WireType::Variant16)) {
    refuse(path, fmt::format("expected at most 65536 alternatives, found {}", children.size()));
  }
  return Type(small ? WireType::Variant8 : WireType::Variant16, std::move(children));
}

Type derive(const yt::TableSchema& schema, const DeriveOptions& options) {
  std::vector<Type> children;
  for (const yt::ColumnSchema& column : schema.columns) {
    Path path = Path::column(column.name);
    children.push_back(derive(column.type, options, path).named(column.name));
  }
  Type index = optional_of(Type(WireType::Int64));
  if (options.key_switch) children.emplace_back(WireType::Boolean, std::string(kKeySwitch));
  if (options.row_index) children.push_back(index.named(std::string(kRowIndex)));
  if (options.range_index) children.push_back(index.named(std::string(kRangeIndex)));
  if (!schema.strict) children.emplace_back(WireType::Yson32, std::string(kOtherColumns));
  Type root(WireType::Tuple, std::move(children));
  table_layout(root);  // A column may bear a special name.
  return root;
}

}  // namespace xwalk::skiff
