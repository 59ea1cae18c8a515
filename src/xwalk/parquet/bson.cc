#include "xwalk/parquet/bson.h"

#include <cstring>

#include "xwalk/base/endian.h"
#include "xwalk/base/text.h"

namespace xwalk::parquet {
namespace {

/// The depth at which MongoDB itself stops.
constexpr int kDepth = 100;

bool document(std::string_view bytes, int depth);

/// Removes a null-terminated string from the front. Its text must be UTF-8.
bool take_cstring(std::string_view* bytes) {
  size_t end = bytes->find('\0');
  if (end == std::string_view::npos || !is_valid_utf8(bytes->substr(0, end))) return false;
  bytes->remove_prefix(end + 1);
  return true;
}

bool take(std::string_view* bytes, size_t size) {
  if (bytes->size() < size) return false;
  bytes->remove_prefix(size);
  return true;
}

/// int32 size, text, null byte.
bool take_string(std::string_view* bytes) {
  if (bytes->size() < 5) return false;
  uint32_t size = load_little_endian<uint32_t>(bytes->data());
  if (size < 1 || size > bytes->size() - 4 || (*bytes)[4 + size - 1] != '\0') return false;
  if (!is_valid_utf8(bytes->substr(4, size - 1))) return false;
  return take(bytes, 4 + size);
}

bool take_document(std::string_view* bytes, int depth) {
  if (bytes->size() < 5) return false;
  uint32_t size = load_little_endian<uint32_t>(bytes->data());
  if (size > bytes->size() || !document(bytes->substr(0, size), depth + 1)) return false;
  return take(bytes, size);
}

bool take_value(uint8_t type, std::string_view* bytes, int depth) {
  switch (type) {
    case 0x01:  // double
    case 0x09:  // date
    case 0x11:  // timestamp
    case 0x12:
      return take(bytes, 8);  // int64
    case 0x02:                // string
    case 0x0D:                // code
    case 0x0E:
      return take_string(bytes);  // symbol
    case 0x03:                    // document
    case 0x04:
      return take_document(bytes, depth);  // array
    case 0x05: {                           // binary: size, subtype, bytes
      if (bytes->size() < 5) return false;
      uint32_t size = load_little_endian<uint32_t>(bytes->data());
      return size <= bytes->size() - 5 && take(bytes, 5 + size_t{size});
    }
    case 0x06:  // undefined
    case 0x0A:  // null
    case 0x7F:  // greatest key
    case 0xFF:
      return true;  // least key
    case 0x07:
      return take(bytes, 12);  // object id
    case 0x08: {               // boolean
      bool valid = !bytes->empty() && static_cast<uint8_t>((*bytes)[0]) <= 1;
      return valid && take(bytes, 1);
    }
    case 0x0B:
      return take_cstring(bytes) && take_cstring(bytes);  // regular expression
    case 0x0C:
      return take_string(bytes) && take(bytes, 12);  // pointer
    case 0x0F: {                                     // code with scope: size, string, document
      if (bytes->size() < 4) return false;
      uint32_t size = load_little_endian<uint32_t>(bytes->data());
      if (size < 14 || size > bytes->size()) return false;
      std::string_view inner = bytes->substr(4, size - 4);
      if (!take_string(&inner) || !take_document(&inner, depth) || !inner.empty()) return false;
      return take(bytes, size);
    }
    case 0x10:
      return take(bytes, 4);  // int32
    case 0x13:
      return take(bytes, 16);  // decimal128
    default:
      return false;
  }
}

bool document(std::string_view bytes, int depth) {
  if (depth > kDepth || bytes.size() < 5 ||
      load_little_endian<uint32_t>(bytes.data()) != bytes.size() || bytes.back() != '\0') {
    return false;
  }
  bytes = bytes.substr(4, bytes.size() - 5);
  while (!bytes.empty()) {
    auto type = static_cast<uint8_t>(bytes[0]);
    bytes.remove_prefix(1);
    if (!take_cstring(&bytes) || !take_value(type, &bytes, depth)) return false;
  }
  return true;
}

}  // namespace

bool is_valid_bson(std::string_view bytes) { return document(bytes, 0); }

}  // namespace xwalk::parquet
