#pragma once

#include <cstdint>
#include <string>

#include <arrow/status.h>

#include "xwalk/io/plugins/engine_abi.h"

namespace xwalk::plugin {

/// Says which side the bytes at fault stand on: a read that fails means a bad input, a write that
/// fails means a batch this format cannot hold.
enum class Direction { Reading, Writing };

/// Where failures go: the host's `fail`, and an errno for the C caller.
class Failures {
 public:
  /// `input_bytes` is the size of the input, 0 where it is not known.
  Failures(const XwalkEngineHost& host, Direction direction, uint64_t input_bytes = 0)
      : host_(host), direction_(direction), input_bytes_(input_bytes) {}

  /// Runs a step that may return a bad status or throw anything. Returns 0, or an errno after the
  /// host was told. Nothing passes through, also where there is no memory to say what failed.
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
  /// Memory that no machine has was asked for by the input.
  int out_of_memory(const std::string& message);
  int fail(int code, const char* word, std::string message);

  XwalkEngineHost host_;
  Direction direction_;
  uint64_t input_bytes_;
  std::string text_;
};

}  // namespace xwalk::plugin
