#include "xwalk/cli/interrupt.h"

#include <csignal>
#include <unistd.h>

#include "xwalk/cli/failure.h"

namespace xwalk::cli {
namespace {

std::atomic<bool> stop{false};
static_assert(std::atomic<bool>::is_always_lock_free, "set in a signal handler");

extern "C" void on_signal(int /*signal*/) {
  if (stop.exchange(true)) _exit(kInterrupted);
}

}  // namespace

void catch_interrupts() {
  struct sigaction action {};
  action.sa_handler = on_signal;
  sigaction(SIGINT, &action, nullptr);
  sigaction(SIGTERM, &action, nullptr);
}

const std::atomic<bool>& interrupted() { return stop; }

}  // namespace xwalk::cli
