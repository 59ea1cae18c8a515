#include "xwalk/parquet/type.h"

#include <algorithm>
#include <array>

#include <fmt/format.h>

#include "xwalk/base/text.h"

namespace xwalk::parquet {

using Kind = LogicalType::Kind;

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
  switch (type.kind()) {
    case Kind::None:
      return "";
    case Kind::String:
      return "STRING";
    case Kind::Map:
      return "MAP";
    case Kind::List:
      return "LIST";
    case Kind::Enum:
      return "ENUM";
    case Kind::Decimal:
      return fmt::format("DECIMAL({},{})", type.precision(), type.scale());
    case Kind::Date:
      return "DATE";
    case Kind::Time:
      return fmt::format("TIME({},{})", to_string(type.unit()), type.utc());
    case Kind::Timestamp:
      return fmt::format("TIMESTAMP({},{})", to_string(type.unit()), type.utc());
    case Kind::Interval:
      return "INTERVAL";
    case Kind::Integer:
      return fmt::format("INTEGER({},{})", type.bits(), type.is_signed());
    case Kind::Unknown:
      return "UNKNOWN";
    case Kind::Json:
      return "JSON";
    case Kind::Bson:
      return "BSON";
    case Kind::Uuid:
      return "UUID";
    case Kind::Float16:
      return "FLOAT16";
    case Kind::Variant:
      return type.version() ? fmt::format("VARIANT({})", *type.version()) : "VARIANT";
    case Kind::Geometry:
      return type.crs() ? fmt::format("GEOMETRY({})", *type.crs()) : "GEOMETRY";
    case Kind::Geography: {
      if (!type.crs() && !type.algorithm()) return "GEOGRAPHY";
      std::string out = fmt::format("GEOGRAPHY({}", type.crs().value_or(""));
      if (type.algorithm()) out += fmt::format(",{}", to_string(*type.algorithm()));
      return out + ")";
    }
    case Kind::File:
      return "FILE";
    case Kind::MapKeyValue:
      return "MAP_KEY_VALUE";
    case Kind::Future:
      return fmt::format("FUTURE({})", to_hex(type.future_bytes()));
  }
  return "";
}

std::optional<ConvertedType> to_converted(const LogicalType& type) {
  switch (type.kind()) {
    case Kind::String:
      return ConvertedType::Utf8;
    case Kind::Map:
      return ConvertedType::Map;
    case Kind::List:
      return ConvertedType::List;
    case Kind::Enum:
      return ConvertedType::Enum;
    case Kind::Decimal:
      return ConvertedType::Decimal;
    case Kind::Date:
      return ConvertedType::Date;
    case Kind::Time:
      switch (type.unit()) {
        case TimeUnit::Millis:
          return ConvertedType::TimeMillis;
        case TimeUnit::Micros:
          return ConvertedType::TimeMicros;
        case TimeUnit::Nanos:
          return std::nullopt;
      }
      return std::nullopt;
    case Kind::Timestamp:
      switch (type.unit()) {
        case TimeUnit::Millis:
          return ConvertedType::TimestampMillis;
        case TimeUnit::Micros:
          return ConvertedType::TimestampMicros;
        case TimeUnit::Nanos:
          return std::nullopt;
      }
      return std::nullopt;
    case Kind::Interval:
      return ConvertedType::Interval;
    case Kind::Integer:
      switch (type.bits()) {
        case 8:
          return type.is_signed() ? ConvertedType::Int8 : ConvertedType::Uint8;
        case 16:
          return type.is_signed() ? ConvertedType::Int16 : ConvertedType::Uint16;
        case 32:
          return type.is_signed() ? ConvertedType::Int32 : ConvertedType::Uint32;
        case 64:
          return type.is_signed() ? ConvertedType::Int64 : ConvertedType::Uint64;
        default:
          return std::nullopt;
      }
    case Kind::Json:
      return ConvertedType::Json;
    case Kind::Bson:
      return ConvertedType::Bson;
    case Kind::MapKeyValue:
      return ConvertedType::MapKeyValue;
    case Kind::None:
    case Kind::Unknown:
    case Kind::Uuid:
    case Kind::Float16:
    case Kind::Variant:
    case Kind::Geometry:
    case Kind::Geography:
    case Kind::File:
    case Kind::Future:
      return std::nullopt;
  }
  return std::nullopt;
}

