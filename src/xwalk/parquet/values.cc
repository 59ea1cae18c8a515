#include "xwalk/parquet/values.h"

#include "xwalk/hub/annotation.h"
#include "xwalk/hub/option.h"
#include "xwalk/parquet/bson.h"
#include "xwalk/parquet/hub.h"
#include "xwalk/parquet/layer.h"
#include "xwalk/parquet/leaf.h"
#include "xwalk/parquet/stored.h"

// The schema for the engine, and the format's requirements for values.

namespace xwalk::parquet {
namespace {

using Kind = LogicalType::Kind;

Node physical_node(const Node& node) {
  NodeData data;
  data.name = node.name();
  data.repetition = node.repetition();
  data.physical = node.data().physical;
  data.length = node.length();
  data.id = node.id();
  if (data.physical == PhysicalType::Int96) {
    data.physical = PhysicalType::FixedLenByteArray;
    data.length = 12;
  }
  for (const Node& child : node.children()) data.children.push_back(physical_node(child));
  return Node(std::move(data));
}

/// The annotations an engine needs: those that order statistics, and that it takes.
class EngineSchema {
 public:
  Node node(const Node& node) {
    NodeData data;
    data.name = node.name();
    data.repetition = node.repetition();
    data.physical = node.data().physical;
    data.length = node.length();
    data.id = node.id();
    for (const Node& child : node.children()) data.children.push_back(this->node(child));
    if (!node.is_group()) leaf(node, &data);
    return Node(std::move(data));
  }

  std::vector<int> take_without_statistics() { return std::move(without_statistics_); }

 private:
  void leaf(const Node& node, NodeData* data) {
    int number = leaves_++;
    // Engines take timestamps for INT96, which do not hold all of its values.
    const bool int96 = node.physical() == PhysicalType::Int96;
    if (int96) {
      data->physical = PhysicalType::FixedLenByteArray;
      data->length = 12;
    }
    bool known = !int96 && !node.logical().is(Kind::Future);
    if (node.logical().is(Kind::Decimal)) known = node.logical().precision() <= 76;
    if (node.logical().is(Kind::Timestamp)) known = node.physical() == PhysicalType::Int64;
    if (known) {
      data->annotation = node.logical();
    } else {
      without_statistics_.push_back(number);
    }
  }

