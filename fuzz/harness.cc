#include "fuzz/harness.h"

#include <algorithm>
#include <atomic>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <malloc.h>
#include <new>

#include "xwalk/base/error.h"
#include "xwalk/base/schema_memory.h"

// The address sanitizer reports every allocation. Without it, the linker redirects C's allocations
// here (`--wrap`, fuzz/CMakeLists.txt), and C++'s operators are replaced here.
#ifdef __has_feature
#if __has_feature(address_sanitizer)
#define __SANITIZE_ADDRESS__ 1
#endif
#endif
#ifdef __SANITIZE_ADDRESS__
// Of the sanitizers' <sanitizer/allocator_interface.h>, which GCC does not install.
extern "C" size_t __sanitizer_get_allocated_size(const volatile void* memory);
extern "C" int __sanitizer_install_malloc_and_free_hooks(void (*on_allocation)(const volatile void*,
                                                                               size_t),
                                                         void (*on_release)(const volatile void*));
#define XWALK_FUZZ_HOOKS 1
#else
#define XWALK_FUZZ_HOOKS 0
#endif

namespace xwalk::fuzz {
namespace {

constexpr size_t kNoLimit = SIZE_MAX;

/// Returns how many bytes an allocation has.
size_t size_of(const volatile void* memory) {
#if XWALK_FUZZ_HOOKS
  return __sanitizer_get_allocated_size(memory);
#else
  return malloc_usable_size(const_cast<void*>(memory));
#endif
}

std::atomic<size_t> limit{kNoLimit};

/// Bytes that are allocated since a MemoryTotal began, and how many may be.
std::atomic<int64_t> total{0};
std::atomic<int64_t> total_limit{INT64_MAX};

void look_at_total(const volatile void* memory) {
  const int64_t most = total_limit.load(std::memory_order_relaxed);
  if (most == INT64_MAX || memory == nullptr) return;
  const int64_t now = total += static_cast<int64_t>(size_of(memory));
  if (now <= most) return;
  total_limit = INT64_MAX;
  std::fprintf(stderr, "law broken: %lld bytes in all, the input allows %lld\n",
               static_cast<long long>(now), static_cast<long long>(most));
  std::abort();
}

void look_at_release(const volatile void* memory) {
  if (total_limit.load(std::memory_order_relaxed) == INT64_MAX || memory == nullptr) return;
  total -= static_cast<int64_t>(size_of(memory));
}

void look_at_allocation(size_t size) {
  const size_t allowed = limit.load(std::memory_order_relaxed);
  if (size <= allowed) return;
  limit = kNoLimit;
  std::fprintf(stderr, "law broken: %zu bytes at once, the input allows %zu\n", size, allowed);
  std::abort();
}

#if XWALK_FUZZ_HOOKS
void told_of_allocation(const volatile void* memory, size_t size) {
  look_at_allocation(size);
  look_at_total(memory);
}
void told_of_release(const volatile void* memory) { look_at_release(memory); }
#endif

}  // namespace

void count_allocations() {
#if XWALK_FUZZ_HOOKS
  __sanitizer_install_malloc_and_free_hooks(told_of_allocation, told_of_release);
#endif
}

void check_input(void (*run)(std::string_view), std::string_view bytes) {
  limit = 2 * bytes.size() + kBeside;
  try {
    run(bytes);
  } catch (const Error& error) {
    require(false, "no error comes out", error.describe());
  }
  limit = kNoLimit;
}

void require(bool holds, const char* file, int line) {
  if (holds) return;
  limit = kNoLimit;
  std::fprintf(stderr, "law broken: %s:%d\n", file, line);
  std::abort();
}

void require(bool holds, std::string_view law, std::string_view found) {
  if (holds) return;
  limit = kNoLimit;
  std::fprintf(stderr, "law broken: %.*s: %.*s\n", static_cast<int>(law.size()), law.data(),
               static_cast<int>(found.size()), found.data());
  std::abort();
}

void require_refusal(const Error& error, std::initializer_list<ErrorCode> codes) {
  require(codes.size() == 0 ? error.code() != ErrorCode::Internal
                            : std::ranges::find(codes, error.code()) != codes.end(),
          "a refusal is no bug", error.describe());
}

Allowance::Allowance(size_t bytes) : limit_(limit.exchange(bytes)) {}
Allowance::~Allowance() { limit = limit_; }

MemoryTotal::MemoryTotal(size_t bytes, size_t beside) {
  total = 0;
  total_limit = static_cast<int64_t>(kSchemaExpansion * bytes + beside);
}
MemoryTotal::~MemoryTotal() { total_limit = INT64_MAX; }

}  // namespace xwalk::fuzz

#if !XWALK_FUZZ_HOOKS

// NOLINTBEGIN(bugprone-reserved-identifier): the linker's names.
extern "C" void* __real_malloc(size_t size);
extern "C" void* __real_calloc(size_t count, size_t size);
extern "C" void* __real_realloc(void* memory, size_t size);

extern "C" void __real_free(void* memory);

extern "C" void* __wrap_malloc(size_t size) {
  xwalk::fuzz::look_at_allocation(size);
  void* memory = __real_malloc(size);
  xwalk::fuzz::look_at_total(memory);
  return memory;
}

extern "C" void __wrap_free(void* memory) {
  xwalk::fuzz::look_at_release(memory);
  __real_free(memory);
}

extern "C" void* __wrap_calloc(size_t count, size_t size) {
  size_t bytes = 0;
  xwalk::fuzz::look_at_allocation(__builtin_mul_overflow(count, size, &bytes) ? SIZE_MAX : bytes);
  void* memory = __real_calloc(count, size);
  xwalk::fuzz::look_at_total(memory);
  return memory;
}

extern "C" void* __wrap_realloc(void* memory, size_t size) {
  xwalk::fuzz::look_at_allocation(size);
  xwalk::fuzz::look_at_release(memory);
  void* moved = __real_realloc(memory, size);
  xwalk::fuzz::look_at_total(moved);
  return moved;
}
// NOLINTEND(bugprone-reserved-identifier)

void* operator new(size_t size) {
  if (void* memory = std::malloc(size == 0 ? 1 : size)) return memory;
  throw std::bad_alloc();
}

void operator delete(void* memory) noexcept { std::free(memory); }
void operator delete(void* memory, size_t) noexcept { std::free(memory); }

#endif
