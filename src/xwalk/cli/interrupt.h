#pragma once

#include <atomic>

namespace xwalk::cli {

/// Makes SIGINT and SIGTERM set `interrupted`; a second one ends the program at once.
void catch_interrupts();

/// True once the person asked to stop.
const std::atomic<bool>& interrupted();

}  // namespace xwalk::cli
