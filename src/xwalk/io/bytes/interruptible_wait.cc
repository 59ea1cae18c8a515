#include "xwalk/io/bytes/interruptible_wait.h"

#include <cerrno>
#include <chrono>
#include <fcntl.h>
#include <poll.h>
#include <sys/stat.h>
#include <unistd.h>
#include <utility>

#include "xwalk/base/error.h"

namespace xwalk::io {
namespace {

/// Milliseconds between two looks.
constexpr int kLook = 100;

thread_local const Waiting* current = nullptr;

bool is_pipe(const std::string& path) {
  struct stat status {};
  return ::stat(path.c_str(), &status) == 0 && S_ISFIFO(status.st_mode);
}

}  // namespace

WaitScope::WaitScope(const Waiting* waiting) : before_(std::exchange(current, waiting)) {}
WaitScope::~WaitScope() { current = before_; }

const Waiting* waiting() { return current; }

void look_up() {
  if (current == nullptr) return;
  if (current->ask) current->ask();
  if (current->cancelled != nullptr && current->cancelled->load()) {
    throw Error(ErrorCode::Interrupted, "interrupted");
  }
}

void ask_meanwhile() {
  if (current == nullptr || !current->ask) return;
  thread_local auto last = std::chrono::steady_clock::time_point();
  const auto now = std::chrono::steady_clock::now();
  if (now - last < std::chrono::milliseconds(kLook)) return;
  last = now;
  current->ask();
}

int open_waiting(const std::string& path, int flags) {
  // An open that waits for the other end of a pipe does not end when another thread is interrupted.
  int descriptor = -1;
  while ((descriptor = ::open(path.c_str(), flags | O_CLOEXEC | O_NONBLOCK)) < 0) {
    const bool no_reader = errno == ENXIO && is_pipe(path);
    if (!no_reader && errno != EINTR) return -1;
    look_up();
    if (no_reader) (void)::poll(nullptr, 0, kLook);
  }
  struct stat status {};
  const bool is_known = ::fstat(descriptor, &status) == 0;
  // Reading a file never waits: the flag means nothing there.
  if (is_known && S_ISREG(status.st_mode)) return descriptor;
  try {
    const bool reads = (flags & O_ACCMODE) == O_RDONLY;
    if (reads && is_known && S_ISFIFO(status.st_mode)) {
      pollfd writer{descriptor, POLLIN, 0};
      while (::poll(&writer, 1, kLook) <= 0) look_up();
    }
  } catch (...) {
    ::close(descriptor);
    throw;
  }
  (void)::fcntl(descriptor, F_SETFL, ::fcntl(descriptor, F_GETFL) & ~O_NONBLOCK);
  return descriptor;
}

void wait_for(int descriptor, short events) {
  if (current == nullptr) return;
  pollfd one{descriptor, events, 0};
  // A signal ends a poll early, and is then checked at once.
  while (::poll(&one, 1, kLook) <= 0) look_up();
}

}  // namespace xwalk::io
