#include "tests/skiff/oracle/tokens.h"

#include <fmt/format.h>

#include "xwalk/base/error.h"

namespace xwalk::skiff {

void Reader::fail_end(WireType wire, size_t size) const {
  Place place;
  place.byte = position();
  throw Error(ErrorCode::Input,
              fmt::format("expected {} more bytes of {}, found the end after {}", size,
                          wire_name(wire), input_.available()),
              std::move(place), "The input was cut off. Fetch it again.");
}

void Reader::fail_boolean(uint8_t byte) const {
  Place place;
  place.byte = position();
  throw Error(ErrorCode::Input, fmt::format("expected boolean 0 or 1, found {}", byte),
              std::move(place));
}

void Writer::fail_long(size_t size) {
  throw Error(ErrorCode::Input,
              fmt::format("expected a string of less than 4 GiB, found {} bytes", size));
}

}  // namespace xwalk::skiff
