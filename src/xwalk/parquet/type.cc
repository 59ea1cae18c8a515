#include "xwalk/parquet/type.h"

#include <algorithm>

#include <fmt/format.h>

#include "xwalk/base/hex.h"
#include "xwalk/hub/geospatial.h"

namespace xwalk::parquet {

using Kind = LogicalType::Kind;

namespace {

/// Returns true if every row is at the index of its enumerator and no two logical types share a
/// name.
constexpr bool rows_are_complete() {
  for (size_t i = 0; i < kPhysicalRows.size(); ++i) {
    if (static_cast<size_t>(kPhysicalRows[i].physical) != i) return false;
  }
  for (size_t i = 0; i < kConvertedRows.size(); ++i) {
    if (static_cast<size_t>(kConvertedRows[i].type) != i) return false;
  }
  for (const LogicalRow& row : kLogicalRows) {
    if (&logical_row(row.kind) != &row) return false;
    for (const LogicalRow& other : kLogicalRows) {
      if (&row != &other && row.name == other.name) return false;
    }
  }
  return kPhysicalRows.back().physical == PhysicalType::FixedLenByteArray &&
         kConvertedRows.back().type == ConvertedType::Interval &&
         kLogicalRows.back().kind == Kind::Future;
}
static_assert(rows_are_complete());

}  // namespace

LogicalType LogicalType::decimal(int32_t precision, int32_t scale) {
  return {Kind::Decimal, precision, scale};
}
LogicalType LogicalType::time(TimeUnit unit, bool utc) {
  return {Kind::Time, static_cast<int32_t>(unit), utc ? 1 : 0};
}
LogicalType LogicalType::timestamp(TimeUnit unit, bool utc) {
  return {Kind::Timestamp, static_cast<int32_t>(unit), utc ? 1 : 0};
}
LogicalType LogicalType::integer(int bits, bool is_signed) {
  return {Kind::Integer, bits, is_signed ? 1 : 0};
}
LogicalType LogicalType::variant(std::optional<int> version) {
  return {Kind::Variant, version.value_or(0), version ? 1 : 0};
}
LogicalType LogicalType::geometry(std::optional<std::string> crs) {
  LogicalType type(Kind::Geometry);
  if (crs) type.text_ = std::make_shared<const std::string>(std::move(*crs));
  return type;
}
LogicalType LogicalType::geography(std::optional<std::string> crs,
                                   std::optional<EdgeAlgorithm> algorithm) {
  LogicalType type(Kind::Geography);
  if (crs) type.text_ = std::make_shared<const std::string>(std::move(*crs));
  if (algorithm) {
    type.first_ = static_cast<int32_t>(*algorithm);
    type.second_ = 1;
  }
  return type;
}
LogicalType LogicalType::future(int32_t id, std::string union_bytes) {
  LogicalType type(Kind::Future, id, 0);
  type.text_ = std::make_shared<const std::string>(std::move(union_bytes));
  return type;
}

std::optional<int> LogicalType::version() const {
  return kind_ == Kind::Variant && second_ != 0 ? std::optional<int>(first_) : std::nullopt;
}
std::optional<std::string_view> LogicalType::crs() const {
  if (!text_ || kind_ == Kind::Future) return std::nullopt;
  return *text_;
}
std::optional<EdgeAlgorithm> LogicalType::algorithm() const {
  if (kind_ != Kind::Geography || second_ == 0) return std::nullopt;
  return static_cast<EdgeAlgorithm>(first_);
}

bool operator==(const LogicalType& a, const LogicalType& b) {
  if (a.kind_ != b.kind_ || a.first_ != b.first_ || a.second_ != b.second_) return false;
  if (a.text_ == b.text_) return true;
  return a.text_ && b.text_ && *a.text_ == *b.text_;
}

std::string to_string(const LogicalType& type) {
  const LogicalRow& row = logical_row(type.kind());
  std::string name(row.name);
  switch (row.parameters) {
    case Parameters::None:
      return name;
    case Parameters::Decimal:
      return fmt::format("{}({},{})", name, type.precision(), type.scale());
    case Parameters::Time:
      return fmt::format("{}({},{})", name, to_string(type.unit()), type.utc());
    case Parameters::Integer:
      return fmt::format("{}({},{})", name, type.bits(), type.is_signed());
    case Parameters::Variant:
      return type.version() ? fmt::format("{}({})", name, *type.version()) : name;
    case Parameters::Geospatial: {
      if (!type.crs() && !type.algorithm()) return name;
      name += fmt::format("({}", type.crs().value_or(""));
      if (type.algorithm()) name += fmt::format(",{}", to_string(*type.algorithm()));
      return name + ")";
    }
    case Parameters::Future:
      return fmt::format("{}({})", name, to_hex(type.future_bytes()));
  }
  return name;
}

std::optional<ConvertedType> to_converted(const LogicalType& type) {
  for (const ConvertedRow& row : kConvertedRows) {
    if (row.kind != type.kind()) continue;
    bool timed = logical_row(row.kind).parameters == Parameters::Time;
    if (timed && row.unit != type.unit()) continue;
    if (type.is(Kind::Integer) && (row.bits != type.bits() || row.is_signed != type.is_signed())) {
      continue;
    }
    return row.type;
  }
  return std::nullopt;
}

LogicalType from_converted(ConvertedType type, std::optional<int32_t> precision,
                           std::optional<int32_t> scale) {
  const ConvertedRow& row = converted_row(type);
  if (row.kind == Kind::Decimal) {
    return LogicalType::decimal(precision.value_or(0), scale.value_or(0));
  }
  if (row.kind == Kind::Time) return LogicalType::time(row.unit, true);
  if (row.kind == Kind::Timestamp) return LogicalType::timestamp(row.unit, true);
  if (row.kind == Kind::Integer) return LogicalType::integer(row.bits, row.is_signed);
  return row.kind;
}

Annotation::Annotation(const LogicalType& type) {
  if (type.is(Kind::None)) return;
  // Neither has a LogicalType; the older form is their only carrier.
  if (!type.is(Kind::Interval) && !type.is(Kind::MapKeyValue)) logical = type;
  if (auto number = to_converted(type)) converted = static_cast<int32_t>(*number);
  if (type.is(Kind::Decimal)) {
    precision = type.precision();
    scale = type.scale();
  }
}

Annotation Annotation::converted_only(ConvertedType type, std::optional<int32_t> precision,
                                      std::optional<int32_t> scale) {
  Annotation annotation;
  annotation.converted = static_cast<int32_t>(type);
  annotation.precision = precision;
  annotation.scale = scale;
  return annotation;
}

Annotation Annotation::logical_only(const LogicalType& type) {
  Annotation annotation;
  if (type) annotation.logical = type;
  return annotation;
}

LogicalType Annotation::meaning() const {
  if (logical && logical->is(LogicalType::Kind::Unknown) && converted) {
    // parquet-java writes UNKNOWN beside the ConvertedTypes that no LogicalType replaced.
    const auto type = static_cast<ConvertedType>(*converted);
    if (type == ConvertedType::Interval) return LogicalType::Kind::Interval;
    if (type == ConvertedType::MapKeyValue) return LogicalType::Kind::MapKeyValue;
  }
  if (logical && !logical->is(Kind::Future)) return *logical;
  // NULL of a draft of the format: 25, which parquet-cpp up to 1.5 wrote as 24.
  if (!logical && (converted == 24 || converted == 25)) return LogicalType::Kind::Unknown;
  if (std::optional<ConvertedType> type = converted_type(converted.value_or(-1))) {
    return from_converted(*type, precision, scale);
  }
  return logical.value_or(LogicalType());
}

Node::Node(NodeData data) {
  LogicalType meaning = data.annotation.meaning();
  shared_ = std::make_shared<const Shared>(Shared{std::move(data), std::move(meaning)});
}

Node Node::primitive(Repetition repetition, PhysicalType type, std::string name,
                     Annotation annotation, std::optional<int32_t> id) {
  NodeData data;
  data.name = std::move(name);
  data.repetition = repetition;
  data.physical = type;
  data.annotation = std::move(annotation);
  data.id = id;
  return Node(std::move(data));
}

Node Node::fixed(Repetition repetition, int32_t length, std::string name, Annotation annotation,
                 std::optional<int32_t> id) {
  NodeData data;
  data.name = std::move(name);
  data.repetition = repetition;
  data.physical = PhysicalType::FixedLenByteArray;
  data.length = length;
  data.annotation = std::move(annotation);
  data.id = id;
  return Node(std::move(data));
}

Node Node::group(Repetition repetition, std::string name, std::vector<Node> children,
                 Annotation annotation, std::optional<int32_t> id) {
  NodeData data;
  data.name = std::move(name);
  data.repetition = repetition;
  data.annotation = std::move(annotation);
  data.id = id;
  data.children = std::move(children);
  return Node(std::move(data));
}

bool operator==(const Node& a, const Node& b) {
  if (a.shared_ == b.shared_) return true;
  const NodeData& x = a.data();
  const NodeData& y = b.data();
  return x.name == y.name && x.repetition == y.repetition && x.physical == y.physical &&
         x.length == y.length && x.annotation == y.annotation && x.id == y.id &&
         x.order == y.order && x.children == y.children && x.unknown == y.unknown;
}

namespace {

LogicalType without_defaults(const LogicalType& type) {
  std::optional<std::string> crs;
  if (type.crs() && !type.crs()->empty() && type.crs() != hub::kDefaultCrs) crs = *type.crs();
  if (type.is(Kind::Geometry)) return LogicalType::geometry(std::move(crs));
  const auto edges = type.algorithm();
  return LogicalType::geography(std::move(crs),
                                edges == EdgeAlgorithm::Spherical ? std::nullopt : edges);
}

LogicalType without_implied(const Node& node) {
  const LogicalType& type = node.logical();
  if (type.is(Kind::Geometry) || type.is(Kind::Geography)) return without_defaults(type);
  if (node.is_group() || !type.is(Kind::Integer) || !type.is_signed()) return type;
  bool implied = (node.physical() == PhysicalType::Int32 && type.bits() == 32) ||
                 (node.physical() == PhysicalType::Int64 && type.bits() == 64);
  return implied ? LogicalType() : type;
}

}  // namespace

bool same_meaning(const Node& a, const Node& b) {
  if (a.name() != b.name() || a.repetition() != b.repetition() || a.id() != b.id() ||
      a.data().physical != b.data().physical || a.length() != b.length() ||
      a.order() != b.order() || a.children().size() != b.children().size() ||
      !(without_implied(a) == without_implied(b))) {
    return false;
  }
  for (size_t i = 0; i < a.children().size(); ++i) {
    if (!same_meaning(a.child(i), b.child(i))) return false;
  }
  return true;
}

bool same_meaning(const Schema& a, const Schema& b) { return same_meaning(a.root(), b.root()); }

Schema Schema::select(std::span<const size_t> columns) const {
  NodeData data = root_.data();
  data.children.clear();
  for (size_t column : columns) data.children.push_back(root_.child(column));
  return Schema(Node(std::move(data)));
}

std::string_view to_string(Repetition repetition) {
  switch (repetition) {
    case Repetition::Required:
      return "required";
    case Repetition::Optional:
      return "optional";
    case Repetition::Repeated:
      return "repeated";
  }
  return "";
}

std::string_view to_string(TimeUnit unit) {
  switch (unit) {
    case TimeUnit::Millis:
      return "MILLIS";
    case TimeUnit::Micros:
      return "MICROS";
    case TimeUnit::Nanos:
      return "NANOS";
  }
  return "";
}

std::string_view to_string(EdgeAlgorithm algorithm) {
  switch (algorithm) {
    case EdgeAlgorithm::Spherical:
      return "SPHERICAL";
    case EdgeAlgorithm::Vincenty:
      return "VINCENTY";
    case EdgeAlgorithm::Thomas:
      return "THOMAS";
    case EdgeAlgorithm::Andoyer:
      return "ANDOYER";
    case EdgeAlgorithm::Karney:
      return "KARNEY";
  }
  return "";
}

std::string_view to_string(ColumnOrder order) {
  switch (order) {
    case ColumnOrder::TypeDefined:
      return "TYPE_DEFINED_ORDER";
    case ColumnOrder::Ieee754Total:
      return "IEEE_754_TOTAL_ORDER";
    case ColumnOrder::Int96Timestamp:
      return "INT96_TIMESTAMP_ORDER";
  }
  return "";
}

int32_t max_decimal_precision(int32_t bytes) {
  if (bytes <= 0) return 0;
  // floor((8n-1) * log10(2)): 2^(8n-1) is never a power of ten, so that subtracting one does not
  // change the floor. log10(2) to 18 digits, in two halves, is exact enough for every int32.
  constexpr uint64_t kBillion = 1'000'000'000;
  constexpr uint64_t kHigh = 301'029'995;
  constexpr uint64_t kLow = 663'981'195;
  uint64_t bits = 8 * static_cast<uint64_t>(bytes) - 1;
  uint64_t high = bits * kHigh;
  uint64_t digits =
      high / kBillion + (high % kBillion * kBillion + bits * kLow) / kBillion / kBillion;
  return static_cast<int32_t>(std::min<uint64_t>(digits, INT32_MAX));
}

int32_t min_decimal_bytes(int32_t precision) {
  int32_t low = 1;
  int32_t high = precision < 1 ? 1 : static_cast<int32_t>(precision / 2.4) + 2;
  while (low < high) {
    int32_t middle = low + (high - low) / 2;
    if (max_decimal_precision(middle) >= precision) {
      high = middle;
    } else {
      low = middle + 1;
    }
  }
  return low;
}

}  // namespace xwalk::parquet
