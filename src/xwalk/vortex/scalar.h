#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "xwalk/base/half_float.h"
#include "xwalk/vortex/text.h"
#include "xwalk/vortex/type.h"

namespace xwalk::vortex {

std::string write_field_path(const FieldPath& path);
/// Throws Error (Input) for bytes that do not parse or a step that is not a name.
FieldPath read_field_path(std::string_view bytes);
/// Returns the type a path leads to. Throws Error (Input) naming the step that is not there.
DType resolve(const DType& root, const FieldPath& path);

struct Scalar;
struct ScalarValue;

/// Bytes of a binary, or a decimal's unscaled value: two's complement, little-endian, of 1, 2, 4,
/// 8, 16 or 32 bytes.
struct Bytes {
  std::string bytes;
  friend bool operator==(const Bytes&, const Bytes&) = default;
};
struct UnionValue {
  uint8_t type_id = 0;
  std::shared_ptr<const ScalarValue> value;
};

/// A value of any DType; monostate is null.
struct ScalarValue {
  std::variant<std::monostate, bool, int64_t, uint64_t, float, double, Half, std::string, Bytes,
               std::vector<ScalarValue>, UnionValue, std::shared_ptr<const Scalar>>
      value;

  friend bool operator==(const ScalarValue& a, const ScalarValue& b);
};

/// A value with its type, as expressions and statistics carry it.
struct Scalar {
  DType dtype;
  ScalarValue value;
};

/// Throws Error (Input) if the value is not one of the type: wrong kind, a null although the type
/// is not nullable, out of the PType's range, wrong number of items.
void check_scalar(const Scalar& scalar);

/// Writes the Protobuf form of a scalar, checked.
std::string write_scalar(const Scalar& scalar);
/// Reads it, checked. Throws Error (Input).
Scalar read_scalar(std::string_view bytes);

/// Reads a value without its type, as in statistics. Throws Error (Input).
ScalarValue read_scalar_value(std::string_view bytes);

}  // namespace xwalk::vortex
