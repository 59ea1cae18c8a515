#include "xwalk/skiff/stream.h"

#include <fmt/format.h>

#include "xwalk/hub/option.h"

namespace xwalk::skiff {

std::string unknown_table(size_t tables, uint16_t tag) {
  return fmt::format("expected a table index below {}, found {}", tables, tag);
}

std::string end_of_stream_hint(uint16_t tag) {
  if (tag != kEndOfStream) return "";
  return "A stream that ends with this tag is read with " + hub::mention(hub::Option::EndOfStream) +
         ".";
}

}  // namespace xwalk::skiff
