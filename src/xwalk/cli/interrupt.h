#pragma once

#include <atomic>

namespace xwalk::cli {

/// Makes SIGINT, SIGTERM and SIGHUP set `interrupted`. Where the program has not ended soon after
/// that, or a second one comes, it is ended with nothing left under temporary names. Called before
/// there are threads.
void catch_interrupts();

/// True once the person asked to stop.
const std::atomic<bool>& interrupted();

/// Reports on standard error an output that has its name already, or is in doubt: the exit code
/// alone would suggest that it does not exist.
void tell_fate();

/// Returns the exit code that tells of the signal: 130 for SIGINT.
int interrupted_code();

}  // namespace xwalk::cli
