#pragma once

#include <cstdint>
#include <memory>
#include <string_view>

#include "xwalk/yson/writer.h"

namespace xwalk::yson {

/// How values are put into JSON.
enum class JsonStyle : uint8_t {
  Plain,   ///< as they are; what JSON has no place for is rejected
  Living,  ///< the living system's form (`json.h`) with its `encode_utf8`: each value has one
};

/// Why a value did not become JSON text.
enum class JsonFault : uint8_t {
  None,
  Malformed,   ///< the bytes are not a YSON value
  Attributes,  ///< Plain: a value with attributes
  NotFinite,   ///< Plain: nan or an infinity
  NotText,     ///< Plain: a string that is not UTF-8
};

/// Returns the text for a value that JSON cannot express: "nan or an infinity".
std::string_view describe(JsonFault fault);

/// Reads one value in YSON and appends it to `out` as JSON text in one line, in one pass: keys keep
/// their order and repetition, integers their digits, doubles always have a point or an exponent.
/// `out` may hold half a value on a fault.
JsonFault write_json(std::string_view yson, JsonStyle style, Buffer* out);

/// How rows are put into JSON; see YTsaurus's format `json`.
struct JsonRowStyle {
  /// Writes attributes, and types that JSON would lose. Otherwise attributes are rejected.
  bool wrappers = true;
  /// Each byte of a string is the code point of that number.
  bool encode_utf8 = false;
  bool stringify = false;
  bool annotate_with_types = false;
  /// `inf` and `-inf` are written like numbers, without quotes.
  bool unquoted_infinity = false;
  /// "nan", "inf" and "-inf" are written in quotes.
  bool quoted_specials = false;
};

/// Writes the entries of rows, one after the other.
class JsonRowWriter {
 public:
  JsonRowWriter(const JsonRowStyle& style, Buffer* out);
  ~JsonRowWriter();

  /// Writes a key with its colon. Returns Ok or NotText.
  JsonFault key(std::string_view bytes);
  /// Reads one value in YSON, moves `p` past it, and writes it. `any`: the reader knows number
  /// types only from the text, so types that JSON would lose are written.
  JsonFault value(const char*& p, const char* end, bool any);
  /// Takes what the row needs from the memory of the batch. To be called after each row.
  void count();

 private:
  class Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace xwalk::yson
