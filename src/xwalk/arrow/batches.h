#pragma once

#include <cstdint>
#include <functional>
#include <string_view>

#include "xwalk/hub/facts.h"

namespace xwalk::arrow {

/// Returns what the messages of an IPC file or stream say of its rows: batches, their rows and
/// compression, and the nulls of columns. Bodies are passed over. `need` fetches a range of the
/// bytes. Throws Error (Input) with the byte for malformed messages.
hub::FileFacts facts_of(std::string_view contents,
                        const std::function<void(uint64_t offset, uint64_t size)>& need);

}  // namespace xwalk::arrow
