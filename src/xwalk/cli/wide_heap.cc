#include "xwalk/cli/wide_heap.h"

#include <cstdint>
#include <cstdlib>
#include <initializer_list>

#if defined(__linux__) && defined(__GLIBC__)
#include <sys/mman.h>
#endif

namespace xwalk::cli {

void prepare_heap(size_t bytes) {
#if defined(__linux__) && defined(__GLIBC__)
  // At first glibc allocates this much outside the heap. Once it was freed, glibc uses the heap,
  // and keeps it there.
  for (const bool in_heap : {false, true}) {
    // guard(allocate): a fixed size, which the program gives.
    void* const block = std::malloc(bytes);
    if (block == nullptr) return;
    constexpr uintptr_t kHugePage = uintptr_t{2} << 20;
    auto* const end = static_cast<char*>(block) + bytes;
    const uintptr_t past = reinterpret_cast<uintptr_t>(block) % kHugePage;
    auto* const begin = static_cast<char*>(block) + (past == 0 ? 0 : kHugePage - past);
    if (in_heap && begin < end) {
      // On failure, pages are small.
      static_cast<void>(madvise(begin, static_cast<size_t>(end - begin), MADV_HUGEPAGE));
    }
    std::free(block);
  }
#else
  static_cast<void>(bytes);
#endif
}

}  // namespace xwalk::cli
