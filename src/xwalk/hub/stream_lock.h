#pragma once

#include <atomic>
#include <mutex>

namespace xwalk::hub {

/// Locks the mutex of an exported stream, so that threads that share the stream take turns. If
/// readers need the host's own lock, as in Python, the host sets a function that releases that lock
/// while it waits.
inline std::atomic<void (*)(std::mutex&)> lock_stream{[](std::mutex& mutex) { mutex.lock(); }};

}  // namespace xwalk::hub
