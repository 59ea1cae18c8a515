#pragma once

#include <string>
#include <string_view>

#include "xwalk/yson/node.h"

namespace xwalk::yson {

/// The living system's JSON form of YSON values: a value with attributes is
/// `{"$attributes":{…},"$value":…}`, a value whose type JSON would lose `{"$type":"uint64",
/// "$value":5}`, a map key that begins with `$` gets a second one, `#` is null.
struct JsonOptions {
  /// Spaces per level; 0 writes one line.
  int indent = 0;
  /// Writes the type of every scalar with `$type`, not only of those that JSON would lose (unsigned
  /// integers up to 2^63-1, nan, infinities).
  bool annotate_types = false;
  /// Takes each byte of a string as the code point of that number, so that any bytes can be written
  /// (text outside ASCII is hard to read then). Otherwise strings must be UTF-8.
  bool encode_utf8 = false;
  /// Reads a `$value` of -0 without a `$type` as the double; an integer has no sign of zero.
  bool signed_zero = false;
};

/// Writes a value as JSON. Integers are exact, doubles the fewest digits that give them back,
/// always with a point or an exponent. Throws Error (Unsupported) on a string that is not UTF-8.
std::string to_json(const Node& node, const JsonOptions& options = {});

/// Parses JSON into a value: integers become int64, or uint64 above 2^63-1; keys keep their order
/// and repetition. A number or a boolean next to its `$type` may be a string. Only `encode_utf8`
/// and `signed_zero` of the options matter. Throws Error (Input) with line and column on malformed
/// text, integers of more than 64 bits, unknown `$` keys.
Node from_json(std::string_view text, const JsonOptions& options = {});

}  // namespace xwalk::yson
