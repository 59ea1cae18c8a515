#include "xwalk/parquet/resolve.h"

#include <fmt/format.h>

#include "xwalk/base/error.h"
#include "xwalk/base/text.h"
#include "xwalk/hub/annotation.h"
#include "xwalk/hub/variant.h"
#include "xwalk/parquet/layer.h"
#include "xwalk/parquet/leaf.h"
#include "xwalk/parquet/variant.h"
#include "xwalk/variant/leaf_types.h"

namespace xwalk::parquet {
namespace {

using Kind = LogicalType::Kind;

[[noreturn]] void refuse(const Path& path, Problem problem) {
  throw Error(ErrorCode::Input, std::move(problem.message), {.path = path},
              std::move(problem.hint));
}

Node without_annotation(const Node& node) {
  NodeData data = node.data();
  data.annotation = {};
  return Node(std::move(data));
}

class Resolver {
 public:
  Resolver(const ToArrowOptions& options, hub::Findings* findings)
      : options_(options), findings_(findings) {}

  /// A field of a group, or a column.
  Resolved field(const Node& node, const Path& path) {
    if (!node.is(Repetition::Repeated)) return value(node, path);
    if (is_list(node) || is_map(node)) {
      refuse(path, {is_list(node) ? "list.shape" : "map.shape",
                    fmt::format("expected a {} group to be required or optional, found repeated",
                                to_string(node.logical())),
                    {}});
    }
    // The list takes the field's name. Its id stays with the element, as in Arrow C++.
    Resolved element = value(node, path.item());
    Resolved list{{}, Rule::Repeated, node, path, {}};
    list.field = hub::Field(node.name(), hub::list(element.field), false);
    list.children.push_back(std::move(element));
    annotate(&list);
    return list;
  }

 private:
  /// A node as what it is by its annotation, nullable if it is optional.
  Resolved value(const Node& node, const Path& path) {
    if (auto problem = annotation_problem(node)) {
      // The format's rule is that readers ignore this annotation.
      if (problem->rule != "annotation.misplaced") refuse(path, *std::move(problem));
      findings_->push_back(
          {.rule = "annotation.misplaced",
           .path = path,
           .lost = fmt::format("the annotation is ignored ({})", problem->message)});
      Resolved plain = value(without_annotation(node), path);
      plain.has_known_order = false;
      return plain;
    }
    if (node.logical().is(Kind::Future)) {
      findings_->push_back({.rule = "annotation.unknown",
                            .path = path,
                            .lost = fmt::format("annotation {} is newer than this version of "
                                                "xwalk and ignored",
                                                node.logical().future_id())});
    }
    if (!node.is_group()) {
      Resolved leaf{leaf_field(node, options_), Rule::Leaf, node, path, {}};
      annotate(&leaf);
      return leaf;
    }
    if (is_list(node)) return list(node, path);
    if (is_map(node)) return map(node, path);
    return group(node, path);
  }

  Resolved group(const Node& node, const Path& path) {
    Resolved resolved{{}, Rule::Struct, node, path, {}};
    std::vector<hub::Field> fields;
    for (const Node& child : node.children()) {
      resolved.children.push_back(field(child, path.field(child.name())));
      fields.push_back(resolved.children.back().field);
    }
    if (is_shredded_variant(node)) {
      fields = {hub::Field("metadata", hub::Kind::Binary, false),
                hub::Field("value", hub::Kind::Binary, false)};
    }
    resolved.field =
        named_field(node, hub::struct_(std::move(fields)), node.is(Repetition::Optional));
    if (node.logical().is(Kind::Variant)) {
      if (auto problem = variant_problem(node)) {
        findings_->push_back({.rule = "variant.shape", .path = path, .lost = *std::move(problem)});
      } else {
        resolved.field = hub::with_extension(std::move(resolved.field), hub::kVariantExtension);
        if (const variant::LeafTypes types = leaf_types_of(node); !types.empty()) {
          resolved.field.metadata.set(hub::kVariantTypes, variant::to_text(types));
        }
      }
    }
    annotate(&resolved);
    return resolved;
  }

