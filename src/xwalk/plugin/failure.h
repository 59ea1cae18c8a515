#pragma once

#include <cstdint>
#include <string>

#include <arrow/status.h>

#include "xwalk/io/plugins/engine_abi.h"

namespace xwalk::plugin {

/// The side that causes an error: a failed read means an invalid input, a failed write a batch that
/// this format cannot hold.
enum class Direction { Reading, Writing };

/// Where failures go: the host's `fail`, and an errno for the C caller.
class Failures {
 public:
  /// `input_bytes` is the size of the input, 0 if unknown.
  Failures(const XwalkEngineHost& host, Direction direction, uint64_t input_bytes = 0)
      : host_(host), direction_(direction), input_bytes_(input_bytes) {}

  /// Runs a step that may return a bad status or throw anything. Returns 0, or an errno after
  /// reporting to the host. Never throws, even if there is no memory for the message.
  template <typename Step>
  int guard(const Step& step) noexcept {
    try {
      const arrow::Status status = step();
      return status.ok() ? 0 : fail(status);
    } catch (...) {
      return caught();
    }
  }
  /// Returns the text of the last failure; for ArrowArrayStream::get_last_error.
  const char* text() const { return text_.c_str(); }
  const XwalkEngineHost& host() const { return host_; }

 private:
  /// Tells the host of the exception that is being handled.
  int caught() noexcept;
  int fail_as_thrown();
  int fail(const arrow::Status& status);
  /// The input requires more memory than any machine has.
  int out_of_memory(const std::string& message);
  int fail(int code, const char* word, std::string message);

  XwalkEngineHost host_;
  Direction direction_;
  uint64_t input_bytes_;
  std::string text_;
};

}  // namespace xwalk::plugin
