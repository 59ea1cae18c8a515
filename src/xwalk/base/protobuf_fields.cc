#include "xwalk/base/protobuf_fields.h"

#include <cstdint>
#include <optional>

#include <fmt/format.h>

#include "xwalk/base/error.h"

namespace xwalk {
namespace {

std::optional<uint64_t> take_varint(std::string_view bytes, size_t* at) {
  uint64_t value = 0;
  for (int shift = 0; shift < 64 && *at < bytes.size(); shift += 7) {
    const auto byte = static_cast<uint8_t>(bytes[(*at)++]);
    value |= static_cast<uint64_t>(byte & 0x7F) << shift;
    if (byte < 0x80) return value;
  }
  return std::nullopt;
}

/// Returns the size of the value after a tag; empty for an unknown wire type.
std::optional<uint64_t> value_size(std::string_view message, uint64_t tag, size_t* at) {
  switch (tag & 7) {
    case 0:
      if (!take_varint(message, at)) return std::nullopt;
      return 0;
    case 1:
      return 8;
    case 2:
      return take_varint(message, at);
    case 5:
      return 4;
    default:
      return std::nullopt;
  }
}

}  // namespace

size_t whole_protobuf_fields(std::string_view message) {
  size_t whole = 0;
  while (whole < message.size()) {
    size_t at = whole;
    const std::optional<uint64_t> tag = take_varint(message, &at);
    if (!tag) break;
    const std::optional<uint64_t> size = value_size(message, *tag, &at);
    if (!size || *size > message.size() - at) break;
    whole = at + static_cast<size_t>(*size);
  }
  return whole;
}

void refuse_protobuf(std::string_view message, std::string_view expected) {
  throw Error(ErrorCode::Input,
              fmt::format("expected {} in Protobuf form, found {} bytes that do not parse",
                          expected, message.size()),
              {.byte = whole_protobuf_fields(message)});
}

}  // namespace xwalk
