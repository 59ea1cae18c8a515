#include "xwalk/skiff/hub.h"

#include <algorithm>
#include <string_view>
#include <unordered_map>

#include <fmt/format.h>

#include "xwalk/base/error.h"
#include "xwalk/hub/annotation.h"
#include "xwalk/hub/box.h"
#include "xwalk/hub/children.h"
#include "xwalk/hub/mapper_checks.h"
#include "xwalk/skiff/derive.h"
#include "xwalk/yt/hub.h"
#include "xwalk/yt/layer.h"
#include "xwalk/yt/shape.h"

namespace xwalk::skiff {
namespace {

/// Suffix of a wire type's name for a value without an optional although the type is optional.
constexpr char kBare = '!';

/// Returns the wire type that `from_arrow` chooses for a type by default, for its own layer only.
WireType default_wire(const yt::Type& type) { return derive(type).wire(); }

hub::Field marked(hub::Field field, const Binding& binding, const yt::Shape& shape);

/// Marks the field of a value below a level of optional.
hub::Field marked_level(hub::Field field, const Binding& binding, const yt::Shape& shape) {
  const Binding& level = binding.children[0];
  const bool has_two_nulls = binding.form == Form::Optional && level.form == Form::Present;
  const Binding& value = has_two_nulls ? level.children[0] : level;
  if (shape.nesting == yt::Nesting::Box) {
    field.type = hub::box(marked(field.type.child(), value, shape.children[0]));
    return field;
  }
  bool nullable = field.nullable;
  field = marked(std::move(field), value, shape);
  field.nullable = nullable;
  return field;
}

/// Marks the fields of members or alternatives that have a place in the skiff schema.
hub::Type marked_members(const hub::Type& type, const Binding& binding, const yt::Shape& shape) {
  std::vector<hub::Field> fields(type.children().begin(), type.children().end());
  for (size_t i = 0; i < binding.children.size(); ++i) {
    int member = binding.form == Form::Tuple ? binding.members[i] : static_cast<int>(i);
    if (member < 0) continue;
    hub::Field& field = fields[static_cast<size_t>(member)];
    const yt::Shape& part = shape.children[static_cast<size_t>(member)];
    bool boxed =
        binding.form == Form::Variant && !shape.is_union && part.nesting == yt::Nesting::Box;
    if (boxed) {
      field.type = hub::box(marked(field.type.child(), binding.children[i], part.children[0]));
    } else {
      field = marked(std::move(field), binding.children[i], part);
    }
  }
  return hub::with_children(type, std::move(fields));
}

/// Returns an Arrow field annotated for a skiff schema: wire types that would not be chosen again,
/// and wide integers as bytes, which only a schema without a table schema has.
hub::Field marked(hub::Field field, const Binding& binding, const yt::Shape& shape) {
  WireType wire = binding.wire.wire();
  switch (binding.form) {
    case Form::Wide:
      field.type = hub::fixed_size_binary(static_cast<int32_t>(fixed_width(wire).value_or(0)));
      field.metadata.erase(hub::annotation_key(yt::kSystem));
      hub::annotate(field, kSystem, std::string(wire_name(wire)));
      return field;
    case Form::Optional:
      return marked_level(std::move(field), binding, shape);
    case Form::Present:
      field = marked_level(std::move(field), binding, shape);
      hub::annotate(field, kSystem, fmt::format("{}{}", wire_name(wire), kBare));
      return field;
    case Form::List:
      field.type = hub::list(marked(field.type.child(0), binding.children[0], shape.children[0]));
      break;
    case Form::Tuple:
    case Form::Variant:
      field.type = marked_members(field.type, binding, shape);
      break;
    case Form::Dict: {
      hub::Field entries = field.type.child();
      entries.type = hub::with_children(
          entries.type, {marked(entries.type.child(0), binding.children[0], shape.children[0]),
                         marked(entries.type.child(1), binding.children[1], shape.children[1])});
      field.type = hub::with_children(field.type, {std::move(entries)});
      break;
    }
    case Form::Nothing:
    case Form::Boolean:
    case Form::Signed:
    case Form::Unsigned:
    case Form::Double:
    case Form::String:
    case Form::Yson:
    case Form::YsonOf:
    case Form::Uuid:
    case Form::Decimal:
    case Form::Zone:
      break;
  }
  // The tag of a shared variant is the list's, and its width is noted there.
  if (!binding.shares_tag && binding.form != Form::Nothing && wire != default_wire(binding.type)) {
    hub::annotate(field, kSystem, std::string(wire_name(wire)));
  }
  if (binding.form == Form::List && binding.children[0].shares_tag) {
    hub::annotate(field, kSystem, fmt::format("{}<…>", wire_name(wire)));
  }
  return field;
}

hub::Field field_of(const BoundColumn& column) {
  hub::Field field = yt::to_arrow(column.name, column.type);
  yt::Shape shape = yt::shape_of(column.type, field);
  // A null of a sparse column is left out of the row: the wire type is that of what is optional.
  if (column.role == Role::Sparse && column.binding.form == Form::Present) {
    return marked_level(std::move(field), column.binding, shape);
  }
  return marked(std::move(field), column.binding, shape);
}

}  // namespace

hub::Schema to_arrow(const BoundTable& table) {
  hub::Schema schema;
  for (const BoundColumn& column : table.columns) {
    schema.fields.push_back(field_of(column));
  }
  for (hub::Field& field : yt::to_arrow(table.others).fields) {
    schema.fields.push_back(std::move(field));
  }
  return schema;
}

namespace {

/// Adds what the table schema says beside types: attributes of columns and of the table.
void add_attributes(const yt::TableSchema& table, hub::Schema* schema) {
  hub::Schema full = yt::to_arrow(table);
  std::unordered_map<std::string_view, const hub::Field*> by_name;
  by_name.reserve(full.fields.size());
  for (const hub::Field& field : full.fields) by_name.try_emplace(field.name, &field);
  for (hub::Field& field : schema->fields) {
    const auto same = by_name.find(field.name);
    if (same == by_name.end()) continue;
    for (const auto& [key, value] : same->second->metadata) field.metadata.set(key, value);
  }
  schema->metadata = std::move(full.metadata);
}

}  // namespace

hub::Schema to_arrow(const Schema& schema, size_t table) {
  if (table >= schema.format.tables.size()) {
    throw Error(ErrorCode::Usage, fmt::format("expected a table below {}, found {}",
                                              schema.format.tables.size(), table));
  }
  const yt::TableSchema* known = schema.table_schema(table);
  // Readers ask for more, such as every member that is not optional.
  hub::Schema arrow = to_arrow(bind_table(schema.format.tables[table], known, Flow::Write));
  if (known != nullptr) add_attributes(*known, &arrow);
  return arrow;
}

namespace {

/// Returns the wire type of a field of 128 or 256 bits without a table schema.
std::optional<WireType> wide_wire(const hub::Field& field) {
  std::optional<std::string_view> text = hub::annotation(field, kSystem);
  if (!text || field.type.kind() != hub::Kind::FixedSizeBinary) return std::nullopt;
  std::optional<WireType> wire = wire_from_name(*text);
  if (!wire || !fixed_width(*wire) || *fixed_width(*wire) < 16) return std::nullopt;
  if (*fixed_width(*wire) != static_cast<size_t>(field.type.size())) return std::nullopt;
  return wire;
}

/// Returns a field with the bytes of wide integers as binary, which the rest of the mapping sees.
hub::Field without_wide(hub::Field field, bool* any) {
  if (wide_wire(field)) {
    *any = true;
    field.type = hub::Kind::Binary;
    return field;
  }
  std::vector<hub::Field> children;
  bool changed = false;
  for (const hub::Field& child : field.type.children()) {
    children.push_back(without_wide(child, &changed));
  }
  if (!changed) return field;
  *any = true;
  if (hub::is_list(field.type.kind())) {
    field.type = hub::list(std::move(children[0]));
  } else if (field.type.kind() == hub::Kind::DenseUnion) {
    field.type = hub::union_(std::move(children));
  } else {
    field.type = hub::struct_(std::move(children));
  }
  return field;
}

/// Puts the wire types that annotations name in the place of derived ones.
class Annotated {
 public:
  /// `alone`: no table schema restricts which wire types may stand for a type.
  Annotated(hub::Findings* findings, bool alone) : findings_(findings), alone_(alone) {}

