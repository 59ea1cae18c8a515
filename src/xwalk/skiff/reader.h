#pragma once

#include <bit>
#include <cstring>

#include "xwalk/skiff/cursor.h"
#include "xwalk/skiff/input.h"
#include "xwalk/skiff/wire_value.h"

namespace xwalk::skiff {

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

/// Reads the tokens of values of one schema and checks each against it: another token than the
/// schema's is an Error (Usage), a tag beyond the children an Error (Input). After one value the
/// next one of the same schema may follow.
class CheckedReader {
 public:
  CheckedReader(Type schema, Input& input) : reader_(input), cursor_(std::move(schema)) {}

  template <WireType wire>
  wire_value_t<wire> read() {
    if constexpr (wire >= WireType::Variant8) {
      auto tag = reader_.read<wire>();
      located([&] { cursor_.take_tag(wire, tag); });
      return tag;
    } else {
      located([&] { cursor_.take(wire); });
      return reader_.read<wire>();
    }
  }

  bool at_end() { return reader_.at_end(); }
  uint64_t position() const { return reader_.position(); }
  /// Returns true if a value is complete and the next one has not begun.
  bool between_values() const { return cursor_.between_values(); }
  /// Throws Error (Usage) if a value is not complete.
  void finish() const;

 private:
  template <typename Step>
  void located(const Step& step) {
    try {
      step();
    } catch (...) {
      rethrow_located();
    }
  }
  [[noreturn]] void rethrow_located() const;

  Reader reader_;
  SchemaCursor cursor_;
};

/// Reads and checks one value of a schema and drops it. Throws Error (Input) with byte and path.
void skip_value(const Type& type, Reader* reader);

}  // namespace xwalk::skiff
