#include "xwalk/io/bytes/remote_source.h"

#include <algorithm>
#include <atomic>
#include <cerrno>
#include <cstring>
#include <deque>
#include <map>
#include <mutex>
#include <sys/mman.h>
#include <thread>
#include <unistd.h>
#include <vector>

#include <fmt/format.h>

#include "xwalk/base/condition.h"
#include "xwalk/base/error.h"
#include "xwalk/io/bytes/file_identity.h"
#include "xwalk/io/bytes/store.h"

namespace xwalk::io {
namespace {

/// Requests under way at a time, besides that of a reader that waits.
constexpr size_t kThreads = 6;
/// Bytes of one request of a short run at most: enough that its way there does not count, and
/// little enough that several share the work.
constexpr uint64_t kPiece = uint64_t{4} << 20;
/// Requests of a long run, each of at most this many bytes: one that fails is repeated.
constexpr uint64_t kRequestsOfRun = 24;
constexpr uint64_t kLongestPiece = uint64_t{64} << 20;
/// Ranges that are closer than this go in one request.
constexpr uint64_t kGap = uint64_t{16} << 10;
/// Bytes of the first request of a reader that looks what the object is.
constexpr uint64_t kHead = uint64_t{16} << 10;
/// An object of this many bytes is fetched at once.
constexpr uint64_t kSmall = uint64_t{64} << 10;
/// Bytes fetched ahead of a reader in order: a few first, since it may want no more.
constexpr uint64_t kFirstAhead = uint64_t{256} << 10;
constexpr uint64_t kMostAhead = uint64_t{16} << 20;

/// Runs of bytes that do not touch each other.
class Runs {
 public:
  void add(uint64_t begin, uint64_t end) {
    if (begin >= end) return;
    auto next = runs_.upper_bound(begin);
    if (next != runs_.begin() && std::prev(next)->second >= begin) {
      --next;
      begin = next->first;
    }
    while (next != runs_.end() && next->first <= end) {
      end = std::max(end, next->second);
      next = runs_.erase(next);
    }
    runs_[begin] = end;
  }
  void remove(uint64_t begin, uint64_t end) {
    auto next = runs_.upper_bound(begin);
    if (next != runs_.begin()) --next;
    while (next != runs_.end() && next->first < end) {
      const auto [from, to] = *next;
      if (to <= begin) {
        ++next;
        continue;
      }
      next = runs_.erase(next);
      if (from < begin) runs_[from] = begin;
      if (to > end) runs_[end] = to;
    }
  }
  /// Calls `take` with each part of a range that is in no run.
  template <typename Take>
  void for_each_gap(uint64_t begin, uint64_t end, Take take) const {
    auto next = runs_.upper_bound(begin);
    if (next != runs_.begin()) begin = std::max(begin, std::prev(next)->second);
    for (; begin < end && next != runs_.end() && next->first < end; ++next) {
      if (begin < next->first) take(begin, next->first);
      begin = std::max(begin, next->second);
    }
    if (begin < end) take(begin, end);
  }
  bool holds(uint64_t begin, uint64_t end) const {
    bool all = true;
    for_each_gap(begin, end, [&](uint64_t, uint64_t) { all = false; });
    return all;
  }
  bool touches(uint64_t begin, uint64_t end) const {
    auto next = runs_.lower_bound(begin);
    if (next != runs_.end() && next->first < end) return true;
    return next != runs_.begin() && std::prev(next)->second > begin;
  }

 private:
  std::map<uint64_t, uint64_t> runs_;  ///< end by begin
};

/// Address space for an object, which takes memory where bytes are put.
class Window {
 public:
  explicit Window(const StoreObject& object) : size_(object.size()) {
    if (size_ == 0) return;
    // guard(allocate): addresses only: memory is taken by the bytes that come.
    void* const at = ::mmap(nullptr, size_, PROT_READ | PROT_WRITE,
                            MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (at == MAP_FAILED) {
      throw Error(
          ErrorCode::Io,
          fmt::format("expected an object that fits in memory addresses, found one of {} bytes: {}",
                      size_, std::strerror(errno)),
          {.file = object.name()});
    }
    data_ = static_cast<char*>(at);
    // A huge page would take memory for bytes that nothing asks for, and keep it.
    (void)::madvise(at, size_, MADV_NOHUGEPAGE);
  }
  ~Window() {
    if (data_ != nullptr) ::munmap(data_, size_);
  }
  Window(const Window&) = delete;
  Window& operator=(const Window&) = delete;

  char* at(uint64_t offset) const { return data_ + offset; }
  std::string_view bytes() const {
    return data_ == nullptr ? std::string_view("") : std::string_view(data_, size_);
  }

 private:
  uint64_t size_;
  char* data_ = nullptr;
};

/// Fetches ranges of an object into its window.
class Fetcher {
 public:
  explicit Fetcher(std::shared_ptr<StoreObject> object)
      : object_(std::move(object)), window_(*object_) {
    const std::string_view head = object_->head();
    if (!head.empty()) std::memcpy(window_.at(0), head.data(), head.size());
    present_.add(0, head.size());
    threads_.reserve(kThreads);
  }
  ~Fetcher() {
    {
      const std::lock_guard guard(mutex_);
      ending_ = true;
      queue_.clear();
    }
    changed_.notify_all();
    for (std::thread& thread : threads_) thread.join();
  }
  Fetcher(const Fetcher&) = delete;
  Fetcher& operator=(const Fetcher&) = delete;

