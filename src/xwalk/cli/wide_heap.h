#pragma once

#include <cstddef>

namespace xwalk::cli {

/// Prepares the heap for this many bytes, less than 32 MiB, that the program is about to need: if
/// the system has huge pages on request, page faults are a thousand times rarer.
void prepare_heap(size_t bytes);

}  // namespace xwalk::cli
