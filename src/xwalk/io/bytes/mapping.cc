#include "xwalk/io/bytes/mapping.h"

#include <algorithm>
#include <atomic>
#include <cerrno>
#include <csignal>
#include <cstring>
#include <mutex>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>
#include <utility>

#include <fmt/format.h>

#include "xwalk/base/error.h"

namespace xwalk::io {

/// Where a mapping lies. Never freed, as a signal handler goes through the list of them, but used
/// again.
struct Mapping::Range {
  std::atomic<bool> used = true;
  std::atomic<uintptr_t> begin = 0;
  std::atomic<uintptr_t> end = 0;
  std::atomic<bool> lost = false;
  Range* next = nullptr;

  static Range* take();
  static void on_bus_error(int signal, siginfo_t* info, void* context);

  static std::atomic<Range*> first;
  static struct sigaction before;
};

std::atomic<Mapping::Range*> Mapping::Range::first = nullptr;
struct sigaction Mapping::Range::before {};

namespace {

uintptr_t page_size() {
  static const auto size = static_cast<uintptr_t>(::sysconf(_SC_PAGESIZE));
  return size;
}

}  // namespace

void Mapping::Range::on_bus_error(int signal, siginfo_t* info, void* context) {
  const int error = errno;
  const auto address = reinterpret_cast<uintptr_t>(info->si_addr);
  for (Range* range = first.load(); range != nullptr; range = range->next) {
    const uintptr_t end = range->end.load();
    if (address < range->begin.load() || address >= end) continue;
    range->lost.store(true);
    const uintptr_t past_page_start = address % page_size();
    void* const page = static_cast<char*>(info->si_addr) - past_page_start;
    // guard(allocate): zeros in the place of pages that a file has lost, which are mapped already.
    void* const zeros = ::mmap(page, end - address + past_page_start, PROT_READ,
                               MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED, -1, 0);
    if (zeros == MAP_FAILED) break;
    errno = error;
    return;
  }
  errno = error;
  if ((before.sa_flags & SA_SIGINFO) != 0 && before.sa_sigaction != nullptr) {
    before.sa_sigaction(signal, info, context);
  } else if (before.sa_handler != SIG_DFL && before.sa_handler != SIG_IGN) {
    before.sa_handler(signal);
  } else {
    // The access is made again, and ends the process as it would have.
    ::sigaction(signal, &before, nullptr);
  }
}

Mapping::Range* Mapping::Range::take() {
  static std::once_flag taken;
  std::call_once(taken, [] {
    (void)page_size();
    struct sigaction action {};
    action.sa_sigaction = on_bus_error;
    action.sa_flags = SA_SIGINFO | SA_ONSTACK;
    ::sigaction(SIGBUS, &action, &before);
  });
  for (Range* range = first.load(); range != nullptr; range = range->next) {
    if (!range->used.exchange(true)) return range;
  }
  auto* const fresh = new Range;
  fresh->next = first.load();
  while (!first.compare_exchange_weak(fresh->next, fresh)) continue;
  return fresh;
}

Mapping::Mapping(int descriptor, size_t size, std::string name)
    : descriptor_(descriptor), name_(std::move(name)) {
  struct stat status {};
  if (::fstat(descriptor, &status) == 0) written_ = status.st_mtim;
  if (size == 0) return;  // nothing to map, and mmap refuses it
  range_ = Range::take();
  // guard(allocate): as many addresses as the file has bytes. The system takes their memory back.
  void* const mapping = ::mmap(nullptr, size, PROT_READ, MAP_PRIVATE, descriptor, 0);
  if (mapping == MAP_FAILED) {
    const int error = errno;
    range_->used.store(false);
    ::close(descriptor_);
    throw Error(ErrorCode::Io, std::string("cannot map the file: ") + std::strerror(error),
                {.file = name_});
  }
  bytes_ = {static_cast<const char*>(mapping), size};
  const auto begin = reinterpret_cast<uintptr_t>(mapping);
  range_->lost.store(false);
  range_->begin.store(begin);
  range_->end.store(begin + size);
}

Mapping::~Mapping() {
  if (range_ != nullptr) {
    range_->end.store(0);
    ::munmap(const_cast<char*>(bytes_.data()), bytes_.size());
    range_->used.store(false);
  }
  ::close(descriptor_);
}

void Mapping::give_back(uint64_t offset, uint64_t size) const {
  if (range_ == nullptr) return;
  // Whole pages only, inwards.
  offset = std::min<uint64_t>(offset, bytes_.size());
  const uint64_t end = std::min<uint64_t>(offset + size, bytes_.size()) / page_size() * page_size();
  const uint64_t begin = (offset + page_size() - 1) / page_size() * page_size();
  if (begin < end) {
    (void)::madvise(const_cast<char*>(bytes_.data()) + begin, end - begin, MADV_DONTNEED);
  }
}

void Mapping::check() const {
  struct stat now {};
  if (range_ == nullptr || ::fstat(descriptor_, &now) != 0) return;
  const auto size = static_cast<uint64_t>(now.st_size);
  const bool same = size == bytes_.size() && now.st_mtim.tv_sec == written_.tv_sec &&
                    now.st_mtim.tv_nsec == written_.tv_nsec;
  if (same && !range_->lost.load()) return;
  Place place;
  place.file = name_;
  std::string message = "the file was changed while it was read";
  if (size != bytes_.size()) {
    message += fmt::format(": expected {} bytes, found {}", bytes_.size(), size);
    place.byte = std::min(size, uint64_t{bytes_.size()});
  }
  throw Error(ErrorCode::Io, std::move(message), std::move(place),
              "Read it again once nothing writes to it.");
}

}  // namespace xwalk::io
