#include "xwalk/plugin/memory.h"

#include <mutex>
#include <utility>

namespace xwalk::plugin {
namespace {

/// The input's share of the process's pool, and its limit.
struct LimitedPool {
  explicit LimitedPool(int64_t most) : share(arrow::default_memory_pool()), limited(&share, most) {}

  arrow::ProxyMemoryPool share;
  arrow::CappedMemoryPool limited;
  /// The next of those that were left.
  std::unique_ptr<LimitedPool> next;
};

/// Pools whose readers are gone, while arrays may still use them.
struct Left {
  std::mutex mutex;
  std::unique_ptr<LimitedPool> first;
};

Left& left() {
  // Never destroyed: arrays may be freed after everything else.
  static auto* const all = new Left();  // NOLINT(cppcoreguidelines-owning-memory)
  return *all;
}

/// Called where readers are destroyed, also because memory ran out: allocates nothing.
void leave(LimitedPool* pool) {
  std::lock_guard lock(left().mutex);
  pool->next = std::move(left().first);
  left().first.reset(pool);
  for (auto* place = &left().first; *place != nullptr;) {
    if ((*place)->share.bytes_allocated() == 0) {
      *place = std::move((*place)->next);
    } else {
      place = &(*place)->next;
    }
  }
}

}  // namespace

std::shared_ptr<arrow::MemoryPool> make_limited_pool(int64_t most) {
  (void)left();  // created now, because later uses must not fail
  const std::shared_ptr<LimitedPool> pool(new LimitedPool(most), leave);
  return {pool, &pool->limited};
}

size_t over_limit(std::string_view message) {
  return message.find("MemoryPool bytes_allocated cap exceeded");
}

}  // namespace xwalk::plugin
