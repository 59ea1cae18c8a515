#pragma once

#include <array>
#include <bit>
#include <cstdint>
#include <cstring>
#include <string>
#include <string_view>

#include "xwalk/base/wide_integer.h"
#include "xwalk/skiff/input.h"
#include "xwalk/skiff/type.h"

namespace xwalk::skiff {

/// An unsigned integer of 256 bits, low limb first.
struct Uint256 {
  std::array<uint64_t, 4> limbs{};
  friend bool operator==(const Uint256&, const Uint256&) = default;
};

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

static_assert(std::endian::native == std::endian::little, "the wire order is copied unchanged");

/// Reads the tokens of any Skiff value, trusting the caller to follow the schema. Tokens are
/// checked against the end of the stream, and booleans for 0 or 1. Throws Error (Input) with the
/// byte.
///
///     Reader reader(input);
///     auto count = reader.read<WireType::Int64>();
class Reader {
 public:
  explicit Reader(Input& input) : input_(input) {}

  /// Reads one token: a simple value, or the tag of a variant. A string is valid until the next
  /// call.
  template <WireType wire>
  wire_value_t<wire> read() {
    using Value = wire_value_t<wire>;
    if constexpr (wire == WireType::String32 || wire == WireType::Yson32) {
      uint32_t size = load<uint32_t>(wire);
      input_.advance(sizeof(size));
      if (!input_.ensure(size)) fail_end(wire, size);
      std::string_view bytes(input_.data(), size);
      input_.advance(size);
      return bytes;
    } else if constexpr (wire == WireType::Boolean) {
      uint8_t byte = load<uint8_t>(wire);
      if (byte > 1) fail_boolean(byte);
      input_.advance(1);
      return byte != 0;
    } else {
      Value value = load<Value>(wire);
      input_.advance(sizeof(Value));
      return value;
    }
  }

  /// Returns true if no byte is left.
  bool at_end() { return !input_.ensure(1); }
  /// Returns the offset of the next byte in the stream.
  uint64_t position() const { return input_.position(); }
  Input& input() { return input_; }

 private:
  template <typename T>
  T load(WireType wire) {
    if (!input_.ensure(sizeof(T))) fail_end(wire, sizeof(T));
    T value;
    std::memcpy(static_cast<void*>(&value), input_.data(), sizeof(T));
    return value;
  }
  [[noreturn]] void fail_end(WireType wire, size_t size) const;
  [[noreturn]] void fail_boolean(uint8_t byte) const;

  Input& input_;
};

/// Appends the tokens of any Skiff value to a string, trusting the caller to follow the schema.
class Writer {
 public:
  explicit Writer(std::string* out) : out_(out) {}

  /// Writes one token: a simple value, or the tag of a variant. Throws Error (Input) for a string
  /// of 4 GiB or more.
  template <WireType wire>
  void write(wire_value_t<wire> value) {
    if constexpr (wire == WireType::String32 || wire == WireType::Yson32) {
      if (value.size() > UINT32_MAX) fail_long(value.size());
      store(static_cast<uint32_t>(value.size()));
      out_->append(value);
    } else if constexpr (wire == WireType::Boolean) {
      store(static_cast<uint8_t>(value ? 1 : 0));
    } else {
      store(value);
    }
  }

  std::string* out() { return out_; }

 private:
  template <typename T>
  void store(const T& value) {
    size_t size = out_->size();
    out_->resize(size + sizeof(T));
    std::memcpy(out_->data() + size, &value, sizeof(T));
  }
  [[noreturn]] static void fail_long(size_t size);

  std::string* out_;
};

}  // namespace xwalk::skiff