  const Window& window() const { return window_; }

  /// Begins to fetch missing ranges.
  void want(std::span<const ByteRange> ranges) {
    std::unique_lock lock(mutex_);
    plan(ranges);
    if (!queue_.empty()) wake(queue_.size());
  }

  /// Returns when all is there. This thread fetches, too.
  void need(std::span<const ByteRange> ranges) {
    std::unique_lock lock(mutex_);
    while (true) {
      if (holds(ranges)) return;
      // A request that failed for another thread is repeated once. If it fails again, the error is
      // thrown here.
      plan(ranges);
      if (queue_.size() > 1) wake(queue_.size() - 1);
      if (queue_.empty()) {
        changed_.wait(lock);
      } else {
        fetch_next(lock);
      }
    }
  }

  /// Gives memory back; whole pages, inwards.
  void give_back(uint64_t begin, uint64_t end) {
    static const auto page = static_cast<uint64_t>(::sysconf(_SC_PAGESIZE));
    begin = (begin + page - 1) / page * page;
    end = std::min<uint64_t>(end, window_.bytes().size()) / page * page;
    if (begin >= end) return;
    const std::lock_guard guard(mutex_);
    if (pending_.touches(begin, end)) return;
    present_.remove(begin, end);
    (void)::madvise(window_.at(begin), end - begin, MADV_DONTNEED);
  }

 private:
  struct Piece {
    uint64_t begin;
    uint64_t end;
  };

  Piece cut(const ByteRange& range) const {
    const uint64_t size = window_.bytes().size();
    const uint64_t begin = std::min(range.offset, size);
    return {begin, begin + std::min(range.size, size - begin)};
  }

  bool holds(std::span<const ByteRange> ranges) const {
    return std::ranges::all_of(ranges, [&](const ByteRange& range) {
      const Piece piece = cut(range);
      return present_.holds(piece.begin, piece.end);
    });
  }

  /// Queues requests for ranges that are neither available nor requested.
  void plan(std::span<const ByteRange> ranges) {
    std::vector<Piece> gaps;
    for (const ByteRange& range : ranges) {
      const Piece piece = cut(range);
      present_.for_each_gap(piece.begin, piece.end, [&](uint64_t begin, uint64_t end) {
        pending_.for_each_gap(begin, end, [&](uint64_t from, uint64_t to) {
          gaps.push_back({from, to});
        });
      });
    }
    std::ranges::sort(gaps, {}, &Piece::begin);
    std::vector<Piece> joined;
    for (const Piece& gap : gaps) {
      const bool near = !joined.empty() && gap.begin <= joined.back().end + kGap &&
                        !present_.touches(joined.back().end, gap.begin) &&
                        !pending_.touches(joined.back().end, gap.begin);
      if (near) {
        joined.back().end = std::max(joined.back().end, gap.end);
      } else {
        joined.push_back(gap);
      }
    }
    for (const Piece& run : joined) {
      const uint64_t each =
          std::clamp((run.end - run.begin) / kRequestsOfRun, kPiece, kLongestPiece);
      for (uint64_t begin = run.begin; begin < run.end; begin += each) {
        const Piece piece{begin, std::min(begin + each, run.end)};
        queue_.push_back(piece);
        pending_.add(piece.begin, piece.end);
      }
    }
  }

  void wake(size_t count) {
    try {
      while (threads_.size() < std::min(count, kThreads)) {
        threads_.emplace_back([this] { work(); });
      }
    } catch (const std::exception&) {
      // If no more threads can be started, the thread that needs the bytes fetches them.
    }
    changed_.notify_all();
  }

  void work() {
    std::unique_lock lock(mutex_);
    while (!ending_) {
      if (queue_.empty()) {
        changed_.wait(lock);
        continue;
      }
      try {
        fetch_next(lock);
      } catch (const std::exception&) {
        continue;  // the thread that needs the bytes repeats the request and gets the error
      }
    }
  }

  /// Fetches the first piece of the queue, with the lock open meanwhile.
  void fetch_next(std::unique_lock<std::mutex>& lock) {
    const Piece piece = queue_.front();
    queue_.pop_front();
    lock.unlock();
    std::exception_ptr failure;
    try {
      object_->read_at(piece.begin, piece.end - piece.begin, window_.at(piece.begin));
    } catch (...) {
      failure = std::current_exception();
    }
    lock.lock();
    changed_.notify_all();  // first: the next steps may run out of memory, and no thread may wait
                            // forever
    pending_.remove(piece.begin, piece.end);
    if (!failure) present_.add(piece.begin, piece.end);
    if (failure) std::rethrow_exception(failure);
  }

