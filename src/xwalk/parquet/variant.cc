#include "xwalk/parquet/variant.h"

#include <algorithm>
#include <utility>

#include <fmt/format.h>

#include "xwalk/base/text.h"
#include "xwalk/parquet/rules.h"

namespace xwalk::parquet {
namespace {

using Kind = LogicalType::Kind;
using Problem = std::optional<std::string>;

/// Digits of the longest decimal of a variant.
constexpr int kMostDigits = 38;

bool is_plain_binary(const Node& node) {
  return !node.is_group() && node.physical() == PhysicalType::ByteArray && !node.logical();
}

Problem typed_problem(const Node& node);

/// Parts of a group that stores a value.
struct Parts {
  const Node* metadata = nullptr;
  const Node* value = nullptr;
  const Node* typed = nullptr;
};

/// Finds the parts by their names, each once: readers may choose different ones of two.
Problem find_parts(const Node& node, bool with_metadata, Parts* out) {
  for (const Node& child : node.children()) {
    const Node** part = child.name() == "value"                       ? &out->value
                        : child.name() == "typed_value"               ? &out->typed
                        : with_metadata && child.name() == "metadata" ? &out->metadata
                                                                      : nullptr;
    if (part == nullptr) {
      return fmt::format("expected {}value and typed_value, found {}",
                         with_metadata ? "metadata, " : "", quoted(child.name()));
    }
    if (*part != nullptr) return fmt::format("expected one {}, found two", child.name());
    *part = &child;
  }
  return std::nullopt;
}

/// Looks at `value` and `typed_value`, below a variant and below each part taken out of it.
Problem values_problem(const Parts& parts) {
  const Node* const value = parts.value;
  const Node* const typed = parts.typed;
  if (value == nullptr && typed == nullptr) return "expected a value or a typed_value, found none";
  if (value != nullptr && (!is_plain_binary(*value) || value->is(Repetition::Repeated))) {
    return "expected value to be a binary without annotation";
  }
  if (typed == nullptr) return std::nullopt;
  if (value != nullptr && !value->is(Repetition::Optional)) {
    return "expected value to be optional beside a typed_value";
  }
  if (!typed->is(Repetition::Optional)) return "expected typed_value to be optional";
  return typed_problem(*typed);
}

/// Looks at a part that is taken out: an item of a list, a field of an object.
Problem part_problem(const Node& node) {
  if (!node.is_group() || node.logical() || !node.is(Repetition::Required)) {
    return fmt::format("expected {} to be a required group of value and typed_value",
                       quoted(node.name()));
  }
  Parts parts;
  if (Problem problem = find_parts(node, /*with_metadata=*/false, &parts)) return problem;
  return values_problem(parts);
}

Problem typed_problem(const Node& node) {
  if (!node.is_group()) {
    if (is_shredded_type(node)) return std::nullopt;
    return fmt::format(
        "expected typed_value to be of a type that variants have, found {}",
        node.logical() ? to_string(node.logical()) : std::string(to_string(node.physical())));
  }
  if (is_list(node)) {
    const ListShape shape = list_shape(node);
    if (shape.problem) return std::nullopt;  // reported elsewhere
    if (!shape.three_level()) return "expected typed_value to be a list of three levels";
    return part_problem(*shape.element);
  }
  if (node.logical()) {
    return fmt::format("expected typed_value to be a list or a group of fields, found {}",
                       to_string(node.logical()));
  }
  for (const Node& child : node.children()) {
    if (Problem problem = part_problem(child)) return problem;
  }
  return std::nullopt;
}

/// Returns the type of a primitive that JSON or YSON lack.
std::optional<variant::Primitive> foreign_leaf(const Node& node) {
  using variant::Primitive;
  const LogicalType& logical = node.logical();
  if (logical.is(Kind::Decimal)) return Primitive::Decimal16;
  if (logical.is(Kind::Date)) return Primitive::Date;
  if (logical.is(Kind::Time)) return Primitive::Time;
  if (logical.is(Kind::Uuid)) return Primitive::Uuid;
  if (logical.is(Kind::Timestamp)) {
    const bool nanos = logical.unit() == TimeUnit::Nanos;
    if (logical.utc()) return nanos ? Primitive::TimestampNanos : Primitive::Timestamp;
    return nanos ? Primitive::LocalTimestampNanos : Primitive::LocalTimestamp;
  }
  if (logical) return std::nullopt;
  if (node.physical() == PhysicalType::Float) return Primitive::Float;
  if (node.physical() == PhysicalType::ByteArray) return Primitive::Binary;
  return std::nullopt;
}

variant::LeafTypes leaf_types_of_typed(const Node& typed);

variant::LeafTypes leaf_types_of_part(const Node& part) {
  Parts parts;
  (void)find_parts(part, /*with_metadata=*/false, &parts);
  return parts.typed != nullptr ? leaf_types_of_typed(*parts.typed) : variant::LeafTypes();
}

variant::LeafTypes leaf_types_of_typed(const Node& typed) {
  variant::LeafTypes out;
  if (!typed.is_group()) {
    out.leaf = foreign_leaf(typed);
    if (out.leaf == variant::Primitive::Decimal16) out.scale = typed.logical().scale();
    return out;
  }
  if (is_list(typed)) {
    const ListShape shape = list_shape(typed);
    if (shape.problem) return out;
    variant::LeafTypes item = leaf_types_of_part(*shape.element);
    if (!item.empty()) out.item.push_back(std::move(item));
    return out;
  }
  for (const Node& child : typed.children()) {
    variant::LeafTypes field = leaf_types_of_part(child);
    if (!field.empty()) out.fields.emplace(child.name(), std::move(field));
  }
  return out;
}

}  // namespace

bool is_shredded_type(const Node& node) {
  const LogicalType& logical = node.logical();
  const PhysicalType physical = node.physical();
  switch (logical.kind()) {
    case Kind::None:
      return physical != PhysicalType::Int96 && physical != PhysicalType::FixedLenByteArray;
    case Kind::Integer:
      return logical.is_signed();
    case Kind::Decimal:
      return logical.precision() <= kMostDigits;
    case Kind::Date:
    case Kind::String:
    case Kind::Uuid:
      return true;
    case Kind::Time:
      return logical.unit() == TimeUnit::Micros;
    case Kind::Timestamp:
      return logical.unit() != TimeUnit::Millis && physical == PhysicalType::Int64;
    case Kind::Map:
    case Kind::List:
    case Kind::Enum:
    case Kind::Interval:
    case Kind::Unknown:
    case Kind::Json:
    case Kind::Bson:
    case Kind::Float16:
    case Kind::Variant:
    case Kind::Geometry:
    case Kind::Geography:
    case Kind::File:
    case Kind::MapKeyValue:
    case Kind::Future:
      return false;
  }
  return false;
}

std::optional<std::string> variant_problem(const Node& node) {
  Parts parts;
  if (auto problem = find_parts(node, /*with_metadata=*/true, &parts)) return problem;
  if (parts.metadata == nullptr) return "expected metadata, found none";
  if (!is_plain_binary(*parts.metadata) || !parts.metadata->is(Repetition::Required)) {
    return "expected metadata to be a required binary without annotation";
  }
  return values_problem(parts);
}

bool is_shredded_variant(const Node& node) {
  if (!node.is_group() || !node.logical().is(Kind::Variant) || variant_problem(node)) return false;
  return std::ranges::any_of(node.children(),
                             [](const Node& child) { return child.name() == "typed_value"; });
}

namespace {

Node with_stored_variants(const Node& node) {
  NodeData data = node.data();
  if (is_shredded_variant(node)) data.annotation = {};
  for (Node& child : data.children) child = with_stored_variants(child);
  return Node(std::move(data));
}

}  // namespace

Schema with_stored_variants(const Schema& schema) {
  return Schema(with_stored_variants(schema.root()));
}

variant::LeafTypes leaf_types_of(const Node& node) {
  Parts parts;
  (void)find_parts(node, /*with_metadata=*/true, &parts);
  return parts.typed != nullptr ? leaf_types_of_typed(*parts.typed) : variant::LeafTypes();
}

}  // namespace xwalk::parquet
