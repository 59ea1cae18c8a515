#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace xwalk::parquet::thrift {

/// Type nibbles of the compact protocol.
enum class Wire : uint8_t {
  Stop = 0,
  True = 1,
  False = 2,
  Byte = 3,
  I16 = 4,
  I32 = 5,
  I64 = 6,
  Double = 7,
  Binary = 8,
  List = 9,
  Set = 10,
  Map = 11,
  Struct = 12,
  Uuid = 13,
};

/// Nesting of a footer: the format needs 8; Thrift's own readers stop at 64.
inline constexpr int kDepth = 64;

struct FieldHeader {
  Wire type = Wire::Stop;
  int32_t id = 0;
};

struct ListHeader {
  Wire type = Wire::Stop;
  uint32_t count = 0;
};

/// Reads the compact protocol out of memory. Every call throws Error (Input) with the byte on
/// malformed or truncated bytes; nothing is allocated on the word of the input.
class Reader {
 public:
  /// `origin` is the position of the bytes in their file, for messages.
  explicit Reader(std::string_view bytes, uint64_t origin = 0) : bytes_(bytes), origin_(origin) {}

  size_t position() const { return position_; }
  bool at_end() const { return position_ == bytes_.size(); }
  std::string_view slice(size_t from) const { return bytes_.substr(from, position_ - from); }

  /// Reads a field's header; `previous` is the id of the field before it, 0 at a struct's start.
  FieldHeader field(int32_t previous);
  uint64_t varint();
  int64_t i64();
  int32_t i32();
  int8_t byte();
  double number();
  std::string_view binary();
  /// Reads a list's header. Each of the counted elements must have at least one of the remaining
  /// bytes.
  ListHeader list();
  /// Skips a value of a field (`in_list` false: a bool has no bytes) or of a list, of at most
  /// kDepth - `depth` levels.
  void skip(Wire type, bool in_list = false, int depth = 0);
  /// Returns the memory that the items of all lists skipped so far take in a reader that keeps
  /// them, each with what it has besides its bytes.
  uint64_t list_memory() const { return list_memory_; }

  [[noreturn]] void fail(const std::string& message) const;

 private:
  std::string_view bytes_;
  uint64_t origin_;
  size_t position_ = 0;
  uint64_t list_memory_ = 0;
};

/// Calls `take` with the header of each field of a struct; one that it does not read (false) is
/// skipped.
template <typename Take>
void for_each_field(Reader* reader, Take take) {
  int32_t previous = 0;
  while (true) {
    const FieldHeader header = reader->field(previous);
    if (header.type == Wire::Stop) return;
    previous = header.id;
    if (!take(header)) reader->skip(header.type);
  }
}

/// Writes the compact protocol into a string.
class Writer {
 public:
  explicit Writer(std::string* out) : out_(out) {}

  /// Writes a field's header and remembers its id; ids of a struct ascend for the short form.
  void field(Wire type, int32_t id);
  void stop() { out_->push_back('\0'); }
  void varint(uint64_t value);
  void i64(int64_t value);
  void binary(std::string_view bytes);
  void list(Wire type, size_t count);
  void raw(std::string_view bytes) { out_->append(bytes); }

  void i32_field(int32_t id, int32_t value);
  void i64_field(int32_t id, int64_t value);
  void binary_field(int32_t id, std::string_view bytes);
  void bool_field(int32_t id, bool value) { field(value ? Wire::True : Wire::False, id); }

 private:
  std::string* out_;
  int32_t previous_ = 0;
};

}  // namespace xwalk::parquet::thrift
