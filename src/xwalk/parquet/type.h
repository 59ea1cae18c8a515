#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "xwalk/parquet/kinds.h"

namespace xwalk::parquet {

/// The numbers are Thrift's `FieldRepetitionType`.
enum class Repetition : uint8_t { Required = 0, Optional = 1, Repeated = 2 };

/// How the edges of a GEOGRAPHY are interpolated.
enum class EdgeAlgorithm : uint8_t {
  Spherical = 0,
  Vincenty = 1,
  Thomas = 2,
  Andoyer = 3,
  Karney = 4
};

/// Order of a column's statistics. The numbers are the field ids of Thrift's union `ColumnOrder`.
enum class ColumnOrder : uint8_t { TypeDefined = 1, Ieee754Total = 2, Int96Timestamp = 3 };

/// The meaning an annotation gives to a physical type: every LogicalType of the format, and the two
/// ConvertedTypes that no LogicalType replaced (INTERVAL, MAP_KEY_VALUE). A cheap immutable value.
class LogicalType {
 public:
  using Kind = LogicalKind;

  /// Makes None or a type without parameters; VARIANT, GEOMETRY and GEOGRAPHY with none set.
  LogicalType(Kind kind) : kind_(kind) {}  // NOLINT(google-explicit-constructor)
  LogicalType() = default;
  /// Makes a DECIMAL. Any numbers are accepted; `validate` judges them.
  static LogicalType decimal(int32_t precision, int32_t scale);
  static LogicalType time(TimeUnit unit, bool utc);
  static LogicalType timestamp(TimeUnit unit, bool utc);
  /// Makes an INTEGER. Any width is accepted; `validate` judges it.
  static LogicalType integer(int bits, bool is_signed);
  static LogicalType variant(std::optional<int> version);
  static LogicalType geometry(std::optional<std::string> crs);
  static LogicalType geography(std::optional<std::string> crs,
                               std::optional<EdgeAlgorithm> algorithm);
  /// Makes a member of the union that this version does not know, or one whose parameters it does
  /// not know: its field id and the compact Thrift bytes of the whole union.
  static LogicalType future(int32_t id, std::string union_bytes);

  Kind kind() const { return kind_; }
  bool is(Kind kind) const { return kind_ == kind; }
  explicit operator bool() const { return kind_ != Kind::None; }

  /// Decimal.
  int32_t precision() const { return first_; }
  int32_t scale() const { return second_; }
  /// Time, Timestamp.
  TimeUnit unit() const { return static_cast<TimeUnit>(first_); }
  bool utc() const { return second_ != 0; }
  /// Integer.
  int bits() const { return first_; }
  bool is_signed() const { return second_ != 0; }
  /// Variant: the version of its specification.
  std::optional<int> version() const;
  /// Geometry, Geography.
  std::optional<std::string_view> crs() const;
  std::optional<EdgeAlgorithm> algorithm() const;
  /// Future.
  int32_t future_id() const { return first_; }
  std::string_view future_bytes() const { return text_ ? std::string_view(*text_) : ""; }

  friend bool operator==(const LogicalType& a, const LogicalType& b);

 private:
  LogicalType(Kind kind, int32_t first, int32_t second)
      : kind_(kind), first_(first), second_(second) {}

  Kind kind_ = Kind::None;
  int32_t first_ = 0;
  int32_t second_ = 0;
  std::shared_ptr<const std::string> text_;
};

/// Returns the annotation in message text: `STRING`, `DECIMAL(9,2)`, `TIMESTAMP(MICROS,true)`; ""
/// without an annotation. An unknown type prints as `FUTURE(hex)`, the bytes of its union.
std::string to_string(const LogicalType& type);

/// Returns the ConvertedType that is written beside a logical type, where one exists. A local TIME
/// or TIMESTAMP has one too, though it then says UTC: the format asks for it.
std::optional<ConvertedType> to_converted(const LogicalType& type);

/// Returns the meaning of a ConvertedType; `precision` and `scale` are the SchemaElement's own.
/// TIME_* and TIMESTAMP_* mean UTC; a DECIMAL without scale has scale 0, one without precision
/// precision 0, which is not valid.
LogicalType from_converted(ConvertedType type, std::optional<int32_t> precision,
                           std::optional<int32_t> scale);

/// The parts of a SchemaElement's annotation, as written.
struct Annotation {
  std::optional<LogicalType> logical;
  /// Any number: unknown values of ConvertedType are kept.
  std::optional<int32_t> converted;
  std::optional<int32_t> scale;
  std::optional<int32_t> precision;

  Annotation() = default;
  /// Makes the standard form: LogicalType and ConvertedType wherever each exists, precision and
  /// scale beside a DECIMAL.
  Annotation(const LogicalType& type);  // NOLINT(google-explicit-constructor)
  Annotation(LogicalType::Kind kind) : Annotation(LogicalType(kind)) {}  // NOLINT
  static Annotation converted_only(ConvertedType type, std::optional<int32_t> precision = {},
                                   std::optional<int32_t> scale = {});
  static Annotation logical_only(const LogicalType& type);

