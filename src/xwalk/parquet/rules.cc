#include "xwalk/parquet/rules.h"

#include <fmt/format.h>

#include "xwalk/base/text.h"

namespace xwalk::parquet {
namespace {

using Kind = LogicalType::Kind;

std::string shown(const Node& node) {
  if (node.is_group()) return "a group";
  if (node.physical() == PhysicalType::FixedLenByteArray) {
    return fmt::format("fixed_len_byte_array({})", node.length());
  }
  return std::string(to_string(node.physical()));
}

Problem misplaced(const Node& node, std::string_view expected) {
  return {"annotation.misplaced",
          fmt::format("expected {} to annotate {}, found it on {}", to_string(node.logical()),
                      expected, shown(node)),
          {}};
}

std::optional<Problem> on_physical(const Node& node, PhysicalType type, int32_t length = 0) {
  bool fixed = type == PhysicalType::FixedLenByteArray;
  if (!node.is_group() && node.physical() == type && (!fixed || node.length() == length)) {
    return std::nullopt;
  }
  return misplaced(
      node, fixed ? fmt::format("{}({})", to_string(type), length) : std::string(to_string(type)));
}

std::optional<Problem> on_group(const Node& node) {
  if (node.is_group()) return std::nullopt;
  return misplaced(node, "a group");
}

/// Returns the nearest type that holds decimals with more digits than the node does.
std::string decimal_storage(const Node& node, int32_t precision) {
  const bool fixed = node.physical() == PhysicalType::FixedLenByteArray;
  if (!fixed && precision <= 18) return "int64";
  return fmt::format("fixed_len_byte_array({}) or binary", min_decimal_bytes(precision));
}

std::optional<Problem> decimal_problem(const Node& node) {
  int32_t precision = node.logical().precision();
  int32_t scale = node.logical().scale();
  int32_t limit = INT32_MAX;
  if (node.is_group()) return misplaced(node, "int32, int64, binary or fixed_len_byte_array");
  switch (node.physical()) {
    case PhysicalType::Int32:
      limit = 9;
      break;
    case PhysicalType::Int64:
      limit = 18;
      break;
    case PhysicalType::FixedLenByteArray:
      limit = max_decimal_precision(node.length());
      break;
    case PhysicalType::ByteArray:
      break;
    case PhysicalType::Boolean:
    case PhysicalType::Int96:
    case PhysicalType::Float:
    case PhysicalType::Double:
      return misplaced(node, "int32, int64, binary or fixed_len_byte_array");
  }
  if (precision < 1) {
    bool absent = !node.annotation().precision && !node.annotation().logical;
    return Problem{"decimal.precision",
                   absent ? "expected DECIMAL with a precision, found none"
                          : fmt::format("expected a precision of 1 or more, found {}", precision),
                   {}};
  }
  if (precision > limit) {
    return Problem{"decimal.precision",
                   fmt::format("expected a precision of at most {} on {}, found {}", limit,
                               shown(node), precision),
                   fmt::format("{} digits need {}", precision, decimal_storage(node, precision))};
  }
  if (scale < 0 || scale > precision) {
    return Problem{
        "decimal.scale",
        fmt::format("expected a scale from 0 to the precision {}, found {}", precision, scale),
        {}};
  }
  return std::nullopt;
}

std::optional<Problem> integer_problem(const Node& node) {
  switch (node.logical().bits()) {
    case 8:
    case 16:
    case 32:
      return on_physical(node, PhysicalType::Int32);
    case 64:
      return on_physical(node, PhysicalType::Int64);
    default:
      return Problem{
          "annotation.parameters",
          fmt::format("expected INTEGER of 8, 16, 32 or 64 bits, found {}", node.logical().bits()),
          {}};
  }
}

Problem list_problem(std::string message) { return {"list.shape", std::move(message), {}}; }
Problem map_problem(std::string message) { return {"map.shape", std::move(message), {}}; }

}  // namespace

std::string_view slug(Rule rule) {
  switch (rule) {
    case Rule::Leaf:
      return "leaf";
    case Rule::Struct:
      return "struct";
    case Rule::ListPrimitive:
      return "list.rule-1";
    case Rule::ListManyFields:
      return "list.rule-2";
    case Rule::ListOneRepeated:
      return "list.rule-3";
    case Rule::ListArrayOrTuple:
      return "list.rule-4";
    case Rule::ListThreeLevel:
      return "list.rule-5";
    case Rule::Map:
      return "map";
    case Rule::MapByPosition:
      return "map.by-position";
    case Rule::MapKeyValueAsMap:
      return "map.key-value";
    case Rule::MapWithoutValue:
      return "map.no-value";
    case Rule::Repeated:
      return "repeated";
  }
  return "";
}

std::string_view explain(Rule rule) {
  switch (rule) {
    case Rule::Leaf:
      return "a primitive has the type of its annotation";
    case Rule::Struct:
      return "a group without LIST or MAP is a struct";
    case Rule::ListPrimitive:
      return "the repeated field is a primitive: it is the element, and required";
    case Rule::ListManyFields:
      return "the repeated group has several fields: it is the element, and required";
    case Rule::ListOneRepeated:
      return "the repeated group's one field is repeated: the group is the element, and required";
    case Rule::ListArrayOrTuple:
      return "the repeated group is named array or <list>_tuple: it is the element, and required";
    case Rule::ListThreeLevel:
      return "the repeated group's one field is the element";
    case Rule::Map:
      return "key and value are the fields of the repeated group key_value";
    case Rule::MapByPosition:
      return "other names than key_value, key and value: the first field is the key";
    case Rule::MapKeyValueAsMap:
      return "MAP_KEY_VALUE outside a MAP is read as MAP";
    case Rule::MapWithoutValue:
      return "a map without values is a set of keys";
    case Rule::Repeated:
      return "repeated without LIST or MAP: a required list of required elements";
  }
  return "";
}

std::optional<Problem> annotation_problem(const Node& node) {
  const LogicalRow& row = logical_row(node.logical().kind());
  switch (row.carrier) {
    case Carrier::Anywhere:
      return std::nullopt;
    case Carrier::Group:
      return on_group(node);
    case Carrier::Primitive:
      if (node.is_group()) return misplaced(node, "a primitive");
      return std::nullopt;
    case Carrier::Physical:
      return on_physical(node, row.physical, row.length);
    case Carrier::Decimal:
      return decimal_problem(node);
    case Carrier::Time:
      return on_physical(node, node.logical().unit() == TimeUnit::Millis ? PhysicalType::Int32
                                                                         : PhysicalType::Int64);
    case Carrier::Timestamp:
      // The older form is allowed on int64 only.
      if (!node.is_group() && node.physical() == PhysicalType::FixedLenByteArray &&
          node.annotation().logical) {
        return on_physical(node, PhysicalType::FixedLenByteArray, 12);
      }
      return on_physical(node, PhysicalType::Int64);
    case Carrier::Integer:
      return integer_problem(node);
  }
  return std::nullopt;
}

bool is_list(const Node& node) { return node.is_group() && node.logical().is(Kind::List); }

bool is_map(const Node& node) {
  return node.is_group() && (node.logical().is(Kind::Map) || node.logical().is(Kind::MapKeyValue));
}

bool is_next_to_unknown(const Node& node) {
  const auto& written = node.annotation().logical;
  return written && written->is(Kind::Unknown) && !node.logical().is(Kind::Unknown);
}

ListShape list_shape(const Node& node) {
  ListShape shape;
  if (node.children().size() != 1) {
    shape.problem = list_problem(
        fmt::format("expected a LIST group with one field, found {}", node.children().size()));
    return shape;
  }
  const Node& repeated = node.child();
  shape.repeated = &repeated;
  shape.element = &repeated;
  if (!repeated.is(Repetition::Repeated)) {
    shape.problem =
        list_problem(fmt::format("expected the field of a LIST group to be repeated, found {} {}",
                                 to_string(repeated.repetition()), quoted(repeated.name())));
    return shape;
  }
  if (!repeated.is_group()) {
    shape.rule = Rule::ListPrimitive;
  } else if (repeated.children().empty()) {
    shape.problem = list_problem(
        fmt::format("expected the repeated group {} of a LIST to have a field, found none",
                    quoted(repeated.name())));
  } else if (repeated.children().size() > 1) {
    shape.rule = Rule::ListManyFields;
  } else if (repeated.child().is(Repetition::Repeated)) {
    shape.rule = Rule::ListOneRepeated;
  } else if (repeated.name() == "array" || repeated.name() == node.name() + "_tuple") {
    shape.rule = Rule::ListArrayOrTuple;
  } else {
    shape.rule = Rule::ListThreeLevel;
    shape.element = &repeated.child();
  }
  return shape;
}

MapShape map_shape(const Node& node) {
  MapShape shape;
  if (node.children().size() != 1) {
    shape.problem = map_problem(
        fmt::format("expected a MAP group with one field, found {}", node.children().size()));
    return shape;
  }
  const Node& repeated = node.child();
  shape.repeated = &repeated;
  if (!repeated.is(Repetition::Repeated) || !repeated.is_group()) {
    shape.problem = map_problem(
        fmt::format("expected the field of a MAP group to be a repeated group, found {} {}",
                    to_string(repeated.repetition()), shown(repeated)));
    return shape;
  }
  size_t fields = repeated.children().size();
  if (fields < 1 || fields > 2) {
    shape.problem = map_problem(fmt::format(
        "expected the repeated group of a MAP to have a key and a value, found {} fields", fields));
    return shape;
  }
  shape.key = &repeated.child(0);
  shape.value = fields == 2 ? &repeated.child(1) : nullptr;
  for (const Node* part : {shape.key, shape.value}) {
    if (part != nullptr && part->is(Repetition::Repeated)) {
      shape.problem = map_problem(fmt::format(
          "expected the {} of a MAP to be required{}, found it repeated",
          part == shape.key ? "key" : "value", part == shape.key ? "" : " or optional"));
      return shape;
    }
  }
  if (shape.value == nullptr) {
    shape.rule = Rule::MapWithoutValue;
  } else if (node.logical().is(Kind::MapKeyValue)) {
    shape.rule = Rule::MapKeyValueAsMap;
  } else if (repeated.name() != "key_value" || shape.key->name() != "key" ||
             shape.value->name() != "value") {
    shape.rule = Rule::MapByPosition;
  }
  return shape;
}

}  // namespace xwalk::parquet
