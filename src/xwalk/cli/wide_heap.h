#pragma once

#include <cstddef>

namespace xwalk::cli {

/// Prepares the heap for so many bytes, less than 32 MiB, that the program is about to need: where
/// the system has huge pages for those who ask, they are touched a thousand times less often.
void prepare_heap(size_t bytes);

}  // namespace xwalk::cli
