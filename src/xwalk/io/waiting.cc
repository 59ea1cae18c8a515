#include "xwalk/io/waiting.h"

#include <cerrno>
#include <fcntl.h>
#include <poll.h>
#include <utility>

#include "xwalk/base/error.h"

namespace xwalk::io {
namespace {

/// Milliseconds between two looks.
constexpr int kLook = 100;

thread_local const Waiting* current = nullptr;

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

int open_waiting(const std::string& path, int flags) {
  while (true) {
    const int descriptor = ::open(path.c_str(), flags | O_CLOEXEC);
    if (descriptor >= 0 || errno != EINTR) return descriptor;
    look_up();
  }
}

void wait_for(int descriptor, short events) {
  if (current == nullptr) return;
  pollfd one{descriptor, events, 0};
  // A signal ends a poll early, and is looked for at once.
  while (::poll(&one, 1, kLook) <= 0) look_up();
}

}  // namespace xwalk::io
