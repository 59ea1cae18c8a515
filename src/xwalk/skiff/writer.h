#pragma once

#include <cstring>
#include <string>

#include "xwalk/skiff/cursor.h"
#include "xwalk/skiff/wire_value.h"

namespace xwalk::skiff {

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

/// Appends the tokens of values of one schema and checks each against it, as CheckedReader does.
class CheckedWriter {
 public:
  CheckedWriter(Type schema, std::string* out) : writer_(out), cursor_(std::move(schema)) {}

  template <WireType wire>
  void write(wire_value_t<wire> value) {
    if constexpr (wire >= WireType::Variant8) {
      cursor_.take_tag(wire, value);
    } else {
      cursor_.take(wire);
    }
    writer_.write<wire>(value);
  }

  bool between_values() const { return cursor_.between_values(); }
  /// Throws Error (Usage) if a value is not complete.
  void finish() const;

 private:
  Writer writer_;
  SchemaCursor cursor_;
};

}  // namespace xwalk::skiff
