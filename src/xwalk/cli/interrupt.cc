#include "xwalk/cli/interrupt.h"

#include <csignal>
#include <ctime>
#include <thread>
#include <unistd.h>

#include "xwalk/io/atomic_path.h"
#include "xwalk/io/engine_program.h"

namespace xwalk::cli {
namespace {

std::atomic<bool> stop{false};
std::atomic<int> caught{SIGINT};

/// Time for the program to end by itself, in nanoseconds. What waits for a pipe or an engine that
/// says nothing more does not.
constexpr long kGrace = 500'000'000;

[[noreturn]] void watch(const sigset_t& signals) {
  int signal = SIGINT;
  while (::sigwait(&signals, &signal) != 0) continue;
  caught.store(signal);
  stop.store(true);
  const timespec grace{0, kGrace};
  (void)::sigtimedwait(&signals, nullptr, &grace);
  io::end_engines();
  io::abandon_outputs();
  ::_exit(interrupted_code());
}

}  // namespace

void catch_interrupts() {
  // An output that grows beyond what the shell allows is an error of write.
  std::signal(SIGXFSZ, SIG_IGN);
  sigset_t signals;
  ::sigemptyset(&signals);
  for (const int signal : {SIGINT, SIGTERM, SIGHUP}) {
    // A shell ignores SIGINT for what it runs beside itself, and `nohup` SIGHUP for good.
    struct sigaction before {};
    ::sigaction(signal, nullptr, &before);
    if (signal == SIGHUP && before.sa_handler == SIG_IGN) continue;
    std::signal(signal, SIG_DFL);
    ::sigaddset(&signals, signal);
  }
  ::pthread_sigmask(SIG_BLOCK, &signals, nullptr);
  std::thread([signals] { watch(signals); }).detach();
}

const std::atomic<bool>& interrupted() { return stop; }

int interrupted_code() { return 128 + caught.load(); }

}  // namespace xwalk::cli
