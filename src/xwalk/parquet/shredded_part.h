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
  /// The number of a field of an object among all fields of the VARIANT.
  size_t number = 0;
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

/// Returns the parts of a VARIANT.
ShreddedPart shredded_part_of(const Resolved& variant);

/// Returns the number of the child of a VARIANT that has its dictionary.
size_t metadata_of(const Resolved& variant);

}  // namespace xwalk::parquet
