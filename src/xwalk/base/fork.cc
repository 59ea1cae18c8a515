#include "xwalk/base/fork.h"

#include <pthread.h>
#include <vector>

namespace xwalk {
namespace {

struct Held {
  std::mutex mutex;
  std::vector<std::mutex*> others;
};

Held& held() {
  static Held& held = *new Held;  // outlives all that may fork
  return held;
}

void lock_all() {
  held().mutex.lock();
  for (std::mutex* mutex : held().others) mutex->lock();
}

void unlock_all() {
  for (std::mutex* mutex : held().others) mutex->unlock();
  held().mutex.unlock();
}

}  // namespace

void free_in_forks(std::mutex* mutex) {
  const std::lock_guard guard(held().mutex);
  if (held().others.empty()) ::pthread_atfork(lock_all, unlock_all, unlock_all);
  held().others.push_back(mutex);
}

}  // namespace xwalk
