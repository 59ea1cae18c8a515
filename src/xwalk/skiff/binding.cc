#include "xwalk/skiff/binding.h"

#include <algorithm>
#include <optional>
#include <set>
#include <span>
#include <string_view>
#include <unordered_map>
#include <unordered_set>

#include <fmt/format.h>

#include "xwalk/base/error.h"
#include "xwalk/base/text.h"
#include "xwalk/skiff/derive.h"
#include "xwalk/yt/kinds.h"
#include "xwalk/yt/short_notation.h"
#include "xwalk/yt/tz.h"
#include "xwalk/yt/value_path.h"

namespace xwalk::skiff {
namespace {

using yt::TypeKind;

[[noreturn]] void mismatch(const Path& path, std::string message, std::string hint = {}) {
  throw Error(ErrorCode::Unsupported, std::move(message), {.path = path}, std::move(hint));
}

[[noreturn]] void wrong_wire(const yt::Type& type, const Type& wire, const Path& path,
                             std::string_view expected) {
  mismatch(path, fmt::format("expected {} for {}, found {}", expected, yt::print_short(type),
                             to_string(wire.named(""))));
}

/// Columns by their names, the first of each.
template <typename Column>
class ByName {
 public:
  explicit ByName(std::span<const Column> columns) {
    columns_.reserve(columns.size());
    for (const Column& column : columns) columns_.try_emplace(column.name, &column);
  }

  /// Returns a column, or null.
  const Column* find(std::string_view name) const {
    const auto found = columns_.find(name);
    return found == columns_.end() ? nullptr : found->second;
  }