  /// Returns the combined meaning of the parts: LogicalType if it exists and is known, else
  /// ConvertedType. INTERVAL and MAP_KEY_VALUE, which have no LogicalType, apply even together with
  /// UNKNOWN, as parquet-java writes them.
  LogicalType meaning() const;

  friend bool operator==(const Annotation&, const Annotation&) = default;
};

/// One field of a Thrift struct that this version does not know, kept for rewriting.
struct UnknownField {
  int32_t id = 0;
  uint8_t type = 0;  ///< the compact protocol's type nibble
  std::string bytes;

  friend bool operator==(const UnknownField&, const UnknownField&) = default;
};

class Node;

/// Everything a node holds; what a Node is made from.
struct NodeData {
  std::string name;
  Repetition repetition = Repetition::Required;
  /// Nothing for a group.
  std::optional<PhysicalType> physical;
  /// Bytes of a value, of FIXED_LEN_BYTE_ARRAY only.
  int32_t length = 0;
  Annotation annotation;
  std::optional<int32_t> id;
  /// Stored in the footer next to the schema, per leaf; TypeDefined if not stated.
  ColumnOrder order = ColumnOrder::TypeDefined;
  std::vector<Node> children;
  std::vector<UnknownField> unknown;
};

/// One field of a schema, a group or a primitive: a cheap immutable value.
class Node {
 public:
  explicit Node(NodeData data);
  static Node primitive(Repetition repetition, PhysicalType type, std::string name,
                        Annotation annotation = {}, std::optional<int32_t> id = {});
  static Node fixed(Repetition repetition, int32_t length, std::string name,
                    Annotation annotation = {}, std::optional<int32_t> id = {});
  static Node group(Repetition repetition, std::string name, std::vector<Node> children,
                    Annotation annotation = {}, std::optional<int32_t> id = {});

  const std::string& name() const { return shared_->data.name; }
  Repetition repetition() const { return shared_->data.repetition; }
  bool is(Repetition repetition) const { return shared_->data.repetition == repetition; }
  bool is_group() const { return !shared_->data.physical; }
  /// Primitives.
  PhysicalType physical() const { return *shared_->data.physical; }
  int32_t length() const { return shared_->data.length; }
  /// The annotation's meaning.
  const LogicalType& logical() const { return shared_->meaning; }
  /// The annotation as it is written.
  const Annotation& annotation() const { return shared_->data.annotation; }
  std::optional<int32_t> id() const { return shared_->data.id; }
  ColumnOrder order() const { return shared_->data.order; }
  std::span<const Node> children() const { return shared_->data.children; }
  const Node& child(size_t index = 0) const { return shared_->data.children[index]; }
  const NodeData& data() const { return shared_->data; }

  /// Compares everything, the written form of annotations and unknown fields included.
  friend bool operator==(const Node& a, const Node& b);

 private:
  struct Shared {
    NodeData data;
    LogicalType meaning;
  };
  std::shared_ptr<const Shared> shared_;
};

/// Compares names, repetitions, types, ids and the meaning of annotations, not how those are
/// written; INT_32 and INT_64 are the same as no annotation.
bool same_meaning(const Node& a, const Node& b);

/// A whole schema: the root group, named by the writer, and its columns.
class Schema {
 public:
  Schema() : Schema(Node::group(Repetition::Required, "schema", {})) {}
  /// `root` must be a group.
  explicit Schema(Node root) : root_(std::move(root)) {}

  const Node& root() const { return root_; }
  const std::string& name() const { return root_.name(); }
  std::span<const Node> columns() const { return root_.children(); }
  /// Returns the schema of the columns at these indices, in this order.
  Schema select(std::span<const size_t> columns) const;

  friend bool operator==(const Schema& a, const Schema& b) { return a.root_ == b.root_; }

 private:
  Node root_;
};

bool same_meaning(const Schema& a, const Schema& b);

/// Returns the name in message text: `binary`, `required`, `UTF8`…
constexpr std::string_view to_string(PhysicalType type) { return physical_row(type).name; }
constexpr std::string_view to_string(ConvertedType type) { return converted_row(type).name; }
std::string_view to_string(Repetition repetition);
std::string_view to_string(TimeUnit unit);
std::string_view to_string(EdgeAlgorithm algorithm);
std::string_view to_string(ColumnOrder order);

/// Returns how many decimal digits fit a two's complement number of this many bytes:
/// floor(log10(2^(8n-1) - 1)); 0 for 0 bytes.
int32_t max_decimal_precision(int32_t bytes);
/// Returns the fewest bytes that hold every number of this many digits.
int32_t min_decimal_bytes(int32_t precision);

}  // namespace xwalk::parquet
