#pragma once

#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "xwalk/variant/kinds.h"

namespace xwalk::variant {

/// The types that YSON or JSON lack, by the places in the values of a column that have them: of a
/// scalar, of the fields of an object, and of the items of a list. A place may have other values as
/// well.
struct LeafTypes {
  /// Date, Time, one of the timestamps, Float, Binary, Uuid, or Decimal16 for decimals of any
  /// width.
  std::optional<Primitive> leaf;
  /// Digits after the point of a decimal.
  int scale = 0;
  std::map<std::string, LeafTypes, std::less<>> fields;
  /// One, or none.
  std::vector<LeafTypes> item;

  bool empty() const { return !leaf && fields.empty() && item.empty(); }
  const LeafTypes* field(std::string_view name) const {
    const auto found = fields.find(name);
    return found == fields.end() ? nullptr : &found->second;
  }
};

/// Returns types as JSON: `"date"`, `{"a":"decimal(2)","b":["uuid"]}`.
std::string to_text(const LeafTypes& types);
/// Parses what `to_text` returns. Returns nothing for other text.
std::optional<LeafTypes> parse_leaf_types(std::string_view text);

}  // namespace xwalk::variant
