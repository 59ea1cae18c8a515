#pragma once

#include <cstdint>
#include <memory>

#include "xwalk/hub/batch.h"
#include "xwalk/io/rows/piece_reader.h"

namespace xwalk::io {

/// Wraps a reader whose batches may share values, as those of dictionaries, runs and views are:
/// each is divided such that its rows take a part of `memory` bytes once they are plain. Throws
/// Error (Input) for a row that takes more than all.
std::unique_ptr<hub::BatchReader> divide_batches(std::unique_ptr<hub::BatchReader> reader,
                                                 uint64_t memory);

/// Wraps a reader so that the values of a piece take at most `memory` bytes while they are decoded.
/// Throws Error (Input) for those that take more. Threads that decode its pieces know the limit,
/// see `batch_memory_limit`.
std::unique_ptr<SplitReader> limit_memory(std::unique_ptr<SplitReader> reader, uint64_t memory);

}  // namespace xwalk::io
