#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "xwalk/hub/builder.h"
#include "xwalk/yt/kinds.h"
#include "xwalk/yt/shape.h"
#include "xwalk/yt/value_options.h"

// What scalars are in rows and in Arrow, the same for YSON and Skiff: which values there are, and
// how the bytes of those that are strings in rows differ from Arrow's.
namespace xwalk::yt {

/// What the string of a scalar holds. Numbers and booleans are no strings and count as Bytes.
enum class ScalarForm : uint8_t {
  Bytes,  ///< any bytes, the same in Arrow
  Utf8,
  Json,
  Uuid,     ///< 16 bytes or text
  Decimal,  ///< a big-endian integer with its sign bit flipped, or text
  Date,     ///< ISO 8601, as are the next two
  Datetime,
  Timestamp,
  Tz,  ///< a big-endian integer and the name of a zone, or its number
};

/// What there is to know of one scalar, decided once.
struct ScalarCodec {
  ScalarForm form = ScalarForm::Bytes;
  TypeKind kind = TypeKind::Null;
  /// The Arrow field has nulls for the value.
  bool nullable = false;
  DecimalMode decimal_mode = DecimalMode::Binary;
  DecimalSpecial decimal_special = DecimalSpecial::Error;
  bool specials_as_stored = false;
  UuidMode uuid_mode = UuidMode::Binary;
  UuidOrder uuid_order = UuidOrder::Rfc;
  TzForm tz_form = TzForm::Name;
  /// Bytes of a fixed-size Arrow value; of the instant of a type with a time zone.
  int width = 0;
  /// The kind of the Arrow value; of the instant of a type with a time zone.
  hub::Kind arrow = hub::Kind::Null;
  int precision = 0;
  int scale = 0;
  /// Integers, dates, times and intervals.
  IntegerRange range;

  bool keeps_specials() const {
    return decimal_special == DecimalSpecial::Error && specials_as_stored;
  }
  /// Returns true if the value is a string in rows, and something else in Arrow.
  bool is_coded() const { return form >= ScalarForm::Uuid; }
};

ScalarCodec scalar_codec(const Shape& shape, const ValueOptions& options);
/// Returns the codec of the stored form of a scalar type, without a place in Arrow: for checks.
ScalarCodec stored_codec(const Type& type);

/// Why a value is invalid for its type.
struct ScalarFault {
  std::string message;
  std::string hint;
};

/// Appends the value of a string. Returns false, and appends nothing, for a string that is not a
/// value of the type, or that Arrow cannot hold.
bool append_scalar(const ScalarCodec& codec, std::string_view bytes, hub::ColumnBuilder* out);
/// Appends a decimal given as a little-endian integer of `decimal_size(precision)` bytes.
bool append_decimal(const ScalarCodec& codec, const char* integer, hub::ColumnBuilder* out);
/// Returns the error of a string that `append_scalar` rejected.
ScalarFault fault_of(const ScalarCodec& codec, std::string_view bytes);

/// Throws Error (Input) for a string that is not a value of the type, whether Arrow can hold it or
/// not.
void check_scalar(const ScalarCodec& codec, std::string_view bytes);
/// Throws Error (Input) for a string that `append_scalar` rejects.
void check_appended(const ScalarCodec& codec, std::string_view bytes);

/// Bytes that `write_scalar` writes at most.
inline constexpr size_t kMaxScalarBytes = 160;
/// Writes the string of a value in Arrow: `value` points to `width` bytes, `zone` is the name of
/// the zone if the type has one. Not for Bytes, Utf8 and Json, whose strings are Arrow's. Returns
/// the end, or null for a value that the type does not hold.
char* write_scalar(const ScalarCodec& codec, const char* value, std::string_view zone, char* out);
/// Writes a decimal as a little-endian integer of `decimal_size(precision)` bytes.
char* write_decimal(const ScalarCodec& codec, const char* value, char* out);
/// Returns the error of a value that `write_scalar` rejected.
std::string fault_of_value(const ScalarCodec& codec, const char* value, std::string_view zone);

/// Return the message for numbers that their type does not hold.
std::string range_fault(TypeKind kind, int64_t value);
std::string range_fault(TypeKind kind, uint64_t value);
std::string float_fault(double value);

}  // namespace xwalk::yt