 private:
  std::unordered_map<std::string_view, const Column*> columns_;
};

Binding leaf(Form form, const yt::Type& type, const Type& wire) {
  Binding binding;
  binding.form = form;
  binding.type = type;
  binding.wire = wire;
  return binding;
}

bool is_small(WireType wire) { return fixed_width(wire).value_or(0) <= 8; }
bool is_small_signed(WireType wire) { return is_signed_integer(wire) && is_small(wire); }
bool is_small_unsigned(WireType wire) { return is_unsigned_integer(wire) && is_small(wire); }

Binding bind_any(const yt::Type& type, const Type& wire, const Path& path) {
  Binding binding = leaf(Form::Yson, type, wire);
  binding.any = wire.wire() != WireType::Yson32;
  if (wire.wire() == WireType::Yson32) return binding;
  if (is_small_signed(wire.wire())) {
    binding.form = Form::Signed;
  } else if (is_small_unsigned(wire.wire())) {
    binding.form = Form::Unsigned;
  } else if (wire.wire() == WireType::Boolean) {
    binding.form = Form::Boolean;
  } else if (wire.wire() == WireType::Double) {
    binding.form = Form::Double;
  } else if (wire.wire() == WireType::String32) {
    binding.form = Form::String;
  } else if (wire.wire() == WireType::Nothing) {
    binding.form = Form::Nothing;
  } else {
    wrong_wire(type, wire, path, "yson32 or a simple wire type");
  }
  return binding;
}

/// Binds a bare yson32 that admits null: the entity is its null, as on the cluster.
Binding bind_nullable_yson(Binding value) {
  Binding present = leaf(Form::Present, yt::optional(value.type), value.wire);
  present.children.push_back(std::move(value));
  return present;
}

/// Simple types and decimals; `type` has no tags. `top` is a column, which has a few forms more.
Binding bind_leaf(const yt::Type& type, const Type& wire, bool top, const Path& path) {
  WireType w = wire.wire();
  if (type.is(TypeKind::Decimal)) {
    if (w == WireType::Yson32) return leaf(Form::YsonOf, type, wire);
    WireType expected = decimal_wire(type.precision());
    if (w != expected)
      wrong_wire(type, wire, path, fmt::format("{} or yson32", wire_name(expected)));
    return leaf(Form::Decimal, type, wire);
  }
  if (top && w == WireType::Yson32 && !type.is(TypeKind::Yson)) {
    return leaf(Form::YsonOf, type, wire);
  }
  switch (type.content()) {
    case yt::Content::Signed: {
      bool late = !top && yt::kind_row(type.kind()).later;
      if (late ? w != WireType::Int32 && w != WireType::Int64 : !is_small_signed(w)) {
        wrong_wire(type, wire, path, late ? "int32 or int64" : "int8, int16, int32 or int64");
      }
      return leaf(Form::Signed, type, wire);
    }
    case yt::Content::Unsigned:
      if (!is_small_unsigned(w)) wrong_wire(type, wire, path, "uint8, uint16, uint32 or uint64");
      return leaf(Form::Unsigned, type, wire);
    case yt::Content::Real:
      if (w != WireType::Double) wrong_wire(type, wire, path, "double");
      return leaf(Form::Double, type, wire);
    case yt::Content::Boolean:
      if (w != WireType::Boolean) wrong_wire(type, wire, path, "boolean");
      return leaf(Form::Boolean, type, wire);
    case yt::Content::Bytes:
    case yt::Content::Utf8:
    case yt::Content::Json:
      if (w != WireType::String32) wrong_wire(type, wire, path, "string32");
      return leaf(Form::String, type, wire);
    case yt::Content::Yson:
      if (top) return bind_any(type, wire, path);
      if (w != WireType::Yson32) wrong_wire(type, wire, path, "yson32");
      return leaf(Form::Yson, type, wire);
    case yt::Content::Null:
      if (w != WireType::Nothing) wrong_wire(type, wire, path, "nothing");
      return leaf(Form::Nothing, type, wire);
    case yt::Content::Uuid:
      if (w == WireType::Uint128) return leaf(Form::Uuid, type, wire);
      if (w != WireType::String32) wrong_wire(type, wire, path, "uint128 or string32");
      return leaf(Form::String, type, wire);
    case yt::Content::Zoned:
      if (w == WireType::Tuple) {
        const Type numbered = numbered_zone(type);
        if (!std::ranges::equal(wire.children(), numbered.children(), {}, &Type::wire,
                                &Type::wire)) {
          wrong_wire(type, wire, path, to_string(numbered) + ", string32 or yson32");
        }
        return leaf(Form::Zone, type, wire);
      }
      if (w == WireType::Yson32) return leaf(Form::YsonOf, type, wire);
      if (w != WireType::String32) wrong_wire(type, wire, path, "string32 or yson32");
      return leaf(Form::String, type, wire);
    case yt::Content::Decimal:
    case yt::Content::Compound:
      break;
  }
  throw Error(ErrorCode::Internal, "a compound type is no leaf");
}

/// variant<null, T> and variant<void, T> have the bytes of optional<T>; the chain of all three is
/// compared as a whole.
bool is_optional_like(const yt::Type& type) {
  if (type.is(TypeKind::Optional)) return true;
  if (!type.is(TypeKind::Variant) || type.is_named() || type.members().size() != 2) return false;
  const yt::Type& first = yt::without_tags(type.members()[0].type);
  return first.is(TypeKind::Null) || first.is(TypeKind::Void);
}

Binding bind_any_depth(const yt::Type& given, const Type& wire, Flow flow, const Path& path,
                       int omittable);

Binding bind_optional(const yt::Type& type, const Type& wire, Flow flow, const Path& path,
                      int omittable) {
  int logical = 0;
  const yt::Type* inner = &type;
  while (is_optional_like(*inner)) {
    ++logical;
    inner =
        &yt::without_tags(inner->is(TypeKind::Optional) ? inner->item() : inner->members()[1].type);
  }
  // A variant of nothing and something may have a tag of 16 bits, an optional may not. A named
  // variant has the names of its alternatives, and is not a level.
  const auto is_level = [&](const Type& node) {
    return is_variant(node.wire()) && node.children().size() == 2 &&
           node.child(0).wire() == WireType::Nothing &&
           !(inner->is(TypeKind::Variant) && inner->is_named() && !inner->members().empty() &&
             node.child(0).name() == inner->members()[0].name);
  };
  int levels = 0;
  for (const Type* node = &wire; is_level(*node); node = &node->child(1)) ++levels;
  // A yson32 has its own null. A schema without types says `optional<yson>` so, at any depth.
  if (levels == 0 && logical == 1 && inner->is(TypeKind::Yson) && wire.wire() == WireType::Yson32) {
    return bind_nullable_yson(leaf(Form::Yson, *inner, wire));
  }
  const bool omitted = omittable > 0 && levels + 1 == logical;
  if ((levels != logical || !wire.is_optional()) && !omitted) {
    mismatch(path, fmt::format("expected {} levels of variant8<nothing;…> for {}, found {}",
                               logical, yt::print_short(type), levels));
  }
  if (omitted) {
    Binding present = leaf(Form::Present, type, wire);
    present.children.push_back(bind_any_depth(type.item(), wire, flow, path, 0));
    return present;
  }
  Binding binding = leaf(Form::Optional, type, wire);
  Binding value = bind_any_depth(type.item(), wire.child(1), flow, path, 0);
  if (value.form == Form::Yson) value = bind_nullable_yson(std::move(value));
  binding.children.push_back(std::move(value));
  return binding;
}

Binding bind_struct(const yt::Type& type, const Type& wire, Flow flow, const Path& path) {
  if (wire.wire() != WireType::Tuple) wrong_wire(type, wire, path, "tuple");
  Binding binding = leaf(Form::Tuple, type, wire);
  std::span<const yt::Member> members = type.members();
  std::set<std::string_view> seen;
  int next = 0;
  for (size_t i = 0; i < wire.children().size(); ++i) {
    const Type& child = wire.child(i);
    if (child.name().empty()) {
      mismatch(path,
               fmt::format("expected a name of child {} of the tuple of a struct, found none", i));
    }
    if (!seen.insert(child.name()).second) {
      mismatch(path, fmt::format("expected each name once, found {} several times",
                                 clipped(child.name())));
    }
    auto found = std::ranges::find(members, child.name(), &yt::Member::name);
    Path below = path.field(child.name());
    if (found == members.end()) {
      if (!child.is_optional()) {
        mismatch(below, fmt::format("expected a member of the struct or an optional, found {}",
                                    to_string(child.named(""))));
      }
      if (flow == Flow::Read) {
        mismatch(below, "expected a member of the struct, found a name it does not have");
      }
      binding.members.push_back(-1);
      Binding absent = leaf(Form::Optional, yt::optional(TypeKind::Null), child);
      absent.children.push_back(leaf(Form::Nothing, TypeKind::Null, Type()));
      binding.children.push_back(std::move(absent));
      continue;
    }
    int index = static_cast<int>(found - members.begin());
    if (index < next) {
      mismatch(below, "expected members in the order of the struct, found one out of order");
    }
    next = index + 1;
    binding.members.push_back(index);
    binding.children.push_back(bind_any_depth(found->type, child, flow, below, 0));
  }
  if (flow == Flow::Read) {
    for (const yt::Member& member : members) {
      if (seen.contains(member.name) || member.type.is(TypeKind::Optional)) continue;
      mismatch(path.field(member.name),
               "expected a child for each member that is not optional, found none");
    }
  }
  return binding;
}

Binding bind_tuple(const yt::Type& type, const Type& wire, Flow flow, const Path& path) {
  if (wire.wire() != WireType::Tuple) wrong_wire(type, wire, path, "tuple");
  if (wire.children().size() != type.members().size()) {
    mismatch(path, fmt::format("expected a tuple of {} children, found {}", type.members().size(),
                               wire.children().size()));
  }
  Binding binding = leaf(Form::Tuple, type, wire);
  for (size_t i = 0; i < type.members().size(); ++i) {
    const yt::Type& element = type.members()[i].type;
    const Type& child = wire.child(i);
    Path below = path.field(std::to_string(i));
    binding.members.push_back(static_cast<int>(i));
    if (child.wire() == WireType::Nothing && flow == Flow::Write) {
      binding.children.push_back(leaf(Form::Nothing, element, child));
    } else {
      binding.children.push_back(bind_any_depth(element, child, flow, below, 0));
    }
  }
  return binding;
}

Binding bind_variant(const yt::Type& type, const Type& wire, Flow flow, const Path& path) {
  if (!is_variant(wire.wire())) wrong_wire(type, wire, path, "variant8 or variant16");
  if (wire.children().size() != type.members().size()) {
    mismatch(path, fmt::format("expected {} alternatives of {}, found {}", type.members().size(),
                               wire_name(wire.wire()), wire.children().size()));
  }
  Binding binding = leaf(Form::Variant, type, wire);
  for (size_t i = 0; i < type.members().size(); ++i) {
    const yt::Member& member = type.members()[i];
    std::string name = type.is_named() ? member.name : std::to_string(i);
    if (type.is_named() && member.name != wire.child(i).name()) {
      mismatch(path, fmt::format("expected alternative {} to be {}, found {}", i,
                                 clipped(member.name), clipped(wire.child(i).name())));
    }
    binding.children.push_back(
        bind_any_depth(member.type, wire.child(i), flow, path.alternative(name), 0));
  }
  return binding;
}

Binding bind_any_depth(const yt::Type& given, const Type& wire, Flow flow, const Path& path,
                       int omittable) {
  const yt::Type& type = yt::without_tags(given);
  switch (type.composition()) {
    case yt::Composition::Optional:
      return bind_optional(type, wire, flow, path, omittable);
    case yt::Composition::List: {
      if (wire.wire() != WireType::RepeatedVariant8) {
        wrong_wire(type, wire, path, "repeated_variant8");
      }
      if (wire.children().size() != 1) {
        mismatch(path, fmt::format("expected one child of the repeated_variant8 of a list, "
                                   "found {}",
                                   wire.children().size()));
      }
      Binding binding = leaf(Form::List, type, wire);
      binding.children.push_back(bind_any_depth(type.item(), wire.child(0), flow, path.item(), 0));
      return binding;
    }
    case yt::Composition::Dict: {
      bool shaped = wire.wire() == WireType::RepeatedVariant8 && wire.children().size() == 1 &&
                    wire.child(0).wire() == WireType::Tuple && wire.child(0).children().size() == 2;
      if (!shaped) wrong_wire(type, wire, path, "repeated_variant8<tuple<key;value>>");
      Binding binding = leaf(Form::Dict, type, wire);
      const Type& entry = wire.child(0);
      binding.children.push_back(
          bind_any_depth(type.key(), entry.child(0), flow, path.map_key(), 0));
      binding.children.push_back(
          bind_any_depth(type.value(), entry.child(1), flow, path.map_value(), 0));
      return binding;
    }
    case yt::Composition::Struct:
      return bind_struct(type, wire, flow, path);
    case yt::Composition::Tuple:
      return bind_tuple(type, wire, flow, path);
    case yt::Composition::Variant:
      return bind_variant(type, wire, flow, path);
    case yt::Composition::None:
    case yt::Composition::Tagged:
      break;
  }
  return bind_leaf(type, wire, false, path);
}

}  // namespace

bool Binding::is_left_out() const {
  return form == Form::Nothing && !any && yt::without_tags(type).content() != yt::Content::Null;
}

Binding bind_nested(const yt::Type& type, const Type& wire, Flow flow, const Path& path) {
  return bind_any_depth(type, wire, flow, path, 0);
}

Binding bind_column(const yt::Type& given, const Type& wire, Flow flow, bool sparse,
                    const Path& path) {
  const yt::Type& type = yt::without_tags(given);
  bool optional = type.is(TypeKind::Optional);
  const yt::Type& inner = optional ? yt::without_tags(type.item()) : type;
  bool simple =
      (inner.is_simple() && !(optional && yt::is_nullable(inner))) || inner.is(TypeKind::Decimal);
  if (!simple) return bind_any_depth(type, wire, flow, path, sparse ? 1 : 0);
  bool wire_optional = wire.is_optional();
  // An optional null type would merge two nulls into one.
  if (wire_optional && inner.content() == yt::Content::Null) {
    wrong_wire(type, wire, path, "nothing");
  }
  Binding value = bind_leaf(inner, wire_optional ? wire.child(1) : wire, true, path);
  if (!wire_optional && (!optional || value.form == Form::Nothing)) return value;
  if (!wire_optional) {
    Binding present = leaf(Form::Present, yt::optional(inner), wire);
    present.children.push_back(std::move(value));
    return present;
  }
  Binding binding = leaf(Form::Optional, yt::optional(inner), wire);
  binding.required = !optional;
  if (optional && value.form == Form::Yson) value = bind_nullable_yson(std::move(value));
  binding.children.push_back(std::move(value));
  return binding;
}

yt::Type natural_type(const Type& wire) { return bind_alone(wire).type; }

namespace {

std::vector<Binding> bind_children(const Type& wire) {
  std::vector<Binding> children;
  for (const Type& child : wire.children()) children.push_back(bind_alone(child));
  return children;
}

std::vector<yt::Type> types_of(const std::vector<Binding>& children) {
  std::vector<yt::Type> types;
  for (const Binding& child : children) types.push_back(child.type);
  return types;
}

/// Returns the children as members, or nothing if they do not each have a name of their own.
std::optional<std::vector<yt::Member>> named_members(const std::vector<Binding>& children) {
  std::vector<yt::Member> members;
  std::set<std::string_view> names;
  for (const Binding& child : children) {
    const std::string& name = child.wire.name();
    if (name.empty() || !names.insert(name).second) return std::nullopt;
    members.emplace_back(name, child.type);
  }
  if (members.empty()) return std::nullopt;
  return members;
}

}  // namespace

Binding bind_alone(const Type& wire) {
  Binding binding;
  binding.wire = wire;
  const WireRow& row = wire_row(wire.wire());
  switch (row.group) {
    case WireGroup::Nothing:
      return leaf(Form::Nothing, row.natural, wire);
    case WireGroup::Boolean:
      return leaf(Form::Boolean, row.natural, wire);
    case WireGroup::Signed:
      return leaf(is_small(row.wire) ? Form::Signed : Form::Wide, row.natural, wire);
    case WireGroup::Unsigned:
      return leaf(is_small(row.wire) ? Form::Unsigned : Form::Wide, row.natural, wire);
    case WireGroup::Double:
      return leaf(Form::Double, row.natural, wire);
    case WireGroup::String:
      return leaf(Form::String, row.natural, wire);
    case WireGroup::Yson:
      binding = leaf(Form::Yson, row.natural, wire);
      binding.any = true;
      return bind_nullable_yson(std::move(binding));
    case WireGroup::Tuple: {
      binding.form = Form::Tuple;
      binding.children = bind_children(wire);
      for (size_t i = 0; i < binding.children.size(); ++i) {
        binding.members.push_back(static_cast<int>(i));
      }
      auto members = named_members(binding.children);
      binding.type =
          members ? yt::struct_(*std::move(members)) : yt::tuple(types_of(binding.children));
      return binding;
    }
    case WireGroup::Variant:
    case WireGroup::Repeated:
      break;
  }
  if (wire.is_optional()) {
    binding.form = Form::Optional;
    binding.children.push_back(bind_alone(wire.child(1)));
    const Binding& value = binding.children[0];
    // The null that a yson32 has is that of the optional around it.
    binding.type = value.form == Form::Present ? value.type : yt::optional(value.type);
    return binding;
  }
  bool repeated = is_repeated(wire.wire());
  if (repeated && wire.children().size() == 1) {
    binding.form = Form::List;
    binding.children.push_back(bind_alone(wire.child(0)));
    binding.type = yt::list(binding.children[0].type);
    return binding;
  }
  binding.form = Form::Variant;
  binding.children = bind_children(wire);
  auto members = named_members(binding.children);
  binding.type =
      members ? yt::variant(*std::move(members)) : yt::variant_of(types_of(binding.children));
  if (!repeated) return binding;
  binding.shares_tag = true;
  Binding outer;
  outer.form = Form::List;
  outer.wire = wire;
  outer.type = yt::list(binding.type);
  outer.children.push_back(std::move(binding));
  return outer;
}

BoundTable bind_table(const Type& root, const yt::TableSchema* schema, Flow flow) {
  BoundTable table;
  table.layout = table_layout(root);
  using Described = ByName<yt::ColumnSchema>;
  const Described described(schema == nullptr ? std::span<const yt::ColumnSchema>()
                                              : std::span(schema->columns));
  auto bind_one = [&](const Type& node, Role role, uint16_t tag) {
    bool sparse = role == Role::Sparse;
    BoundColumn column;
    column.name = node.name();
    column.role = role;
    column.tag = tag;
    if (schema == nullptr) {
      column.binding = bind_alone(node);
      column.type = column.binding.type;
      if (sparse && !yt::is_nullable(column.type)) {
        column.type = yt::optional(column.type);
        Binding present = leaf(Form::Present, column.type, node);
        present.children.push_back(std::move(column.binding));
        column.binding = std::move(present);
      }
    } else {
      const yt::ColumnSchema* known = described.find(node.name());
      column.type = known == nullptr ? yt::optional(TypeKind::Yson) : known->type;
      column.binding = bind_column(column.type, node, flow, sparse, Path::column(node.name()));
    }
    column.nullable = yt::is_nullable(column.type);
    table.columns.push_back(std::move(column));
  };
  for (const Slot& slot : table.layout.slots) {
    if (slot.role != Role::Dense) {
      table.column_of_slot.push_back(-1);
      continue;
    }
    table.column_of_slot.push_back(static_cast<int>(table.columns.size()));
    bind_one(slot.type, Role::Dense, 0);
  }
  table.dense_columns = table.columns.size();
  for (size_t tag = 0; tag < table.layout.sparse.size(); ++tag) {
    bind_one(table.layout.sparse[tag], Role::Sparse, static_cast<uint16_t>(tag));
  }
  if (!table.layout.has_other_columns) return table;
  table.others.strict = schema != nullptr && schema->strict;
  if (schema == nullptr) return table;
  const ByName<BoundColumn> bound(table.columns);
  for (const yt::ColumnSchema& column : schema->columns) {
    if (bound.find(column.name) == nullptr) {
      table.others.columns.emplace_back(column.name, column.type);
    }
  }
  return table;
}

yt::TableSchema columns_of(const Schema& schema, size_t table) {
  if (const yt::TableSchema* known = schema.table_schema(table)) return *known;
  const BoundTable bound = bind_table(schema.format.tables[table], nullptr, Flow::Read);
  yt::TableSchema columns;
  columns.strict = !bound.layout.has_other_columns;
  for (const BoundColumn& column : bound.columns) {
    columns.columns.emplace_back(column.name, column.type);
  }
  return columns;
}

void describe_others(Schema* schema, size_t table, const yt::TableSchema& rows) {
  const Type& root = schema->format.tables[table];
  const yt::TableSchema* known = schema->table_schema(table);
  yt::TableSchema described = columns_of(*schema, table);
  if (described.strict || !table_layout(root).has_other_columns) return;
  if (known == nullptr) described.strict = rows.strict;
  const size_t before = described.columns.size();
  std::unordered_set<std::string> names;
  for (const yt::ColumnSchema& column : described.columns) names.insert(column.name);
  for (const yt::ColumnSchema& column : rows.columns) {
    if (names.insert(column.name).second) {
      described.columns.emplace_back(column.name, column.type);
    }
  }
  if (described.columns.size() == before) return;
  for (size_t i = schema->table_schemas.size(); i < schema->format.tables.size(); ++i) {
    schema->table_schemas.push_back(columns_of(*schema, i));
  }
  schema->table_schemas[table] = std::move(described);
}

std::vector<BoundTable> bind(const Schema& schema, Flow flow) {
  std::vector<BoundTable> tables;
  for (size_t i = 0; i < schema.format.tables.size(); ++i) {
    try {
      tables.push_back(bind_table(schema.format.tables[i], schema.table_schema(i), flow));
    } catch (Error& error) {
      error.place().table = static_cast<uint32_t>(i);
      throw;
    }
  }
  return tables;
}

}  // namespace xwalk::skiff
