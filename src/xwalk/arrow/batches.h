#pragma once

#include <cstdint>
#include <functional>
#include <string_view>

#include "xwalk/hub/facts.h"

namespace xwalk::arrow {

/// Returns the facts in the messages of an IPC file or stream about its rows: batches, their rows
/// and compression, and the nulls of columns. Bodies are skipped. `need` fetches a range of the
/// bytes. Throws Error (Input) with the byte for malformed messages.
hub::FileFacts facts_of(std::string_view contents,
                        const std::function<void(uint64_t offset, uint64_t size)>& need);

}  // namespace xwalk::arrow