  Type apply(const Type& derived, const yt::Type& given, const hub::Field& encoded,
             const Path& path) {
    if (hub::is_encoded(encoded.type)) {
      return apply(derived, given, yt::decoded_field(encoded), path);
    }
    const hub::Field& field = encoded;
    const yt::Type& type = yt::without_tags(given);
    if (std::optional<WireType> wire = wide_wire(field)) {
      Type value(*wire, derived.name());
      return type.is(yt::TypeKind::Optional) ? optional_of(value) : value;
    }
    const std::optional<std::string_view> note = hub::annotation(field, kSystem);
    if (note && note->ends_with(kBare) && type.is(yt::TypeKind::Optional) && !yt::is_boxed(type)) {
      hub::Field value = field;
      hub::annotate(value, kSystem, std::string(note->substr(0, note->size() - 1)));
      return apply(derived.child(1), type.item(), value, path).named(derived.name());
    }
    if (type.is(yt::TypeKind::Optional)) {
      bool boxed = yt::is_boxed(type) && hub::is_box(field.type);
      const hub::Field& item = boxed ? field.type.child() : field;
      return optional_of(apply(derived.child(1), type.item(), item, path)).named(derived.name());
    }
    return marked(with_children(derived, type, field, path), type, field, path);
  }

 private:
  /// Applies annotations of the children.
  Type with_children(const Type& derived, const yt::Type& type, const hub::Field& field,
                     const Path& path) {
    Type node = derived;
    switch (type.composition()) {
      case yt::Composition::List:
        if (hub::is_list(field.type.kind())) {
          node = Type(derived.wire(),
                      {apply(derived.child(0), type.item(), field.type.child(0), path.item())},
                      derived.name());
        }
        break;
      case yt::Composition::Struct:
      case yt::Composition::Tuple:
      case yt::Composition::Variant: {
        if (field.type.children().size() != derived.children().size()) break;
        std::vector<Type> children;
        for (size_t i = 0; i < derived.children().size(); ++i) {
          const hub::Field& member = type.is(yt::TypeKind::Variant)
                                         ? yt::alternative_field(type, field, i)
                                         : field.type.child(i);
          children.push_back(apply(derived.child(i), type.members()[i].type, member,
                                   path.field(field.type.child(i).name)));
        }
        if (derived.wire() == WireType::Tuple || !children.empty()) {
          node = Type(derived.wire(), std::move(children), derived.name());
        }
        break;
      }
      case yt::Composition::Dict: {
        const hub::Type& entries = field.type.child().type;
        const Type& pair = derived.child();
        node = Type(derived.wire(),
                    {Type(pair.wire(),
                          {apply(pair.child(0), type.key(), entries.child(0), path.map_key()),
                           apply(pair.child(1), type.value(), entries.child(1), path.map_value())},
                          pair.name())},
                    derived.name());
        break;
      }
      case yt::Composition::None:
      case yt::Composition::Optional:
      case yt::Composition::Tagged:
        break;
    }
    return node;
  }

