#pragma once

#include <atomic>
#include <functional>
#include <string>

namespace xwalk::io {

/// Checks that a thread makes while it waits for a pipe, an engine or other threads.
struct Waiting {
  /// Ends the wait with Error (Interrupted) once it is true.
  const std::atomic<bool>* cancelled = nullptr;
  /// If set, called about ten times a second. May set `cancelled`.
  std::function<void()> ask;
};

/// Sets the checks of all waits of this thread until the scope ends; null for no checks.
class WaitScope {
 public:
  explicit WaitScope(const Waiting* waiting);
  ~WaitScope();
  WaitScope(const WaitScope&) = delete;
  WaitScope& operator=(const WaitScope&) = delete;

 private:
  const Waiting* before_;
};

/// Returns the checks of this thread's waits, or a null pointer.
const Waiting* waiting();

/// Calls `ask`, and throws Error (Interrupted) if the wait must end. Does nothing if there is no
/// `ask`.
void look_up();

/// Calls `ask` unless this thread did so less than a tenth of a second ago. For loops that work
/// between their waits, and may never wait.
void ask_meanwhile();

/// Opens a file for reading or writing (`flags`), or waits for the other end of a pipe. Returns -1
/// with errno if it cannot be opened. Throws Error (Interrupted).
int open_waiting(const std::string& path, int flags);

/// Returns when a descriptor can be read from (POLLIN) or written to (POLLOUT), or has failed.
/// Returns at once if there is nothing to check while waiting. Throws Error (Interrupted).
void wait_for(int descriptor, short events);

}  // namespace xwalk::io
