#include "xwalk/skiff/writer.h"

#include <fmt/format.h>

#include "xwalk/base/error.h"

namespace xwalk::skiff {

void Writer::fail_long(size_t size) {
  throw Error(ErrorCode::Input,
              fmt::format("expected a string of less than 4 GiB, found {} bytes", size));
}

void CheckedWriter::finish() const {
  if (cursor_.between_values()) return;
  Place place;
  place.path = cursor_.path();
  throw Error(ErrorCode::Usage, "expected the rest of a value, found the end", std::move(place));
}

}  // namespace xwalk::skiff
