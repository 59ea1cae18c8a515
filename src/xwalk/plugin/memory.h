#pragma once

#include <cstdint>
#include <memory>
#include <string_view>

#include <arrow/memory_pool.h>

namespace xwalk::plugin {

/// Makes a pool for one input that allocates at most so many bytes at a time. It lives until the
/// last of them is freed: arrays outlive their reader.
std::shared_ptr<arrow::MemoryPool> make_limited_pool(int64_t most);

/// Returns where the words of an allocation that such a pool refused begin in a message; npos where
/// they do not stand there.
size_t over_limit(std::string_view message);

}  // namespace xwalk::plugin