  /// Returns the type with the wire type that the field's annotation names. Reports an annotation
  /// that does not fit.
  Type marked(const Type& node, const yt::Type& type, const hub::Field& field, const Path& path) {
    std::optional<std::string_view> text = hub::annotation(field, kSystem);
    if (!text) return node;
    if (*text == "tuple" && type.content() == yt::Content::Zoned) {
      return numbered_zone(type).named(node.name());
    }
    if (std::optional<Type> named = annotated_type(*text, node, type)) return *std::move(named);
    findings_->push_back(hub::stale_annotation(path, *text));
    return node;
  }

  /// Returns the type with the wire type of an annotation, or nothing if that does not fit.
  std::optional<Type> annotated_type(std::string_view text, const Type& node,
                                     const yt::Type& type) const {
    // Suffix of a list whose items are alternatives of its own tag.
    constexpr std::string_view kShared = "<…>";
    const bool shares = text.ends_with(kShared) && is_repeated(node.wire()) &&
                        node.children().size() == 1 && is_variant(node.child().wire());
    std::optional<WireType> wire =
        wire_from_name(shares ? text.substr(0, text.size() - kShared.size()) : text);
    if (!wire || is_simple(*wire) != is_simple(node.wire())) return std::nullopt;
    const Type& tagged = shares ? node.child() : node;
    Type named =
        is_simple(*wire)
            ? Type(*wire, node.name())
            : Type(*wire, {tagged.children().begin(), tagged.children().end()}, node.name());
    if (alone_ && natural_type(named) == type) return named;
    try {
      bind_nested(type, named, Flow::Write);
      return named;
    } catch (const Error&) {
      return std::nullopt;
    }
  }