LogicalType from_converted(ConvertedType type, std::optional<int32_t> precision,
                           std::optional<int32_t> scale) {
  switch (type) {
    case ConvertedType::Utf8:
      return Kind::String;
    case ConvertedType::Map:
      return Kind::Map;
    case ConvertedType::MapKeyValue:
      return Kind::MapKeyValue;
    case ConvertedType::List:
      return Kind::List;
    case ConvertedType::Enum:
      return Kind::Enum;
    case ConvertedType::Decimal:
      return LogicalType::decimal(precision.value_or(0), scale.value_or(0));
    case ConvertedType::Date:
      return Kind::Date;
    case ConvertedType::TimeMillis:
      return LogicalType::time(TimeUnit::Millis, true);
    case ConvertedType::TimeMicros:
      return LogicalType::time(TimeUnit::Micros, true);
    case ConvertedType::TimestampMillis:
      return LogicalType::timestamp(TimeUnit::Millis, true);
    case ConvertedType::TimestampMicros:
      return LogicalType::timestamp(TimeUnit::Micros, true);
    case ConvertedType::Uint8:
      return LogicalType::integer(8, false);
    case ConvertedType::Uint16:
      return LogicalType::integer(16, false);
    case ConvertedType::Uint32:
      return LogicalType::integer(32, false);
    case ConvertedType::Uint64:
      return LogicalType::integer(64, false);
    case ConvertedType::Int8:
      return LogicalType::integer(8, true);
    case ConvertedType::Int16:
      return LogicalType::integer(16, true);
    case ConvertedType::Int32:
      return LogicalType::integer(32, true);
    case ConvertedType::Int64:
      return LogicalType::integer(64, true);
    case ConvertedType::Json:
      return Kind::Json;
    case ConvertedType::Bson:
      return Kind::Bson;
    case ConvertedType::Interval:
      return Kind::Interval;
  }
  return Kind::None;
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
  if (converted && *converted >= 0 && *converted <= static_cast<int>(ConvertedType::Interval)) {
    return from_converted(static_cast<ConvertedType>(*converted), precision, scale);
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

LogicalType without_implied(const Node& node) {
  const LogicalType& type = node.logical();
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

std::string_view to_string(PhysicalType type) {
  switch (type) {
    case PhysicalType::Boolean:
      return "boolean";
    case PhysicalType::Int32:
      return "int32";
    case PhysicalType::Int64:
      return "int64";
    case PhysicalType::Int96:
      return "int96";
    case PhysicalType::Float:
      return "float";
    case PhysicalType::Double:
      return "double";
    case PhysicalType::ByteArray:
      return "binary";
    case PhysicalType::FixedLenByteArray:
      return "fixed_len_byte_array";
  }
  return "";
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

std::string_view to_string(ConvertedType type) {
  static constexpr std::array<std::string_view, 22> kNames = {"UTF8",
                                                              "MAP",
                                                              "MAP_KEY_VALUE",
                                                              "LIST",
                                                              "ENUM",
                                                              "DECIMAL",
                                                              "DATE",
                                                              "TIME_MILLIS",
                                                              "TIME_MICROS",
                                                              "TIMESTAMP_MILLIS",
                                                              "TIMESTAMP_MICROS",
                                                              "UINT_8",
                                                              "UINT_16",
                                                              "UINT_32",
                                                              "UINT_64",
                                                              "INT_8",
                                                              "INT_16",
                                                              "INT_32",
                                                              "INT_64",
                                                              "JSON",
                                                              "BSON",
                                                              "INTERVAL"};
  return kNames[static_cast<size_t>(type)];
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
