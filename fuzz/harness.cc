#include "fuzz/harness.h"

#include <atomic>
#include <cstdio>
#include <sanitizer/allocator_interface.h>

#include "xwalk/base/error.h"

namespace xwalk::fuzz {
namespace {

constexpr size_t kNoLimit = SIZE_MAX;

std::atomic<size_t> limit{kNoLimit};

void look_at_allocation(const volatile void*, size_t size) {
  const size_t allowed = limit.load(std::memory_order_relaxed);
  if (size <= allowed) return;
  limit = kNoLimit;
  std::fprintf(stderr, "law broken: %zu bytes at once, where the input allows %zu\n", size,
               allowed);
  std::abort();
}

void look_at_release(const volatile void*) {}

}  // namespace

void require(bool holds, std::string_view law, std::string_view found) {
  if (holds) return;
  limit = kNoLimit;
  std::fprintf(stderr, "law broken: %.*s: %.*s\n", static_cast<int>(law.size()), law.data(),
               static_cast<int>(found.size()), found.data());
  std::abort();
}

Allowance::Allowance(size_t bytes) : limit_(limit.exchange(bytes)) {}
Allowance::~Allowance() { limit = limit_; }

}  // namespace xwalk::fuzz

extern "C" int LLVMFuzzerInitialize(int*, char***) {
  __sanitizer_install_malloc_and_free_hooks(xwalk::fuzz::look_at_allocation,
                                            xwalk::fuzz::look_at_release);
  return 0;
}

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  xwalk::fuzz::limit = 2 * size + xwalk::fuzz::kBeside;
  try {
    xwalk::fuzz::run({static_cast<const char*>(static_cast<const void*>(data)), size});
  } catch (const xwalk::Error& error) {
    xwalk::fuzz::require(false, "no error comes out", error.describe());
  }
  xwalk::fuzz::limit = xwalk::fuzz::kNoLimit;
  return 0;
}
