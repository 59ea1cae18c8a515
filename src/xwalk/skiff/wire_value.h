#pragma once

#include <array>
#include <cstdint>
#include <string_view>

#include "xwalk/base/wide_integer.h"
#include "xwalk/skiff/type.h"

namespace xwalk::skiff {

/// An unsigned integer of 256 bits, low limb first.
struct Uint256 {
  std::array<uint64_t, 4> limbs{};
  friend bool operator==(const Uint256&, const Uint256&) = default;
};

/// Ends of repeated variants.
inline constexpr uint8_t kEndTag8 = 0xFF;
inline constexpr uint16_t kEndTag16 = 0xFFFF;

/// What a token of a wire type is in C++: `WireValue<WireType::Int64>::type` is int64_t. Strings
/// are views; variants are their tags.
template <WireType wire>
struct WireValue;
template <>
struct WireValue<WireType::Boolean> {
  using type = bool;
};
template <>
struct WireValue<WireType::Int8> {
  using type = int8_t;
};
template <>
struct WireValue<WireType::Int16> {
  using type = int16_t;
};
template <>
struct WireValue<WireType::Int32> {
  using type = int32_t;
};
template <>
struct WireValue<WireType::Int64> {
  using type = int64_t;
};
template <>
struct WireValue<WireType::Int128> {
  using type = Int128;
};
template <>
struct WireValue<WireType::Int256> {
  using type = Int256;
};
template <>
struct WireValue<WireType::Uint8> {
  using type = uint8_t;
};
template <>
struct WireValue<WireType::Uint16> {
  using type = uint16_t;
};
template <>
struct WireValue<WireType::Uint32> {
  using type = uint32_t;
};
template <>
struct WireValue<WireType::Uint64> {
  using type = uint64_t;
};
template <>
struct WireValue<WireType::Uint128> {
  using type = Uint128;
};
template <>
struct WireValue<WireType::Uint256> {
  using type = Uint256;
};
template <>
struct WireValue<WireType::Double> {
  using type = double;
};
template <>
struct WireValue<WireType::String32> {
  using type = std::string_view;
};
template <>
struct WireValue<WireType::Yson32> {
  using type = std::string_view;
};
template <>
struct WireValue<WireType::Variant8> {
  using type = uint8_t;
};
template <>
struct WireValue<WireType::Variant16> {
  using type = uint16_t;
};
template <>
struct WireValue<WireType::RepeatedVariant8> {
  using type = uint8_t;
};
template <>
struct WireValue<WireType::RepeatedVariant16> {
  using type = uint16_t;
};

template <WireType wire>
using wire_value_t = typename WireValue<wire>::type;

}  // namespace xwalk::skiff
