#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "xwalk/hub/type.h"
#include "xwalk/lance/kinds.h"

namespace xwalk::lance {

using TimeUnit = hub::TimeUnit;

/// A logical type, the string of a field. A cheap immutable value. Children of structs, lists and
/// maps are separate fields of the schema.
class LogicalType {
 public:
  LogicalType(Kind kind = Kind::Null);  // NOLINT(google-explicit-constructor)

  static LogicalType decimal(int bits, int precision, int scale);
  /// Time32, Time64 or Duration.
  static LogicalType in_units(Kind kind, TimeUnit unit);
  static LogicalType timestamp(TimeUnit unit, std::string zone);
  static LogicalType fixed_size_binary(int32_t size);
  static LogicalType fixed_size_list(LogicalType element, int32_t size);
  static LogicalType dictionary(LogicalType values, LogicalType index);

  Kind kind() const { return kind_; }
  int bits() const { return bits_; }                        ///< Decimal: 128 or 256
  int precision() const { return precision_; }              ///< Decimal
  int scale() const { return scale_; }                      ///< Decimal
  TimeUnit unit() const { return unit_; }                   ///< Time32, Time64, Timestamp, Duration
  int32_t size() const { return size_; }                    ///< FixedSizeBinary, FixedSizeList
  const std::string& zone() const { return zone_; }         ///< Timestamp, "" if it has no zone
  const LogicalType& element() const { return *element_; }  ///< FixedSizeList; Dictionary: values
  const LogicalType& index() const { return *index_; }      ///< Dictionary

  friend bool operator==(const LogicalType& a, const LogicalType& b);

 private:
  Kind kind_;
  TimeUnit unit_ = TimeUnit::Second;
  int16_t bits_ = 0;
  int16_t precision_ = 0;
  int16_t scale_ = 0;
  int32_t size_ = 0;
  std::string zone_;
  std::shared_ptr<const LogicalType> element_;
  std::shared_ptr<const LogicalType> index_;
};

/// Parses a logical type string as the living system does: case and spaces matter, a zone may hold
/// ':', numbers may have a sign and leading zeros, the last part of `dict` may be anything.
/// Throws Error (Input) with the column for what the living system refuses or stops on.
LogicalType parse_logical_type(std::string_view text);

/// Prints the canonical string.
std::string print_logical_type(const LogicalType& type);

/// Returns what of the text lies outside the written specification, "" for nothing: a decimal with
/// a scale outside 0…precision, a spelling that is not canonical.
std::string beyond_specification(std::string_view text);

/// The words PARENT, REPEATED and LEAF of the specification's Field message.
std::string_view node_kind(const LogicalType& type);

/// One field with its children. Ids link the flat list of the wire; here children are nested.
struct Field {
  std::string name;
  int32_t id = -1;
  LogicalType type;
  /// The string as it was read, if it is not the canonical one; else "".
  std::string spelling;
  bool nullable = true;
  /// Values are bytes that need not be UTF-8.
  hub::Metadata metadata;
  bool primary_key = false;
  /// 1-based; 0 for a key ordered by field id.
  uint32_t primary_key_position = 0;
  /// 1-based; 0 if it is not a clustering key.
  uint32_t clustering_key_position = 0;
  Encoding encoding = Encoding::None;
  /// The deprecated dictionary message, verbatim.
  std::optional<std::string> dictionary;
  /// Fields of the message that this version does not know, verbatim.
  std::string unknown;
  std::vector<Field> children;

  friend bool operator==(const Field&, const Field&) = default;
};

/// Top-level fields and the metadata of the whole.
struct Schema {
  std::vector<Field> fields;
  hub::Metadata metadata;
  /// The dataset's indices, `NAME(column, …)` each. They are not part of the schema and are never
  /// written.
  std::vector<std::string> indices = {};

  friend bool operator==(const Schema& a, const Schema& b) {
    return a.fields == b.fields && a.metadata == b.metadata;
  }
};

/// Returns the encoding that writers put beside a type.
Encoding default_encoding(const LogicalType& type);

/// Gives ids from 0 in depth-first order (specification, "Field ID Assignment").
void assign_ids(Schema* schema);
/// Returns the highest id, -1 if there is no field.
int32_t max_field_id(const Schema& schema);

/// Returns true for a name that no column of a dataset may have, since readers make up a column of
/// that name.
bool is_own_column(std::string_view name);

}  // namespace xwalk::lance
