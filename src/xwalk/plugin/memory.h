#pragma once

#include <cstdint>
#include <memory>
#include <string_view>

#include <arrow/memory_pool.h>

namespace xwalk::plugin {

/// Makes a pool for one input that holds at most this many bytes at a time. It lives until the last
/// of them is freed: arrays outlive their reader.
std::shared_ptr<arrow::MemoryPool> make_limited_pool(int64_t most);

/// Returns the position in a message of the text about an allocation that a limited pool refused;
/// npos if it is not in the message.
size_t over_limit(std::string_view message);

}  // namespace xwalk::plugin
