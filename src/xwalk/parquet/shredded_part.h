#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "xwalk/hub/type.h"
#include "xwalk/parquet/resolve.h"

namespace xwalk::parquet {

/// Where the parts of a value are in the struct that stores it.
struct ShreddedPart {
  enum class Form : uint8_t { Primitive, List, Object };

  std::string name;
  std::optional<size_t> value;
  std::optional<size_t> typed;
  Form form = Form::Primitive;
  /// The type of a primitive in `typed`.
  hub::Type type;
  /// The item of a list, the fields of an object.
  std::vector<ShreddedPart> parts;
  /// The numbers of the fields of an object, in the order of their names.
  std::vector<size_t> by_name;
};

/// Returns the parts of a VARIANT, or of a part of one, from its group.
ShreddedPart shredded_part_of(const Resolved& group);

/// Returns the number of the child of a VARIANT that has its dictionary.
size_t metadata_of(const Resolved& variant);

}  // namespace xwalk::parquet
