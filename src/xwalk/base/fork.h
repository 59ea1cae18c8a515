#pragma once

#include <mutex>

namespace xwalk {

/// Ensures that a process-wide mutex is unlocked in a child that is forked while other threads run:
/// a fork waits until it is free. For mutexes that are held briefly, never several of them at once.
/// Call once per mutex, before its first use.
void free_in_forks(std::mutex* mutex);

}  // namespace xwalk
