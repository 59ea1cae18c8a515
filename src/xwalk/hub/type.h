#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace xwalk::hub {

/// Every type of the Arrow columnar format (format version 1.5).
enum class Kind : uint8_t {
  Null,
  Bool,
  Int8,
  Int16,
  Int32,
  Int64,
  Uint8,
  Uint16,
  Uint32,
  Uint64,
  HalfFloat,
  Float,
  Double,
  Utf8,
  LargeUtf8,
  Utf8View,
  Binary,
  LargeBinary,
  BinaryView,
  FixedSizeBinary,
  Date32,
  Date64,
  Time32,
  Time64,
  Timestamp,
  Duration,
  IntervalMonths,
  IntervalDayTime,
  IntervalMonthDayNano,
  Decimal32,
  Decimal64,
  Decimal128,
  Decimal256,
  List,
  LargeList,
  ListView,
  LargeListView,
  FixedSizeList,
  Struct,
  Map,
  DenseUnion,
  SparseUnion,
  Dictionary,
  RunEndEncoded,
};

enum class TimeUnit : uint8_t { Second, Milli, Micro, Nano };

class Field;
class Type;
/// Returns the type with other children: as many as it has, its own parameters kept.
Type with_children(const Type& type, std::vector<Field> children);

/// An Arrow type: a cheap immutable value. Factories below make every type; accessors are valid
/// for the kinds that their comment names.
class Type {
 public:
  /// Makes a type without parameters: Null … Double, the six text and binary kinds, Date32,
  /// Date64, the three intervals.
  Type(Kind kind);  // NOLINT(google-explicit-constructor): a kind alone is a whole type
  Type() : Type(Kind::Null) {}

  Kind kind() const { return kind_; }
  /// Time32, Time64, Timestamp, Duration.
  TimeUnit unit() const;
  /// Timestamp: the zone, "" if it has none.
  const std::string& zone() const;
  /// Decimals.
  int precision() const;
  int scale() const;
  /// FixedSizeBinary: bytes. FixedSizeList: items.
  int32_t size() const;
  /// Children. Lists: the item. Map: one field, the entries struct. Struct and unions: the members.
  /// Run-end encoded: run ends, values. Dictionary: one field, the values, with the name "".
  std::span<const Field> children() const;
  const Field& child(size_t index = 0) const;
  /// Map: the key and value fields of the entries struct.
  const Field& key() const;
  const Field& value() const;
  /// Map: keys sorted. Dictionary: ordered.
  bool flag() const;
  /// Dictionary: the type of the indices.
  Kind index_kind() const;
  /// Unions: the type code of each child.
  std::span<const int8_t> type_codes() const;

  /// Compares kinds, parameters and children, including child names, nullability and metadata.
  friend bool operator==(const Type& a, const Type& b);
  friend Type with_children(const Type& type, std::vector<Field> children);

  struct Parameters;
  Type(Kind kind, std::shared_ptr<const Parameters> parameters)
      : kind_(kind), parameters_(std::move(parameters)) {}

 private:
  Kind kind_;
  std::shared_ptr<const Parameters> parameters_;
};

/// Metadata of a field or schema in its order.
class Metadata {
 public:
  Metadata() = default;
  Metadata(std::initializer_list<std::pair<std::string, std::string>> entries)
      : entries_(entries) {}

  /// Returns the first value of a key, or nothing.
  std::optional<std::string_view> find(std::string_view key) const;
  /// Sets a key, replacing an existing one in place.
  void set(std::string_view key, std::string value);
  void append(std::string key, std::string value);
  /// Returns true if the key existed.
  bool erase(std::string_view key);
  bool empty() const { return entries_.empty(); }
  size_t size() const { return entries_.size(); }
  auto begin() const { return entries_.begin(); }
  auto end() const { return entries_.end(); }
  /// Order does not matter to equality.
  friend bool operator==(const Metadata& a, const Metadata& b);

 private:
  std::vector<std::pair<std::string, std::string>> entries_;
};

/// A named type with nullability and metadata: a cheap value.
class Field {
 public:
  Field(const Field&);
  Field(Field&&) noexcept;
  Field& operator=(const Field&);
  Field& operator=(Field&&) noexcept;
  ~Field();

  Field() = default;
  Field(std::string field_name, Type field_type, bool is_nullable = true, Metadata entries = {})
      : name(std::move(field_name)),
        type(std::move(field_type)),
        nullable(is_nullable),
        metadata(std::move(entries)) {}

  std::string name;
  Type type;
  bool nullable = true;
  Metadata metadata;

  /// Returns the canonical or other extension name (`ARROW:extension:name`), or "".
  std::string_view extension_name() const;
  std::string_view extension_metadata() const;

  friend bool operator==(const Field&, const Field&) = default;
};

struct Schema {
  std::vector<Field> fields;
  Metadata metadata;
  /// Whether whole rows may be null, as roots of Vortex may. No table holds such rows.
  bool nullable_rows = false;
  /// Whether rows are no structs but the values of the only column, as roots of Vortex may be.
  bool bare_rows = false;

  friend bool operator==(const Schema&, const Schema&) = default;
};

inline constexpr std::string_view kExtensionName = "ARROW:extension:name";
inline constexpr std::string_view kExtensionMetadata = "ARROW:extension:metadata";

Type time32(TimeUnit unit);
Type time64(TimeUnit unit);
Type timestamp(TimeUnit unit, std::string zone = {});
Type duration(TimeUnit unit);
/// Makes a decimal of 32, 64, 128 or 256 bits.
Type decimal(int bits, int precision, int scale);
Type fixed_size_binary(int32_t bytes);
/// Makes List, LargeList, ListView or LargeListView.
Type list(Field item, Kind kind = Kind::List);
Type fixed_size_list(Field item, int32_t size);
Type struct_(std::vector<Field> fields);
/// Makes a map with the entries struct named `entries`, its fields as given (the Arrow format
/// requires a key that is not nullable, which is not checked here).
Type map(Field key, Field value, bool keys_sorted = false);
/// Makes a map whose entries field is given whole.
Type map_of_entries(Field entries, bool keys_sorted = false);
/// Makes DenseUnion or SparseUnion; codes 0, 1, … when none are given.
Type union_(std::vector<Field> fields, Kind kind = Kind::DenseUnion,
            std::vector<int8_t> type_codes = {});
Type dictionary(Kind index, Type values, bool ordered = false);
Type run_end_encoded(Kind run_end, Field values);

/// Returns a field with one extension set: name and metadata keys of the Arrow format.
Field with_extension(Field field, std::string_view name, std::string_view metadata = {});

/// Returns the text form people know from Arrow: `list<item: int64 not null>`.
std::string to_string(const Type& type);
std::string to_string(const Field& field);
std::string to_string(const Schema& schema);
std::string_view kind_name(Kind kind);
std::string_view unit_name(TimeUnit unit);

/// Returns true for the kinds whose values have a fixed number of bits, and how many.
std::optional<int> fixed_bits(const Type& type);
bool is_integer(Kind kind);
bool is_signed_integer(Kind kind);
bool is_decimal(Kind kind);
/// Utf8, LargeUtf8, Utf8View.
bool is_utf8(Kind kind);
/// Binary, LargeBinary, BinaryView (not FixedSizeBinary).
bool is_binary(Kind kind);
/// List, LargeList, ListView, LargeListView, FixedSizeList.
bool is_list(Kind kind);

}  // namespace xwalk::hub
