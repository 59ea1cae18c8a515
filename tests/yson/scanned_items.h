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

/// Scans a stream that a scanner sees all of.
inline ScannedItems scan_at_once(std::string_view stream) {
  ItemScanner scanner;
  scanner.scan(stream.data(), stream.size(), stream.size(), true);
  return found_by(scanner);
}

/// Scans a stream of which a scanner sees a byte more each time, so that it goes token by token.
inline ScannedItems scan_byte_by_byte(std::string_view stream) {
  ItemScanner scanner;
  for (size_t size = 1; size < stream.size(); ++size) {
    scanner.scan(stream.data(), size, size, false);
  }
  scanner.scan(stream.data(), stream.size(), stream.size(), true);
  return found_by(scanner);
}

}  // namespace xwalk::yson::testing
