#pragma once

#include <cstring>
#include <filesystem>
#include <string>
#include <utility>

#include "xwalk/base/error.h"

namespace xwalk::io {

/// A failed call of the operating system, or a name for which one would fail.
class SystemError final : public Error {
 public:
  /// `number` is an errno.
  SystemError(int number, std::string message, const std::string& file, std::string hint = {})
      : Error(ErrorCode::Io, std::move(message), {}, std::move(hint)), number_(number) {
    place().file = file;
  }
  int number() const { return number_; }

 private:
  int number_;
};

/// Returns an exception of std::filesystem as an xwalk error, for the interfaces: an unreadable
/// folder is not a bug.
inline SystemError file_error(const std::filesystem::filesystem_error& error) {
  return {error.code().value(), error.code().message(), error.path1().string()};
}

/// Throws the error of a failed system call, by errno.
[[noreturn]] inline void io_error(const std::string& name, const std::string& what, int code,
                                  std::string hint = {}) {
  throw SystemError(code, what + ": " + std::strerror(code), name, std::move(hint));
}

}  // namespace xwalk::io
