#pragma once

#include <string>
#include <string_view>

#include "xwalk/vortex/scalar.h"

namespace xwalk::vortex {

/// Writes a scalar as JSON: `{"dtype":"{a=i32, b=utf8?}","value":[5,null]}`. Values are what JSON
/// has for them: structs, lists and the pairs of maps are arrays, bytes and decimals (unscaled,
/// little-endian) `{"hex":"05"}`, nan and infinities text, a union's value
/// `{"type_id":1,"value":…}`, a variant's again a scalar.
std::string write_scalar_json(const Scalar& scalar);

/// Reads it, checked. Throws Error (Input).
Scalar read_scalar_json(std::string_view text);

}  // namespace xwalk::vortex
