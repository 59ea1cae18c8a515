#pragma once

#include <algorithm>
#include <cstdint>
#include <string>

#include "xwalk/base/error.h"
#include "xwalk/base/limits.h"

namespace xwalk {

/// Bytes that the values of one batch may take while they are decoded, for a memory limit.
constexpr uint64_t decoded_bytes(uint64_t memory) {
  return std::max(memory, uint64_t{8} * limits::kBatchBytes);
}

/// Bytes that a thread may take to cast and encode the rows of one batch before it divides them.
/// Those of all threads and the batches that wait are within the limit. Usual batches are not
/// divided, however many threads there are.
constexpr uint64_t divided_bytes(uint64_t memory, uint64_t threads) {
  return std::max(memory / (4 * threads),
                  std::min(memory / 16, uint64_t{16} * limits::kBatchBytes));
}

/// Bytes of one batch for a memory limit: casts and encoded rows take several times as much.
constexpr int64_t batch_bytes(uint64_t memory) {
  constexpr uint64_t kLeast = uint64_t{1} << 20;
  return static_cast<int64_t>(
      std::min(uint64_t{limits::kBatchBytes}, std::max(memory / 64, kLeast)));
}

/// What happens if the rows of a batch need more memory than they may take.
enum class WhenFull : uint8_t {
  /// BatchTooLarge is thrown: fewer rows need less.
  Split,
  /// Error (Input) is thrown.
  Fail,
};

/// Not derived from Error: the rows are not at fault, so that code which rejects rows must not see
/// it.
struct BatchTooLarge {};

namespace detail {

struct BatchMemory {
  uint64_t left = UINT64_MAX;
  uint64_t limit = UINT64_MAX;
  WhenFull when_full = WhenFull::Fail;
};

inline constinit thread_local BatchMemory batch_memory;
inline constinit thread_local uint64_t batch_memory_limit = limits::kMemory;

[[noreturn, gnu::cold, gnu::noinline]] inline void refuse_batch_memory() {
  // NOLINTNEXTLINE(bugprone-std-exception-baseclass): no handler of errors may catch it
  if (batch_memory.when_full == WhenFull::Split) throw BatchTooLarge();
  throw Error(ErrorCode::Input,
              "expected rows that take at most " + std::to_string(batch_memory.limit) +
                  " bytes of memory at a time, found more",
              {}, "`max_memory` raises the limit.");
}

}  // namespace detail

/// Limits the memory that this thread allocates for the values of one batch until the scope ends:
/// columns and encoded rows of any type. Memory that is freed meanwhile counts too. Scopes within
/// others have a limit of their own.
class BatchMemoryScope {
 public:
  BatchMemoryScope(uint64_t bytes, WhenFull when_full) : before_(detail::batch_memory) {
    detail::batch_memory = {bytes, bytes, when_full};
  }
  ~BatchMemoryScope() { detail::batch_memory = before_; }
  BatchMemoryScope(const BatchMemoryScope&) = delete;
  BatchMemoryScope& operator=(const BatchMemoryScope&) = delete;

 private:
  detail::BatchMemory before_;
};

/// Sets and returns the memory limit, `max_memory`, of the rows that this thread decoded last:
/// code that casts and encodes them is bound by it.
inline void set_batch_memory_limit(uint64_t memory) { detail::batch_memory_limit = memory; }
inline uint64_t batch_memory_limit() { return detail::batch_memory_limit; }

/// Takes bytes for values of the batch, before they are allocated. Throws what the scope of this
/// thread says if none are left.
inline void take_batch_memory(uint64_t bytes) {
  if (bytes > detail::batch_memory.left) [[unlikely]]
    detail::refuse_batch_memory();
  detail::batch_memory.left -= bytes;
}

}  // namespace xwalk
