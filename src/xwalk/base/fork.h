#pragma once

#include <mutex>

namespace xwalk {

/// Has a mutex of the whole process be free in a child that is forked while other threads run: a
/// fork waits until nobody holds it. For mutexes that are held for a moment, and no other of them
/// meanwhile. Called once for each, before its first use.
void free_in_forks(std::mutex* mutex);

}  // namespace xwalk