  Resolved list(const Node& node, const Path& path) {
    ListShape shape = list_shape(node);
    if (shape.problem) refuse(path, *std::move(shape.problem));
    Resolved element = value(*shape.element, path.item());
    Resolved resolved{{}, shape.rule, node, path, {}};
    resolved.field = named_field(node, hub::list(element.field), node.is(Repetition::Optional));
    resolved.children.push_back(std::move(element));
    annotate(&resolved);
    return resolved;
  }

  Resolved map(const Node& node, const Path& path) {
    MapShape shape = map_shape(node);
    if (shape.problem) refuse(path, *std::move(shape.problem));
    Resolved resolved{{}, shape.rule, node, path, {}};
    if (shape.key->is(Repetition::Optional)) {
      findings_->push_back({.rule = "map.key-optional",
                            .path = shape.value != nullptr ? path.map_key() : path.item(),
                            .lost = "keys may be null, which the format forbids; such rows are "
                                    "rejected"});
    }
    Resolved key = value(*shape.key, shape.value != nullptr ? path.map_key() : path.item());
    key.field.nullable = false;
    hub::Type type;
    if (shape.value == nullptr) {
      type = hub::list(key.field);
      resolved.children.push_back(std::move(key));
    } else {
      Resolved mapped = value(*shape.value, path.map_value());
      hub::Field entries("entries", hub::struct_({key.field, mapped.field}), false);
      if (shape.repeated->id()) {
        entries.metadata.set(kFieldId, std::to_string(*shape.repeated->id()));
      }
      type = hub::map_of_entries(std::move(entries));
      resolved.children.push_back(std::move(key));
      resolved.children.push_back(std::move(mapped));
    }
    resolved.field = named_field(node, std::move(type), node.is(Repetition::Optional));
    annotate(&resolved);
    return resolved;
  }

  /// Sets the annotation where a writer given the plain Arrow type would write another node.
  void annotate(Resolved* resolved) const {
    if (is_standard(*resolved)) return;
    hub::annotate(resolved->field, kSystem, layer_text(*resolved));
  }

  bool is_standard(const Resolved& resolved) const {
    const Node& node = resolved.node;
    switch (resolved.rule) {
      case Rule::Leaf: {
        auto standard = standard_leaf(resolved.field);
        if (!standard) return false;
        standard->name = node.name();
        standard->repetition = node.repetition();
        standard->id = node.id();
        standard->order = node.order();
        const Node plain(*std::move(standard));
        // In a Parquet file an annotation stays that says no more than the physical type.
        const bool as_written = !options_.storage || plain.logical() == node.logical();
        return as_written && same_meaning(plain, node);
      }
      case Rule::Struct:
        if (node.logical().is(Kind::Variant)) {
          return !variant_problem(node) && node.logical() == LogicalType::variant(1);
        }
        return !node.logical() && !node.children().empty();
      case Rule::ListThreeLevel:
        return node.child().name() == "list" && node.child().child().name() == "element" &&
               !node.child().id() && !node.child().logical();
      case Rule::Map:
        return !node.child().logical() && node.child().child().is(Repetition::Required);
      case Rule::ListPrimitive:
      case Rule::ListManyFields:
      case Rule::ListOneRepeated:
      case Rule::ListArrayOrTuple:
      case Rule::MapByPosition:
      case Rule::MapKeyValueAsMap:
      case Rule::MapWithoutValue:
      case Rule::Repeated:
        return false;
    }
    return false;
  }

  const ToArrowOptions& options_;
  hub::Findings* findings_;
};

}  // namespace

Resolution resolve(const Schema& schema, const ToArrowOptions& options) {
  Resolution resolution;
  Resolver resolver(options, &resolution.findings);
  resolution.columns.reserve(schema.columns().size());
  for (const Node& column : schema.columns()) {
    resolution.columns.push_back(resolver.field(column, Path::column(column.name())));
  }
  return resolution;
}

int count_leaves(const Node& node) {
  if (!node.is_group()) return 1;
  int count = 0;
  for (const Node& child : node.children()) count += count_leaves(child);
  return count;
}

}  // namespace xwalk::parquet
