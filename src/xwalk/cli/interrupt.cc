#include "xwalk/cli/interrupt.h"

#include <cerrno>
#include <csignal>
#include <ctime>
#include <exception>
#include <initializer_list>
#include <semaphore.h>
#include <string>
#include <thread>
#include <unistd.h>

#include "xwalk/base/shown_name.h"
#include "xwalk/base/visible.h"
#include "xwalk/io/bytes/atomic_path.h"
#include "xwalk/io/engines/engine_program.h"

namespace xwalk::cli {
namespace {

std::atomic<bool> stop{false};
std::atomic<int> caught{0};
static_assert(std::atomic<bool>::is_always_lock_free && std::atomic<int>::is_always_lock_free,
              "set in a signal handler");
/// Counts the signals for the thread that watches.
sem_t signals_seen;

/// Time for the program to end normally, in nanoseconds. It cannot if it waits for a pipe or an
/// engine that sends nothing more.
constexpr int64_t kGrace = 500'000'000;
constexpr int64_t kSecond = 1'000'000'000;

extern "C" void on_signal(int signal) {
  const int error = errno;
  int none = 0;
  caught.compare_exchange_strong(none, signal);
  stop.store(true);
  ::sem_post(&signals_seen);
  errno = error;
}

}  // namespace

void tell_fate() {
  const std::string fate = io::fate_of_outputs();
  if (fate.empty()) return;
  const std::string line = "xwalk: ended by a signal: " + visible(shown_text(fate)) + "\n";
  (void)!::write(STDERR_FILENO, line.data(), line.size());
}

namespace {

[[noreturn]] void watch() {
  while (::sem_wait(&signals_seen) != 0) continue;
  timespec end{};
  ::clock_gettime(CLOCK_MONOTONIC, &end);
  const int64_t nanoseconds = end.tv_nsec + kGrace;
  end.tv_sec += nanoseconds / kSecond;
  end.tv_nsec = nanoseconds % kSecond;
  // Whether a second one came or the time is over.
  (void)::sem_clockwait(&signals_seen, CLOCK_MONOTONIC, &end);
  io::end_engines();
  io::abandon_outputs();
  tell_fate();
  ::_exit(interrupted_code());
}

}  // namespace

void catch_interrupts() {
  // An output that grows beyond what the shell allows is an error of write.
  std::signal(SIGXFSZ, SIG_IGN);
  ::sem_init(&signals_seen, 0, 0);
  // The thread that watches takes no signal itself.
  sigset_t all, before;
  ::sigfillset(&all);
  ::pthread_sigmask(SIG_BLOCK, &all, &before);
  bool watched = true;
  try {
    std::thread(watch).detach();
  } catch (const std::exception&) {
    watched = false;
  }
  ::pthread_sigmask(SIG_SETMASK, &before, nullptr);
  // Without that thread signals end the program at once, and the next run removes temporary files.
  if (!watched) return;
  struct sigaction action {};
  action.sa_handler = on_signal;
  for (const int signal : {SIGINT, SIGTERM, SIGHUP}) {
    // A shell ignores SIGINT for what it runs beside itself, and `nohup` SIGHUP for good.
    struct sigaction old {};
    ::sigaction(signal, nullptr, &old);
    if (signal != SIGHUP || old.sa_handler != SIG_IGN) ::sigaction(signal, &action, nullptr);
  }
}

const std::atomic<bool>& interrupted() { return stop; }

int interrupted_code() { return 128 + (caught.load() == 0 ? SIGINT : caught.load()); }

}  // namespace xwalk::cli