  hub::Findings* findings_;
  bool alone_;
};

/// Returns the wire types of all columns: the derived ones, or those that annotations name. With
/// `alone` there is no table schema, which allows more of them.
std::vector<Type> wire_types(const hub::Schema& schema, const yt::TableSchema& table,
                             const Type& derived, bool alone, hub::Findings* findings) {
  Annotated annotated(findings, alone);
  std::vector<Type> children(derived.children().begin(), derived.children().end());
  for (size_t i = 0; i < table.columns.size(); ++i) {
    const hub::Field& field = schema.fields[i];
    const yt::ColumnSchema& column = table.columns[i];
    Type marked = annotated.apply(children[i], column.type, field, Path::column(column.name));
    bool wide = false;
    if (!alone) without_wide(field, &wide);
    if (!wide) {
      children[i] = std::move(marked);
      continue;
    }
    findings->push_back({.rule = "type.as-storage",
                         .path = Path::column(field.name),
                         .lost = "without a table schema, integers of 128 and 256 bits are bytes"});
  }
  return children;
}

}  // namespace

bool holds(const hub::Field& field) { return wide_wire(field).has_value(); }

FromArrow from_arrow(const hub::Schema& schema, hub::Refused* refused) {
  hub::Schema plain = schema;
  bool ignored_wide = false;
  for (hub::Field& field : plain.fields) field = without_wide(std::move(field), &ignored_wide);
  yt::FromArrow table = yt::from_arrow(plain, refused);
  if (refused != nullptr && !refused->empty()) return {};
  FromArrow result;
  result.findings = table.findings;
  Type root = derive(table.schema);
  hub::Findings ignored;
  std::vector<Type> by_table = wire_types(schema, table.schema, root, false, &result.findings);
  std::vector<Type> by_wire = wire_types(schema, table.schema, root, true, &ignored);
  // Some wire types determine the content only without a table schema.
  bool alone = by_wire != by_table;
  for (size_t i = 0; alone && i < table.schema.columns.size(); ++i) {
    alone = natural_type(by_wire[i]) == table.schema.columns[i].type;
  }
  if (alone) result.findings = std::move(table.findings);
  root = Type(WireType::Tuple, alone ? std::move(by_wire) : std::move(by_table));
  result.schema.format.tables.push_back(std::move(root));
  if (!alone) result.schema.table_schemas.push_back(std::move(table.schema));
  return result;
}

namespace {

/// Returns the integers that a wire type carries, if it carries integers of up to 64 bits.
std::optional<hub::Range> carried(WireType wire) {
  std::optional<size_t> width = fixed_width(wire);
  if (!width || *width > 8) return std::nullopt;
  const Int128 values = static_cast<Int128>(1) << (8 * *width);
  if (is_signed_integer(wire)) return hub::Range{-(values / 2), values / 2 - 1};
  if (is_unsigned_integer(wire)) return hub::Range{0, values - 1};
  return std::nullopt;
}

}  // namespace

hub::Refinement refine(const hub::Field& field) {
  hub::Refinement out = yt::refine(field);
  std::optional<std::string_view> text = hub::annotation(field, kSystem);
  if (text && text->ends_with(kBare)) text->remove_suffix(1);
  std::optional<WireType> wire = text ? wire_from_name(*text) : std::nullopt;
  std::optional<hub::Range> wired = wire ? carried(*wire) : std::nullopt;
  if (wired && out.range) {
    out.range->low = std::max(out.range->low, wired->low);
    out.range->high = std::min(out.range->high, wired->high);
  }
  return out;
}

}  // namespace xwalk::skiff
