#include "xwalk/io/formats/partition_names.h"

#include <iterator>

#include <fmt/format.h>

#include "xwalk/base/error.h"

namespace xwalk::io {

void append_escaped(std::string_view text, std::string* out) {
  constexpr std::string_view kEscaped = "\"#%'*/:=?\\{[]^\x7f";
  for (const char c : text) {
    const auto byte = static_cast<unsigned char>(c);
    if (byte < 0x20 || kEscaped.find(c) != std::string_view::npos) {
      fmt::format_to(std::back_inserter(*out), "%{:02X}", byte);
    } else {
      *out += c;
    }
  }
}

void check_partition_text(std::string_view text) {
  if (text != kNullPartition) return;
  // However it is escaped, other readers take it for null.
  throw Error(ErrorCode::Input, fmt::format("expected another text than {}, which means null in "
                                            "the name of a folder",
                                            kNullPartition));
}

void check_partition_name(std::string_view name) {
  if (name.size() <= kMaxName) return;
  throw Error(ErrorCode::Input,
              fmt::format("expected a value that fits the name of a folder, found one of {} bytes",
                          name.size()));
}

}  // namespace xwalk::io
