#pragma once

#include <cstring>
#include <filesystem>
#include <string>
#include <utility>

#include "xwalk/base/error.h"

namespace xwalk::io {

/// Returns what a call of std::filesystem threw as an error of ours, for the doors: a folder that
/// may not be read is no bug.
inline Error file_error(const std::filesystem::filesystem_error& error) {
  Place place;
  place.file = error.path1().string();
  return {ErrorCode::Io, error.code().message(), std::move(place)};
}

/// Throws what a call of the system has failed with, by errno.
[[noreturn]] inline void io_error(const std::string& name, const std::string& what, int code) {
  Place place;
  place.file = name;
  throw Error(ErrorCode::Io, what + ": " + std::strerror(code), std::move(place));
}

}  // namespace xwalk::io
