#pragma once

#include <cstdint>

#include "xwalk/base/half_float.h"
#include "xwalk/hub/type.h"

namespace xwalk::hub::cast {

/// Returns `call(T())` with the C++ type of the values of an integer kind: Int8 … Uint64.
template <typename Call>
auto with_integer(Kind kind, const Call& call) {
  if (kind == Kind::Int8) return call(int8_t());
  if (kind == Kind::Int16) return call(int16_t());
  if (kind == Kind::Int32) return call(int32_t());
  if (kind == Kind::Int64) return call(int64_t());
  if (kind == Kind::Uint8) return call(uint8_t());
  if (kind == Kind::Uint16) return call(uint16_t());
  if (kind == Kind::Uint32) return call(uint32_t());
  return call(uint64_t());
}

/// Returns `call(T())` with the C++ type of the values of HalfFloat, Float or Double.
template <typename Call>
auto with_float(Kind kind, const Call& call) {
  if (kind == Kind::HalfFloat) return call(Half());
  if (kind == Kind::Float) return call(float());
  return call(double());
}

/// Returns `call(T())` with the C++ type of the run ends Int16, Int32 or Int64.
template <typename Call>
auto with_run_end(Kind kind, const Call& call) {
  if (kind == Kind::Int16) return call(int16_t());
  if (kind == Kind::Int32) return call(int32_t());
  return call(int64_t());
}

}  // namespace xwalk::hub::cast
