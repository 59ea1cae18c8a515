#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

namespace xwalk::variant {

/// Lists and objects that may be open at one time: as many as YSON allows.
inline constexpr int kMaxDepth = 255;
/// Bytes of one value: offsets in Arrow's binary columns have 31 bits.
inline constexpr size_t kMaxBytes = 0x7FFFFFFF;

/// Why bytes are not a value, or why the other encoding does not have the value.
enum class Fault : uint8_t {
  None,
  // The bytes are not a VARIANT.
  Version,
  Truncated,
  TrailingBytes,
  Dictionary,   ///< offsets of the dictionary that are not in order, or a wrong order of its names
  FieldId,      ///< an object names a field that the dictionary does not have
  FieldOrder,   ///< names of an object that are not in order, or repeated
  Offsets,      ///< values that overlap, leave bytes out, or end in another place
  UnknownType,  ///< a primitive type that is newer than the specification
  Decimal,      ///< a scale above 38, or more than 38 digits
  TooDeep,
  // The text is not a value.
  Yson,
  Json,
  // The other encoding does not have the value.
  Attributes,
  NotFinite,
  NotText,  ///< bytes that are not UTF-8 where text is required
  RepeatedKey,
  TextBytes,  ///< binary whose bytes are UTF-8: YSON does not tell it from a string
  NotObject,  ///< another value where the fields of an object are wanted
  Date,
  Time,
  Timestamp,
  Uuid,
  DecimalDigits,  ///< a decimal that no double has as its digits
  Null,           ///< VARIANT null, if the target has null only instead of a value
  Number,         ///< a number with more digits than a VARIANT has
  TooLarge,
  Taken,  ///< text or a number that would come back as a value of the type that is noted
};

/// Returns the text of a fault, as the second half of a message: "a value with attributes".
std::string_view describe(Fault fault);

/// Returns true if the input itself is wrong, in any conversion.
constexpr bool is_malformed(Fault fault) { return fault >= Fault::Version && fault <= Fault::Json; }

/// What happens to values that YSON or JSON do not have. In both forms that are not Refuse, UUIDs
/// are text, binary is a string of YSON or base64 in JSON, and nan and infinities are text in JSON.
/// Decimals are numbers with all digits in JSON.
enum class Foreign : uint8_t {
  Refuse,
  /// Dates, times and timestamps are text as in ISO 8601, decimals text with all digits.
  Text,
  /// Dates are days since 1970, times microseconds since midnight, timestamps the microseconds or
  /// nanoseconds since 1970 that they store, decimals the nearest doubles.
  Number,
};

/// The end of a conversion: a fault, and its byte in the input's value.
struct Outcome {
  Fault fault = Fault::None;
  size_t byte = 0;

  bool ok() const { return fault == Fault::None; }
};

/// The two byte strings that a VARIANT consists of.
struct Encoded {
  std::string_view metadata;
  std::string_view value;
};

}  // namespace xwalk::variant
