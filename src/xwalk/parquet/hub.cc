#include "xwalk/parquet/hub.h"

#include <charconv>
#include <unordered_map>

#include <fmt/format.h>

#include "xwalk/base/error.h"
#include "xwalk/base/text.h"
#include "xwalk/hub/annotation.h"
#include "xwalk/hub/extension.h"
#include "xwalk/hub/geospatial.h"
#include "xwalk/hub/kinds.h"
#include "xwalk/hub/mapper_checks.h"
#include "xwalk/parquet/arrow_schema.h"
#include "xwalk/parquet/layer.h"
#include "xwalk/parquet/leaf.h"
#include "xwalk/parquet/resolve.h"

namespace xwalk::parquet {
namespace {

using Kind = LogicalType::Kind;

std::optional<int32_t> field_id(const hub::Field& field) {
  auto text = field.metadata.find(kFieldId);
  if (!text) return std::nullopt;
  int32_t id = 0;
  auto [end, error] = std::from_chars(text->data(), text->data() + text->size(), id);
  if (error != std::errc() || end != text->data() + text->size()) return std::nullopt;
  return id;
}

Node with_name(const Node& node, std::string name, Repetition repetition,
               std::optional<int32_t> id) {
  NodeData data = node.data();
  data.name = std::move(name);
  data.repetition = repetition;
  data.id = id;
  return Node(std::move(data));
}

Node with_children(const Node& node, std::vector<Node> children) {
  NodeData data = node.data();
  data.children = std::move(children);
  return Node(std::move(data));
}

/// Returns the Arrow type of a primitive if a field's type fits it; otherwise empty.
std::optional<hub::Type> promised_type(const Node& node, const hub::Type& type) {
  for (bool storage : {false, true}) {
    for (hub::TimeUnit unit : {hub::TimeUnit::Nano, hub::TimeUnit::Micro}) {
      hub::Type promised = leaf_field(node, {.int96_unit = unit, .storage = storage}).type;
      if (hub::annotation_fits(type, promised)) return promised;
      // Another writer's notes made it the field's type: seconds of what is stored as milliseconds.
      if (with_arrow_type(promised, type) == type) return promised;
    }
  }
  return std::nullopt;
}

/// Whether a node may be repeated without LIST or MAP: in a group or as a column.
enum class Parent : uint8_t { InGroup, InList };

class Builder {
 public:
  explicit Builder(hub::Findings* findings) : findings_(findings) {}

  Node field(const hub::Field& field, const Path& path) {
    return build(field, field.name, repetition(field), path, Parent::InGroup);
  }

 private:
  static Repetition repetition(const hub::Field& field) {
    return field.nullable ? Repetition::Optional : Repetition::Required;
  }

  void find(std::string_view rule, const Path& path, const hub::Field& /*field*/,
            std::string_view /*target*/, std::string lost, std::string hint = {}) {
    findings_->push_back(
        {.rule = rule, .path = path, .lost = std::move(lost), .hint = std::move(hint)});
  }

  [[noreturn]] static void refuse(const hub::Field& field, const Path& path, std::string hint) {
    hub::refuse(
        path,
        fmt::format("expected a type that Parquet can store, found {}", hub::to_string(field.type)),
        std::move(hint));
  }

  Node build(const hub::Field& field, std::string name, Repetition repetition, const Path& path,
             Parent parent) {
    if (auto text = hub::annotation(field, kSystem)) {
      // Findings of an attempt that fails are found again in the plain mapping.
      size_t found = findings_->size();
      auto layer = parse_layer(*text);
      if (layer) {
        if (auto node = by_annotation(*layer, field, name, repetition, path, parent)) return *node;
      }
      // guard(allocate): A list is shortened.
      findings_->resize(found);
      findings_->push_back(hub::stale_annotation(path, *text));
    }
    return plain(field, std::move(name), repetition, path);
  }

  // ---- by annotation: empty if it does not fit the field

  std::optional<Node> by_annotation(const Node& layer, const hub::Field& field,
                                    const std::string& name, Repetition repetition,
                                    const Path& path, Parent parent) {
    if (layer.is(Repetition::Repeated)) return repeated(field, name, path, parent);
    if (annotation_problem(layer)) return std::nullopt;
    Node named = with_name(layer, name, repetition, field_id(field));
    if (!layer.is_group()) return leaf(named, field, path);
    if (is_list(layer)) return list(named, field, path);
    if (is_map(layer)) return map(named, field, path);
    if (field.type.kind() != hub::Kind::Struct || !layer.children().empty()) return std::nullopt;
    return with_children(named, members(field, path));
  }

