#include "xwalk/yt/uuid.h"

#include <fmt/format.h>

#include "xwalk/base/error.h"
#include "xwalk/base/text.h"

namespace xwalk::yt {
namespace {

void check_size(std::string_view bytes) {
  if (bytes.size() != kUuidSize) {
    throw Error(ErrorCode::Input,
                fmt::format("expected a uuid of {} bytes, found {}", kUuidSize, bytes.size()));
  }
}

}  // namespace

std::string uuid_to_yql(std::string_view bytes) {
  check_size(bytes);
  std::array<char, kUuidTextSize> buffer;
  return {buffer.data(), write_uuid_yql(bytes.data(), buffer.data())};
}

std::string uuid_to_yt(std::string_view bytes) {
  check_size(bytes);
  std::array<char, kUuidYtTextSize> buffer;
  return {buffer.data(), write_uuid_yt(bytes.data(), buffer.data())};
}

std::string uuid_from_yql(std::string_view text) {
  std::string bytes(kUuidSize, '\0');
  if (!read_uuid_yql(text, bytes.data())) {
    throw Error(
        ErrorCode::Input,
        fmt::format("expected a uuid such as 64636261-6665-6867-696a-6b6c6d6e6f70, found {}",
                    clipped(text)));
  }
  return bytes;
}

std::string uuid_from_yt(std::string_view text) {
  std::string bytes(kUuidSize, '\0');
  if (!read_uuid_yt(text, bytes.data())) {
    throw Error(ErrorCode::Input,
                fmt::format("expected a uuid such as 61626364-65666768-696a6b6c-6d6e6f70, found {}",
                            clipped(text)));
  }
  return bytes;
}

}  // namespace xwalk::yt