  int leaves_ = 0;
  std::vector<int> without_statistics_;
};

hub::Field plain(const std::string& name, hub::Type type, bool nullable) {
  return hub::Field(name, std::move(type), nullable);
}

hub::Field engine_field(const Resolved& resolved) {
  const Node& node = resolved.node;
  bool nullable = resolved.field.nullable;
  std::vector<hub::Field> children;
  for (const Resolved& child : resolved.children) children.push_back(engine_field(child));
  switch (resolved.rule) {
    case Rule::Leaf:
      return plain(node.name(), engine_leaf(resolved), nullable);
    case Rule::Struct:
      return plain(node.name(), hub::struct_(std::move(children)), nullable);
    case Rule::Repeated:
      return plain(node.name(), hub::list(std::move(children[0])), false);
    case Rule::ListPrimitive:
    case Rule::ListManyFields:
    case Rule::ListOneRepeated:
    case Rule::ListArrayOrTuple: {
      hub::Field repeated = plain(node.child().name(), hub::list(std::move(children[0])), false);
      return plain(node.name(), hub::struct_({std::move(repeated)}), nullable);
    }
    case Rule::ListThreeLevel:
    case Rule::Map:
    case Rule::MapByPosition:
    case Rule::MapKeyValueAsMap:
    case Rule::MapWithoutValue: {
      // The engine derives levels from nullability: an optional key is nullable to it.
      if (resolved.rule != Rule::ListThreeLevel) {
        children[0].nullable = node.child().child().is(Repetition::Optional);
      }
      hub::Field item = plain(node.child().name(), hub::struct_(std::move(children)), false);
      hub::Field repeated = plain(node.child().name(), hub::list(std::move(item)), false);
      return plain(node.name(), hub::struct_({std::move(repeated)}), nullable);
    }
  }
  return {};
}

std::optional<Node> noted_layer(const hub::Field& field) {
  const std::optional<std::string_view> text = hub::annotation(field, kSystem);
  return text ? parse_layer(*text) : std::nullopt;
}

}  // namespace

bool is_int96(const hub::Field& field) {
  const std::optional<Node> noted = noted_layer(field);
  return noted && !noted->is_group() && noted->physical() == PhysicalType::Int96;
}

Schema physical_schema(const Schema& schema) { return Schema(physical_node(schema.root())); }

hub::Schema physical_arrow(const Schema& schema) {
  return hub::without_annotations(to_arrow(physical_schema(schema)));
}

EnginePlan plan_write(const Schema& schema) {
  EnginePlan plan;
  for (const Resolved& column : resolve(schema).columns) {
    plan.arrow.fields.push_back(engine_field(column));
  }
  EngineSchema engine;
  plan.written = Schema(engine.node(schema.root()));
  plan.without_statistics = engine.take_without_statistics();
  return plan;
}

std::optional<hub::Finding> unreadable(const hub::Field& field) {
  const hub::Kind kind = field.type.kind();
  if (kind != hub::Kind::Timestamp && kind != hub::Kind::IntervalMonthDayNano) return std::nullopt;
  const std::optional<Node> node = noted_layer(field);
  if (!node || node->is_group()) return std::nullopt;
  hub::Finding finding{.rule = "range.narrowed", .effect = hub::Effect::Refused};
  if (kind == hub::Kind::IntervalMonthDayNano) {
    finding.lost = "rows with 2147483648 or more months or days are rejected";
    finding.witness = "2147483648 months";
    return finding;
  }
  const bool is_int96 = node->physical() == PhysicalType::Int96;
  if (!is_int96 && node->physical() != PhysicalType::FixedLenByteArray) return std::nullopt;
  if (field.type.unit() == hub::TimeUnit::Nano) {
    finding.lost = "times outside 1677-09-21 to 2262-04-11 are rejected";
    finding.witness = "9999-12-31T00:00:00";
    if (is_int96) finding.hint = hub::mention(hub::Option::Int96Unit, "us") + " reads them";
  } else {
    finding.rule = "unit.coarser";
    finding.lost = "times with digits finer than a microsecond are rejected";
    finding.witness = "2024-01-01T00:00:00.000000001";
    finding.hint = hub::mention(hub::Option::Int96Unit, "ns") + " reads them";
  }
  return finding;
}

hub::Refinement refine(const hub::Field& field) {
  hub::Refinement refinement;
  const hub::Type& type = field.type;
  const hub::Kind kind = type.kind();
  refinement.unique_keys = kind == hub::Kind::Map;
  if (kind == hub::Kind::Time32 || kind == hub::Kind::Time64) {
    refinement.range = hub::Range{0, Int128{86400} * hub::ticks_per_second(type.unit()) - 1};
    const std::optional<Node> noted = noted_layer(field);
    const bool utc = noted && noted->logical().is(Kind::Time) && noted->logical().utc();
    refinement.clock = utc ? hub::Clock::Utc : hub::Clock::Local;
  }
  // INT96 has no flag: it is a local time or an instant by what its writer and readers agree on.
  if (kind == hub::Kind::Timestamp && is_int96(field)) refinement.clock = hub::Clock::Any;
  refinement.unsigned_millis = kind == hub::Kind::IntervalMonths ||
                               kind == hub::Kind::IntervalDayTime ||
                               kind == hub::Kind::IntervalMonthDayNano;
  if (kind == hub::Kind::FixedSizeBinary) {
    // Values that are copied as they are stored.
    const std::optional<Node> noted = noted_layer(field);
    if (!noted || noted->is_group()) return refinement;
    static constexpr auto kAny = [](std::string_view) { return true; };
    static constexpr hub::ContentRule kInt96 = {"an INT96 time", kAny};
    static constexpr hub::ContentRule kInterval = {"an INTERVAL", kAny};
    if (noted->physical() == PhysicalType::Int96) refinement.content = &kInt96;
    if (noted->logical().is(Kind::Interval)) refinement.content = &kInterval;
    return refinement;
  }
  const bool bytes = hub::is_binary(kind);
  if (!bytes && kind != hub::Kind::Map && !hub::is_list(kind)) return refinement;
  const std::optional<Node> layer = noted_layer(field);
  if (!layer) return refinement;
  static constexpr hub::ContentRule kBson = {"a BSON document", is_valid_bson};
  if (bytes && layer->logical().is(Kind::Bson)) refinement.content = &kBson;
  if (is_map(*layer)) {
    const MapShape shape = map_shape(*layer);
    refinement.null_keys = !shape.problem && shape.key->is(Repetition::Optional);
  }
  return refinement;
}

}  // namespace xwalk::parquet