  std::optional<Node> leaf(const Node& node, const hub::Field& field, const Path& path) {
    const std::optional<hub::Type> promised = promised_type(node, field.type);
    if (!promised) return std::nullopt;
    // Another program may have set another coordinate reference system.
    const hub::Field noted = leaf_field(node, {});
    if (hub::geospatial_of(field) && hub::geospatial_of(noted) &&
        !hub::same_geospatial(field, noted)) {
      return std::nullopt;
    }
    hub::Field compared = field;
    if (hub::geospatial_of(field) && !hub::geospatial_of(noted)) {
      // Plain bytes have no CRS that readers assume.
      compared.metadata.erase(hub::kExtensionName);
    }
    compare(compared, *promised, path);
    return node;
  }

  std::optional<Node> repeated(const hub::Field& field, const std::string& name, const Path& path,
                               Parent parent) {
    if (parent != Parent::InGroup || field.nullable || !hub::is_list(field.type.kind()) ||
        field.type.kind() == hub::Kind::FixedSizeList || field.type.child().nullable) {
      return std::nullopt;
    }
    const hub::Field& item = field.type.child();
    Node node = build(item, name, Repetition::Repeated, path.item(), Parent::InList);
    // As a field it would be no list of lists, but malformed.
    if (is_list(node) || is_map(node)) return std::nullopt;
    compare_list(field, path);
    return node;
  }

  std::optional<Node> list(const Node& layer, const hub::Field& field, const Path& path) {
    if (!hub::is_list(field.type.kind()) || field.type.kind() == hub::Kind::FixedSizeList) {
      return std::nullopt;
    }
    ListShape shape = list_shape(layer);
    if (shape.problem) return std::nullopt;
    const hub::Field& item = field.type.child();
    Node built = layer;
    if (shape.three_level()) {
      Node element =
          build(item, shape.element->name(), repetition(item), path.item(), Parent::InList);
      built = with_children(layer, {with_children(*shape.repeated, {std::move(element)})});
    } else {
      if (item.nullable) return std::nullopt;
      built = with_children(layer, {build(item, shape.repeated->name(), Repetition::Repeated,
                                          path.item(), Parent::InList)});
    }
    // The rules read other names and children otherwise: then the old shape means another type.
    ListShape again = list_shape(built);
    if (again.problem || again.three_level() != shape.three_level()) return std::nullopt;
    compare_list(field, path);
    return built;
  }

  std::optional<Node> map(const Node& layer, const hub::Field& field, const Path& path) {
    MapShape shape = map_shape(layer);
    if (shape.problem) return std::nullopt;
    std::vector<Node> parts;
    if (shape.value == nullptr) {
      if (!hub::is_list(field.type.kind()) || field.type.kind() == hub::Kind::FixedSizeList ||
          field.type.child().nullable) {
        return std::nullopt;
      }
      parts.push_back(build(field.type.child(), shape.key->name(), Repetition::Required,
                            path.item(), Parent::InList));
      compare_list(field, path);
    } else {
      if (field.type.kind() != hub::Kind::Map) return std::nullopt;
      parts.push_back(build(field.type.key(), shape.key->name(), Repetition::Required,
                            path.map_key(), Parent::InList));
      parts.push_back(build(field.type.value(), shape.value->name(), repetition(field.type.value()),
                            path.map_value(), Parent::InList));
    }
    return with_children(layer, {with_children(*shape.repeated, std::move(parts))});
  }

  // ---- plain Arrow types

  std::vector<Node> members(const hub::Field& field, const Path& path) {
    std::vector<Node> nodes;
    for (const hub::Field& child : field.type.children()) {
      nodes.push_back(
          build(child, child.name, repetition(child), path.field(child.name), Parent::InGroup));
    }
    return nodes;
  }

