#pragma once

#include <filesystem>

#include "xwalk/base/error.h"

namespace xwalk::io {

/// Returns what a call of std::filesystem threw as an error of ours, for the doors: a folder that
/// may not be read is no bug.
inline Error file_error(const std::filesystem::filesystem_error& error) {
  Place place;
  place.file = error.path1().string();
  return {ErrorCode::Io, error.code().message(), std::move(place)};
}

}  // namespace xwalk::io
