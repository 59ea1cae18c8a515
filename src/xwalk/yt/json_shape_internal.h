#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "xwalk/base/exact_double.h"
#include "xwalk/yt/row_program_internal.h"
#include "xwalk/yt/schema.h"
#include "xwalk/yt/value_options.h"

// The JSON forms of the values of each type: a schema compiled for reading and writing JSON rows.
namespace xwalk::yt {

/// The JSON form of a value.
enum class JsonKind : uint8_t {
  Any,
  Signed,
  Unsigned,
  Real,
  Boolean,
  Box,      ///< a list of one value
  List,     ///< a list of values of one type
  Fields,   ///< a map by name, or a list by position
  Variant,  ///< a list of a name or number and a value
  Dict,     ///< a list of pairs, or a map
};

struct JsonShape;

struct JsonEntry {
  std::string name;
  /// The name as a key in YSON, with its `=`.
  KeyForm key;
  /// The name as a key in JSON, with its quotes and `:`; matches nothing if the name needs escapes
  /// or is written differently.
  KeyForm form;
  std::unique_ptr<JsonShape> shape;
};

struct JsonShape {
  JsonKind kind = JsonKind::Any;
  /// Real: bits of the integers that the type holds.
  int bits = kDoubleBits;
  /// Variant: alternatives go by their numbers.
  bool by_number = false;
  /// No two entries have one name.
  bool distinct = true;
  /// Index of the entries among all entries and ends of entries of a schema.
  uint32_t first = 0;
  /// Fields and alternatives; the one value of boxes and lists; key and value.
  std::vector<JsonEntry> entries;
  std::unordered_map<std::string_view, size_t> by_name;
  /// The same names, for those who have them many times a row.
  KeyTable names;

  const JsonEntry* find(std::string_view name, size_t* expected) const {
    if (*expected < entries.size() && entries[*expected].name == name) {
      return &entries[(*expected)++];
    }
    const auto found = by_name.find(name);
    if (found == by_name.end()) return nullptr;
    *expected = found->second + 1;
    return &entries[found->second];
  }

  /// Returns the alternative that the first item of a variant names or numbers: `token` is the
  /// item in JSON, `written` what it became in binary YSON, in which a name has no escapes.
  const JsonEntry* alternative(std::string_view token, std::string_view written) const;
};

/// Returns a name as a key in JSON, with its quotes and `:`. Matches nothing if the name needs
/// escapes, is written differently, or could be that of an attribute.
KeyForm json_key(const std::string& name, const JsonForm& form);

/// Compiles a schema; without one, nothing is known of any column. `count` is how many entries and
/// ends of entries there are.
JsonShape compile_json(const TableSchema* table, const ValueOptions& options, size_t* count);

/// A value of any type, and a signed number.
const JsonShape& any_json();
const JsonShape& signed_json();

/// Reads `nan`, `inf` and `-inf`.
std::optional<double> special_number(std::string_view text);

/// Returns a token without trailing white space.
std::string_view trimmed_json(std::string_view token);

/// Returns true for what the grammar of JSON calls a number, of which that of YSON allows more.
bool is_json_number(std::string_view text);

}  // namespace xwalk::yt