  Node plain(const hub::Field& field, std::string name, Repetition repetition, const Path& path) {
    const hub::Type& type = field.type;
    std::optional<int32_t> id = field_id(field);
    if (auto data = standard_leaf(field)) {
      data->name = std::move(name);
      data->repetition = repetition;
      data->id = id;
      Node node(*std::move(data));
      compare(field, leaf_field(node, {}).type, path);
      return node;
    }
    switch (hub::kind_row(type.kind()).form) {
      case hub::Form::Dictionary: {
        hub::Field values = field;
        values.type = type.child().type;
        find("layout.flattened", path, field, hub::to_string(values.type),
             "the dictionary is not preserved: values are stored instead of indices");
        return plain(values, std::move(name), repetition, path);
      }
      case hub::Form::List:
      case hub::Form::FixedSizeList: {
        compare_list(field, path);
        const hub::Field& item = type.child();
        Node element =
            build(item, "element", Builder::repetition(item), path.item(), Parent::InList);
        return Node::group(repetition, std::move(name),
                           {Node::group(Repetition::Repeated, "list", {std::move(element)})},
                           Kind::List, id);
      }
      case hub::Form::Map: {
        Node key = build(type.key(), "key", Repetition::Required, path.map_key(), Parent::InList);
        Node value = build(type.value(), "value", Builder::repetition(type.value()),
                           path.map_value(), Parent::InList);
        return Node::group(
            repetition, std::move(name),
            {Node::group(Repetition::Repeated, "key_value", {std::move(key), std::move(value)}, {},
                         field_id(type.child()))},
            Kind::Map, id);
      }
      case hub::Form::Struct: {
        if (type.children().empty()) {
          refuse(field, path, "a group without fields has no column to store its values in");
        }
        Annotation annotation;
        if (field.extension_name() == "arrow.parquet.variant") {
          annotation = LogicalType::variant(1);
        } else {
          compare(field, type, path);
        }
        return Node::group(repetition, std::move(name), members(field, path), annotation, id);
      }
      case hub::Form::Plain:
      case hub::Form::FixedSizeBinary:
      case hub::Form::Unit:
      case hub::Form::Timestamp:
      case hub::Form::Decimal:
      case hub::Form::Union:
      case hub::Form::RunEndEncoded:
        break;
    }
    refuse(field, path, {});
  }

  // ---- findings: differences between the field and the one that its node restores

  void compare_list(const hub::Field& field, const Path& path) {
    const hub::Type& type = field.type;
    if (type.kind() == hub::Kind::FixedSizeList) {
      find("size.lost", path, field, "LIST",
           fmt::format("the fixed length of {} items is not preserved", type.size()));
    } else if (type.kind() != hub::Kind::List) {
      find("layout.flattened", path, field, "LIST",
           "the wide offsets or the view layout are not preserved");
    }
    compare_extension(field, path);
  }

  void compare_extension(const hub::Field& field, const Path& path) {
    std::string_view name = field.extension_name();
    if (name.empty() || name == hub::kJsonExtension || name == hub::kUuidExtension) return;
    if (const std::optional<hub::Geospatial> type = hub::geospatial_of(field)) {
      if (!type->crs) find("crs.assumed", path, field, "", std::string(hub::kAssumedCrs));
      return;
    }
    find("extension.unknown", path, field, "",
         fmt::format("the extension {} is stored as its plain type", xwalk::quoted(name)));
  }

  void compare(const hub::Field& field, const hub::Type& natural, const Path& path) {
    const hub::Type& type = field.type;
    compare_extension(field, path);
    if (type == natural || type.kind() == hub::Kind::Struct) return;
    std::string target = hub::to_string(natural);
    const hub::Kind kind = type.kind();
    if (hub::is_decimal(kind)) {
      find("layout.flattened", path, field, target, "the width in memory is not preserved");
    } else if (kind == hub::Kind::Date64) {
      find("unit.finer", path, field, target, "days are stored, not milliseconds");
    } else if (kind == hub::Kind::Duration) {
      find("type.as-storage", path, field, target,
           "Parquet has no type for durations: stored as a number");
    } else if (kind == hub::Kind::Time32 || kind == hub::Kind::Timestamp) {
      if (type.unit() == hub::TimeUnit::Second) {
        find("unit.finer", path, field, target, "seconds are stored as milliseconds");
      }
      if (kind == hub::Kind::Timestamp && type.zone() != natural.zone()) {
        find("zone.dropped", path, field, target,
             fmt::format("the time zone {} is not preserved; instants are",
                         xwalk::quoted(type.zone())));
      }
    } else if (kind == hub::Kind::LargeUtf8 || kind == hub::Kind::Utf8View ||
               kind == hub::Kind::LargeBinary || kind == hub::Kind::BinaryView) {
      find("layout.flattened", path, field, target,
           "the wide offsets or the view layout are not preserved");
    }
  }

