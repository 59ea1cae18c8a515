#include "xwalk/plugin/memory.h"

#include <algorithm>
#include <list>
#include <mutex>

namespace xwalk::plugin {
namespace {

/// The input's share of the process's pool, and its limit.
struct LimitedPool {
  explicit LimitedPool(int64_t most) : share(arrow::default_memory_pool()), limited(&share, most) {}

  arrow::ProxyMemoryPool share;
  arrow::CappedMemoryPool limited;
};

/// Pools whose readers are gone, while arrays may still lie in them.
struct Left {
  std::mutex mutex;
  std::list<std::unique_ptr<LimitedPool>> pools;
};

Left& left() {
  // Never destroyed: arrays may be freed after everything else.
  static auto* const all = new Left();  // NOLINT(cppcoreguidelines-owning-memory)
  return *all;
}

void leave(LimitedPool* pool) {
  std::lock_guard lock(left().mutex);
  left().pools.emplace_back(pool);
  left().pools.remove_if([](const auto& one) { return one->share.bytes_allocated() == 0; });
}

}  // namespace

std::shared_ptr<arrow::MemoryPool> make_limited_pool(int64_t most) {
  const std::shared_ptr<LimitedPool> pool(new LimitedPool(most), leave);
  return {pool, &pool->limited};
}

size_t over_limit(std::string_view message) {
  return message.find("MemoryPool bytes_allocated cap exceeded");
}

}  // namespace xwalk::plugin
