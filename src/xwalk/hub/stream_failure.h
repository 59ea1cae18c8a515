#pragma once

#include <exception>
#include <optional>
#include <string>

namespace xwalk::hub {

/// The error that ended an Arrow stream. Every call of `get_next` fails with it, so that all
/// threads that share the stream see it. After `kTimes` calls the stream ends: a consumer that
/// collects errors and goes on ends as well.
class StreamFailure {
 public:
  static constexpr int kTimes = 100;

  /// Keeps the exception being handled, with its whole text, and returns its code. Call in a
  /// handler only.
  int keep() noexcept;
  /// Returns 0 without an error, else a value of errno.
  int code() const { return code_; }
  /// Returns what `get_next` answers after an error, and counts the call: the code, or 0 once the
  /// stream has ended. Returns nothing without an error.
  std::optional<int> answer() {
    if (code_ == 0) return std::nullopt;
    return ++times_ > kTimes ? 0 : code_;
  }
  /// Returns the message with place and hint; "" without an error.
  const char* text() const { return text_.c_str(); }
  const std::exception_ptr& error() const { return error_; }

 private:
  std::exception_ptr error_;
  std::string text_;
  int code_ = 0;
  int times_ = 0;
};

}  // namespace xwalk::hub
