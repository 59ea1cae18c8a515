#pragma once

#include <atomic>

namespace xwalk::cli {

/// Makes SIGINT, SIGTERM and SIGHUP set `interrupted`. If the program has not ended soon after
/// that, or a second signal arrives, it is ended and temporary files are removed. Called before
/// there are threads.
void catch_interrupts();

/// True once the person asked to stop.
const std::atomic<bool>& interrupted();

/// Reports on standard error an output that has its name already, or is in doubt: the exit code
/// alone would suggest that it does not exist.
void tell_fate();

/// Returns the exit code for the signal: 130 for SIGINT.
int interrupted_code();

}  // namespace xwalk::cli
