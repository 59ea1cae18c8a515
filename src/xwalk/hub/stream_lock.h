#pragma once

#include <atomic>
#include <mutex>

namespace xwalk::hub {

/// Locks the mutex of an exported stream, so that threads that share the stream take turns. A host
/// whose own lock readers need, such as Python, sets a function that releases it while it waits.
inline std::atomic<void (*)(std::mutex&)> lock_stream{[](std::mutex& mutex) { mutex.lock(); }};

}  // namespace xwalk::hub