  std::shared_ptr<StoreObject> object_;
  Window window_;
  std::mutex mutex_;
  Condition changed_;
  Runs present_;
  Runs pending_;
  std::deque<Piece> queue_;
  std::vector<std::thread> threads_;
  bool ending_ = false;
};

/// An object as it was when it was opened.
class OriginalObject final : public Original {
 public:
  OriginalObject(std::string uri, StorageOptions storage, std::shared_ptr<StoreObject> object)
      : uri_(std::move(uri)), storage_(std::move(storage)), object_(std::move(object)) {}

  uint64_t size() const override { return object_->size(); }
  std::string read_at(uint64_t offset, uint64_t size) const override {
    // guard(allocate): Callers ask for the first and last bytes of an object, of a fixed number.
    std::string bytes(size, '\0');
    if (size > 0) object_->read_at(offset, size, bytes.data());
    return bytes;
  }
  // Every request for its bytes checks as well, if the store can.
  void check() const override {}
  void check_at_its_place(bool must_answer) const override {
    // Of several that ask because one has failed, the first has waited long enough.
    if (!must_answer && silent_) return;
    Place place;
    place.file = object_->name();
    std::string_view became = "replaced";
    try {
      const StoreObject now(uri_, storage_);
      if (now.size() == object_->size() && now.tag() == object_->tag()) return;
    } catch (const NoSuchObject&) {
      became = "removed";
    } catch (const Error&) {
      if (must_answer) throw;
      silent_ = true;
      return;
    }
    throw Error(ErrorCode::Io, fmt::format("the object was {} while it was read", became),
                std::move(place), "Read it again once nothing writes to it.");
  }

 private:
  std::string uri_;
  StorageOptions storage_;
  std::shared_ptr<StoreObject> object_;
  mutable std::atomic<bool> silent_ = false;
};

class RemoteSource final : public Source {
 public:
  RemoteSource(const std::string& uri, const StorageOptions& storage)
      : object_(std::make_shared<StoreObject>(uri, storage)),
        original_(std::make_shared<OriginalObject>(uri, storage, object_)),
        fetcher_(object_) {}

  const std::string& name() const override { return object_->name(); }
  uint64_t position() const override { return done_; }
  std::optional<uint64_t> size() const override { return object_->size(); }
  std::shared_ptr<const Original> original() const override { return original_; }

  std::optional<std::string_view> window() override { return fetcher_.window().bytes(); }
  void need(std::span<const ByteRange> ranges) override { fetcher_.need(ranges); }
  void want(std::span<const ByteRange> ranges) override { fetcher_.want(ranges); }
  void consumed(uint64_t offset, uint64_t size) override {
    done_ += size;
    fetcher_.give_back(offset, offset + size);
  }

  std::string_view peek(size_t size) override {
    const uint64_t total = object_->size();
    const uint64_t wanted = total <= kSmall ? total : std::max<uint64_t>(size, kHead);
    if (at_ + size > peeked_) {
      const ByteRange head{at_, std::min(wanted, total - at_)};
      fetcher_.need({&head, 1});
      peeked_ = at_ + head.size;
    }
    return fetcher_.window().bytes().substr(at_, size);
  }

  size_t read(char* out, size_t size) override {
    const uint64_t left = object_->size() - at_;
    size = static_cast<size_t>(std::min({uint64_t{size}, left, kPiece}));
    if (size == 0) return 0;
    if (at_ + size > fetched_) {
      ahead_ = std::min(ahead_ * 2, kMostAhead);
      const ByteRange ahead{at_, std::max<uint64_t>(size, ahead_)};
      fetcher_.want({&ahead, 1});
      fetched_ = at_ + ahead_ / 2;  // the other half is in flight while this one is read
    }
    const ByteRange now{at_, size};
    fetcher_.need({&now, 1});
    std::memcpy(out, fetcher_.window().at(at_), size);
    at_ += size;
    done_ += size;
    if (at_ - given_back_ >= kPiece) {
      fetcher_.give_back(given_back_, at_);
      given_back_ = at_;
    }
    return size;
  }

 private:
  std::shared_ptr<StoreObject> object_;
  std::shared_ptr<const OriginalObject> original_;
  Fetcher fetcher_;
  uint64_t at_ = 0;
  uint64_t peeked_ = 0;
  uint64_t fetched_ = 0;
  uint64_t ahead_ = kFirstAhead / 2;
  uint64_t given_back_ = 0;
  std::atomic<uint64_t> done_ = 0;
};

}  // namespace

std::unique_ptr<Source> open_object(const std::string& uri, const StorageOptions& storage) {
  return std::make_unique<RemoteSource>(uri, storage);
}

}  // namespace xwalk::io
