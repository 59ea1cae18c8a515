#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "xwalk/hub/batch.h"

namespace xwalk::hub {

/// Removes the bad rows of a batch from all columns at once, and appends them to `dropped` (which
/// may be null) with their place's row set to the row of the whole input. A batch without bad rows
/// comes back as it is, not copied. Works for every type; layouts stay.
Batch drop_bad_rows(Batch batch, const Schema& schema, std::vector<BadRow>* dropped);

/// Turns the indices of rows among those that were left by `dropped` into those of the batch.
void count_dropped(std::span<const BadRow> dropped, std::vector<BadRow>* rows);

/// Returns rows [offset, offset + length) of a batch without copying values; bad rows move with
/// them.
Batch slice(Batch batch, int64_t offset, int64_t length);

/// Copies rows of a batch by index. The indices must ascend if the batch has controls. The batch
/// must have no bad rows.
Batch take_rows(const Batch& batch, const Schema& schema, std::span<const int64_t> rows);

/// Cuts a batch into batches of at most `rows` rows, without a copy.
std::vector<Batch> slices(Batch batch, int64_t rows);

}  // namespace xwalk::hub
