#include "xwalk/parquet/thrift.h"

#include <bit>

#include <fmt/format.h>

#include "xwalk/base/endian.h"
#include "xwalk/base/error.h"

namespace xwalk::parquet::thrift {

void Reader::fail(const std::string& message) const {
  throw Error(ErrorCode::Input, message, {.byte = origin_ + position_});
}

uint64_t Reader::varint() {
  uint64_t value = 0;
  for (int shift = 0; shift < 70; shift += 7) {
    if (position_ == bytes_.size()) fail("expected a number, found the end of the Thrift bytes");
    auto byte = static_cast<uint8_t>(bytes_[position_]);
    if (shift == 63 && byte > 1) break;
    ++position_;
    value |= static_cast<uint64_t>(byte & 0x7F) << shift;
    if (byte < 0x80) return value;
  }
  fail("expected a number of at most 64 bits, found a longer one");
}

int64_t Reader::i64() {
  uint64_t value = varint();
  return static_cast<int64_t>((value >> 1) ^ (~(value & 1) + 1));
}

int32_t Reader::i32() {
  int64_t value = i64();
  if (value < INT32_MIN || value > INT32_MAX) {
    fail(fmt::format("expected a number of 32 bits, found {}", value));
  }
  return static_cast<int32_t>(value);
}

int8_t Reader::byte() {
  if (position_ == bytes_.size()) fail("expected a byte, found the end of the Thrift bytes");
  return static_cast<int8_t>(bytes_[position_++]);
}

FieldHeader Reader::field(int32_t previous) {
  auto head = static_cast<uint8_t>(byte());
  FieldHeader header;
  header.type = static_cast<Wire>(head & 0x0F);
  if (header.type == Wire::Stop) {
    if (head != 0) fail(fmt::format("expected a field's type, found byte 0x{:02x}", head));
    return header;
  }
  if (header.type > Wire::Uuid) fail(fmt::format("expected a Thrift type, found {}", head & 0x0F));
  if ((head >> 4) != 0) {
    header.id = previous + (head >> 4);
  } else {
    header.id = i32();
  }
  if (header.id < INT16_MIN || header.id > INT16_MAX) {
    fail(fmt::format("expected a field id of 16 bits, found {}", header.id));
  }
  return header;
}

double Reader::number() {
  if (bytes_.size() - position_ < sizeof(double)) {
    fail("expected a double, found the end of the Thrift bytes");
  }
  const auto bits = load_little_endian<uint64_t>(bytes_.data() + position_);
  position_ += sizeof(double);
  return std::bit_cast<double>(bits);
}

std::string_view Reader::binary() {
  uint64_t size = varint();
  if (size > bytes_.size() - position_) {
    fail(fmt::format("expected {} bytes, found {}", size, bytes_.size() - position_));
  }
  std::string_view bytes = bytes_.substr(position_, size);
  position_ += size;
  return bytes;
}

ListHeader Reader::list() {
  auto head = static_cast<uint8_t>(byte());
  ListHeader header;
  header.type = static_cast<Wire>(head & 0x0F);
  uint64_t count = head >> 4;
  if (count == 15) count = varint();
  if (count > bytes_.size() - position_) {
    fail(fmt::format("expected {} list items, found {} bytes", count, bytes_.size() - position_));
  }
  header.count = static_cast<uint32_t>(count);
  if (bytes_.size() > UINT32_MAX && count > UINT32_MAX) fail("expected fewer list items");
  if (header.type == Wire::Stop ? count > 0 : header.type > Wire::Uuid) {
    fail(fmt::format("expected a Thrift type, found {}", head & 0x0F));
  }
  return header;
}

namespace {

/// Returns where a number of up to 63 bits ends.
const char* past_varint(const char* at, const char* end) {
  for (const char* const limit = end - at > 9 ? at + 9 : end; at < limit;) {
    if ((static_cast<uint8_t>(*at++) & 0x80) == 0) return at;
  }
  return nullptr;
}

const char* past_bytes(uint64_t count, const char* at, const char* end) {
  return count > static_cast<uint64_t>(end - at) ? nullptr : at + count;
}

/// Reads a size of at most 28 bits; returns where it ends.
const char* read_size(const char* at, const char* end, uint32_t* size) {
  *size = 0;
  for (int shift = 0; shift < 28 && at != end; shift += 7) {
    const auto byte = static_cast<uint8_t>(*at++);
    *size |= static_cast<uint32_t>(byte & 0x7F) << shift;
    if (byte < 0x80) return at;
  }
  return nullptr;
}

/// Returns the memory of an item of a list at a level of a row group, however few bytes it has: the
/// structs of libparquet and of this library together.
constexpr uint64_t item_memory(Wire item, int level) {
  constexpr int kColumns = 2;
  constexpr uint64_t kColumnChunk = 1024;
  constexpr uint64_t kStruct = 128;
  constexpr uint64_t kText = 48;
  if (item == Wire::Struct) return level <= kColumns ? kColumnChunk : kStruct;
  const bool is_plain = item < Wire::Binary || item == Wire::Uuid;
  return is_plain ? 2 * sizeof(int64_t) : kText;
}

const char* past_items(const char* at, const char* end, int depth, uint64_t* memory);
const char* past_struct(const char* at, const char* end, int depth, uint64_t* memory);

/// Returns the end of a value of a field or of a list; null if it is malformed or has a rare form.
/// The row groups of a wide table are most of its footer, so this must be fast.
[[gnu::always_inline]] inline const char* past_value(Wire type, bool in_list, const char* at,
                                                     const char* end, int depth, uint64_t* memory) {
  switch (type) {
    case Wire::True:
    case Wire::False:
      return past_bytes(in_list ? 1 : 0, at, end);
    case Wire::Byte:
      return past_bytes(1, at, end);
    case Wire::I16:
    case Wire::I32:
    case Wire::I64:
      return past_varint(at, end);
    case Wire::Double:
      return past_bytes(8, at, end);
    case Wire::Binary: {
      uint32_t size = 0;
      at = read_size(at, end, &size);
      return at == nullptr ? nullptr : past_bytes(size, at, end);
    }
    case Wire::List:
    case Wire::Set:
      return depth == kDepth ? nullptr : past_items(at, end, depth + 1, memory);
    case Wire::Struct:
      return depth == kDepth ? nullptr : past_struct(at, end, depth + 1, memory);
    case Wire::Stop:
    case Wire::Map:
    case Wire::Uuid:
      break;
  }
  return nullptr;
}

const char* past_items(const char* at, const char* end, int depth, uint64_t* memory) {
  if (at == end) return nullptr;
  const auto head = static_cast<uint8_t>(*at++);
  const auto item = static_cast<Wire>(head & 0x0F);
  uint32_t count = head >> 4;
  if (count == 15) at = read_size(at, end, &count);
  if (at == nullptr || item > Wire::Uuid || count > end - at) return nullptr;
  *memory += count * item_memory(item, depth);
  for (uint32_t i = 0; i < count && at != nullptr; ++i) {
    at = past_value(item, true, at, end, depth, memory);
  }
  return at;
}

const char* past_struct(const char* at, const char* end, int depth, uint64_t* memory) {
  int id = 0;
  while (at != nullptr && at != end) {
    const auto head = static_cast<uint8_t>(*at++);
    if (head == 0) return at;
    id += head >> 4;
    if (head <= 0x0F || id > INT16_MAX) return nullptr;
    at = past_value(static_cast<Wire>(head & 0x0F), false, at, end, depth, memory);
  }
  return nullptr;
}

}  // namespace

void Reader::skip(Wire type, bool in_list, int depth) {
  if (depth <= 0) {
    const char* const begin = bytes_.data();
    const char* const end = begin + bytes_.size();
    uint64_t memory = 0;
    if (const char* past = past_value(type, in_list, begin + position_, end, 0, &memory)) {
      position_ = static_cast<size_t>(past - begin);
      list_memory_ += memory;
      return;
    }
  }
  if (depth > kDepth) fail(fmt::format("expected at most {} levels of Thrift nesting", kDepth));
  auto take = [&](size_t count) {
    if (count > bytes_.size() - position_) fail("expected a value, found the end of the bytes");
    position_ += count;
  };
  switch (type) {
    case Wire::Stop:
      return;
    case Wire::True:
    case Wire::False:
      if (in_list) take(1);
      return;
    case Wire::Byte:
      take(1);
      return;
    case Wire::I16:
    case Wire::I32:
    case Wire::I64:
      varint();
      return;
    case Wire::Double:
      take(8);
      return;
    case Wire::Uuid:
      take(16);
      return;
    case Wire::Binary:
      binary();
      return;
    case Wire::List:
    case Wire::Set: {
      ListHeader header = list();
      list_memory_ += header.count * item_memory(header.type, depth + 1);
      for (uint32_t i = 0; i < header.count; ++i) skip(header.type, true, depth + 1);
      return;
    }
    case Wire::Map: {
      uint64_t count = varint();
      if (count == 0) return;
      auto types = static_cast<uint8_t>(byte());
      auto key = static_cast<Wire>(types >> 4);
      auto value = static_cast<Wire>(types & 0x0F);
      if (key == Wire::Stop || key > Wire::Uuid || value == Wire::Stop || value > Wire::Uuid) {
        fail(fmt::format("expected two Thrift types, found 0x{:02x}", types));
      }
      if (count > bytes_.size() - position_) fail("expected fewer map entries");
      for (uint64_t i = 0; i < count; ++i) {
        skip(key, true, depth + 1);
        skip(value, true, depth + 1);
      }
      return;
    }
    case Wire::Struct: {
      int32_t previous = 0;
      while (true) {
        FieldHeader header = field(previous);
        if (header.type == Wire::Stop) return;
        previous = header.id;
        skip(header.type, false, depth + 1);
      }
    }
  }
  fail("expected a Thrift type");
}

void Writer::varint(uint64_t value) {
  while (value >= 0x80) {
    out_->push_back(static_cast<char>(value | 0x80));
    value >>= 7;
  }
  out_->push_back(static_cast<char>(value));
}

void Writer::i64(int64_t value) {
  varint((static_cast<uint64_t>(value) << 1) ^ static_cast<uint64_t>(value >> 63));
}

void Writer::field(Wire type, int32_t id) {
  int32_t delta = id - previous_;
  if (delta > 0 && delta <= 15) {
    out_->push_back(static_cast<char>(delta << 4 | static_cast<int>(type)));
  } else {
    out_->push_back(static_cast<char>(type));
    i64(id);
  }
  previous_ = id;
}

void Writer::binary(std::string_view bytes) {
  varint(bytes.size());
  out_->append(bytes);
}

void Writer::list(Wire type, size_t count) {
  if (count < 15) {
    out_->push_back(static_cast<char>(count << 4 | static_cast<size_t>(type)));
  } else {
    out_->push_back(static_cast<char>(0xF0 | static_cast<int>(type)));
    varint(count);
  }
}

void Writer::i32_field(int32_t id, int32_t value) {
  field(Wire::I32, id);
  i64(value);
}

void Writer::i64_field(int32_t id, int64_t value) {
  field(Wire::I64, id);
  i64(value);
}

void Writer::binary_field(int32_t id, std::string_view bytes) {
  field(Wire::Binary, id);
  binary(bytes);
}

}  // namespace xwalk::parquet::thrift
