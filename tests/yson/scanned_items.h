#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>

#include "xwalk/yson/row_splitter.h"

namespace xwalk::yson::testing {

/// What a scan of items found.
struct ScannedItems {
  size_t position = 0;
  size_t boundary = 0;
  uint64_t items = 0;
  uint64_t pending = 0;
  bool binary = false;
  bool attributes = false;
  bool ended = false;

  bool operator==(const ScannedItems&) const = default;
};

inline ScannedItems found_by(const ItemScanner& scanner) {
  return {scanner.position(), scanner.boundary(),   scanner.items(), scanner.pending(),
          scanner.binary(),   scanner.attributes(), scanner.ended()};
}

/// Scans as far as `stop`: where a scan comes to binary tokens, it may end without having moved.
inline void scan_on(ItemScanner* scanner, std::string_view stream, size_t stop, bool last) {
  int rests = 0;
  while (scanner->position() < stop && rests < 2) {
    const size_t before = scanner->position();
    scanner->scan(stream.data(), stop, stream.size(), last);
    rests = scanner->position() == before ? rests + 1 : 0;
  }
}

/// Scans a stream that a scanner sees all of.
inline ScannedItems scan_at_once(std::string_view stream) {
  ItemScanner scanner;
  scan_on(&scanner, stream, stream.size(), true);
  return found_by(scanner);
}

/// Scans a stream of which a scanner sees a byte more each time, so that it goes token by token.
inline ScannedItems scan_byte_by_byte(std::string_view stream) {
  ItemScanner scanner;
  for (size_t size = 1; size < stream.size(); ++size) {
    scan_on(&scanner, stream.substr(0, size), size, false);
  }
  scan_on(&scanner, stream, stream.size(), true);
  return found_by(scanner);
}

}  // namespace xwalk::yson::testing