  hub::Findings* findings_;
};

}  // namespace

namespace {

/// Hashes a leaf without its name.
struct LeafHash {
  size_t operator()(const Node& leaf) const {
    const LogicalType& logical = leaf.logical();
    size_t hash = 0;
    for (const int part : {static_cast<int>(leaf.repetition()), static_cast<int>(leaf.physical()),
                           leaf.length(), static_cast<int>(logical.kind()), logical.precision(),
                           logical.scale(), leaf.id().value_or(-1)}) {
      hash = 31 * hash + static_cast<size_t>(part);
    }
    return hash;
  }
};

/// Compares leaves without their names.
struct LeafEqual {
  bool operator()(const Node& a, const Node& b) const {
    return a.repetition() == b.repetition() && a.physical() == b.physical() &&
           a.length() == b.length() && a.annotation() == b.annotation() && a.id() == b.id() &&
           a.order() == b.order() && a.data().unknown == b.data().unknown;
  }
};

}  // namespace

hub::Schema to_arrow(const Schema& schema, const ToArrowOptions& options) {
  // Most columns of a wide table have one of a few types. What a group is may depend on its name.
  std::unordered_map<Node, size_t, LeafHash, LeafEqual> known;
  std::vector<size_t> resolved;
  /// Of each column, the place of one like it among those.
  std::vector<size_t> like;
  like.reserve(schema.columns().size());
  for (size_t i = 0; i < schema.columns().size(); ++i) {
    const Node& column = schema.columns()[i];
    const bool is_leaf = !column.is_group() && !column.is(Repetition::Repeated);
    if (is_leaf) {
      const auto [first, fresh] = known.try_emplace(column, resolved.size());
      if (!fresh) {
        like.push_back(first->second);
        continue;
      }
    }
    like.push_back(resolved.size());
    resolved.push_back(i);
  }
  const std::vector<Resolved> columns = resolve(schema.select(resolved), options).columns;
  hub::Schema out;
  out.fields.reserve(like.size());
  for (size_t i = 0; i < like.size(); ++i) {
    out.fields.push_back(columns[like[i]].field);
    out.fields.back().name = schema.columns()[i].name();
  }
  return out;
}

namespace {

hub::Field without_storage(hub::Field field) {
  if (field.type.kind() == hub::Kind::FixedSizeBinary) {
    const auto text = hub::annotation(field, kSystem);
    const std::optional<Node> node = text ? parse_layer(*text) : std::nullopt;
    const bool is_leaf = node && !node->is_group() && !annotation_problem(*node);
    if (is_leaf && leaf_field(*node, {.storage = true}).type == field.type) {
      field.type = leaf_field(*node, {}).type;
    }
  }
  if (field.type.children().empty()) return field;
  std::vector<hub::Field> children;
  for (const hub::Field& child : field.type.children()) children.push_back(without_storage(child));
  field.type = hub::with_children(field.type, std::move(children));
  return field;
}

}  // namespace

hub::Schema without_storage(hub::Schema schema) {
  for (hub::Field& field : schema.fields) field = without_storage(std::move(field));
  return schema;
}

bool in_storage(const hub::Schema& rows) { return !(without_storage(rows) == rows); }

bool holds(const hub::Field& field) {
  const auto text = hub::annotation(field, kSystem);
  const std::optional<Node> node = text ? parse_layer(*text) : std::nullopt;
  return node && !node->is_group() && !annotation_problem(*node) &&
         promised_type(*node, field.type).has_value();
}

FromArrow from_arrow(const hub::Schema& schema, hub::Refused* refused) {
  FromArrow out;
  Builder builder(&out.findings);
  std::vector<Node> columns = hub::map_columns(
      schema.fields, refused,
      [&](const hub::Field& field, const Path& path) { return builder.field(field, path); });
  out.schema = Schema(Node::group(Repetition::Required, "schema", std::move(columns)));
  return out;
}

}  // namespace xwalk::parquet
