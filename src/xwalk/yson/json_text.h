#pragma once

#include <cstdint>
#include <string_view>

#include "xwalk/yson/writer.h"

namespace xwalk::yson {

/// How values are put into JSON.
enum class JsonStyle : uint8_t {
  Plain,   ///< as they are; what JSON has no place for is refused
  Living,  ///< the living system's form (`json.h`) with its `encode_utf8`: each value has one
};

/// Why a value did not become JSON text.
enum class JsonFault : uint8_t {
  None,
  Malformed,   ///< the bytes are no YSON value
  Attributes,  ///< Plain: a value with attributes
  NotFinite,   ///< Plain: nan or an infinity
  NotText,     ///< Plain: a string that is not UTF-8
};

/// Returns what was found instead of JSON: "nan or an infinity".
std::string_view describe(JsonFault fault);

/// Reads one value in YSON and appends it to `out` as JSON text in one line, in one pass: keys keep
/// their order and repetition, integers their digits, doubles always have a point or an exponent.
/// `out` may hold half a value on a fault.
JsonFault write_json(std::string_view yson, JsonStyle style, Buffer* out);

}  // namespace xwalk::yson
