#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "xwalk/hub/batch.h"
#include "xwalk/hub/handle.h"
#include "xwalk/io/engines/engine_program.h"

// Engines in the process of an interface: Python's, if the engine's package can be imported. Rows
// pass as C streams of Arrow, without a copy. Commands, options, statuses and errors are those of
// the programs.

namespace xwalk::io {

/// Rows that an engine reads in this process.
class HostedRows {
 public:
  virtual ~HostedRows() = default;
  /// Takes the stream of the rows, once.
  virtual hub::StreamHandle take() = 0;
  /// Returns what the engine has reported.
  virtual EngineReport report() = 0;
};

/// An engine in this process that takes rows and writes them, at its own pace. What it has written
/// is gone with it, unless `finish` was called.
class HostedOutput {
 public:
  virtual ~HostedOutput() = default;
  /// Waits up to a tenth of a second until it has ended; returns whether it has.
  virtual bool ended() = 0;
  /// Announces the total number of rows, before their stream ends.
  virtual void promise(int64_t rows) = 0;
  /// Returns what it has reported.
  virtual EngineReport report() = 0;
};

class EngineHost {
 public:
  virtual ~EngineHost() = default;
  /// Opens rows; null if the engine is not available. Throws Error. Calls come from any thread.
  virtual std::unique_ptr<HostedRows> read(std::string_view engine, const std::string& options) = 0;
  /// Begins to write the rows of a stream; null as above, and then the stream is as it was.
  virtual std::unique_ptr<HostedOutput> write(std::string_view engine, const std::string& options,
                                              hub::StreamHandle* rows) = 0;
};

/// Names the host in which engines are searched first. It lives as long as the process.
void set_engine_host(EngineHost* host);
/// Returns it, or null if no host is set.
EngineHost* engine_host();

}  // namespace xwalk::io
