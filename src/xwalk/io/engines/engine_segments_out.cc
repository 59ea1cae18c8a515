#include "xwalk/io/engines/engine_segments_out.h"

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstring>
#include <fcntl.h>
#include <string>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/uio.h>
#include <unistd.h>
#include <utility>

#include <fmt/format.h>

#include "xwalk/base/error.h"

namespace xwalk::io {
namespace {

/// Maximum number of segments: one is written, one read, and two are between.
constexpr size_t kMostOwnSegments = 4;
/// Maximum bytes that the engine holds, except if a single message has more.
constexpr size_t kSharedBytes = size_t{64} << 20;
/// Segments grow by whole pieces, so that few messages need a larger one than those before.
constexpr size_t kPiece = size_t{256} << 10;

[[noreturn]] void fail_with_errno(const char* what) {
  throw Error(ErrorCode::Io, fmt::format("{}: {}", what, std::strerror(errno)));
}

[[noreturn]] void stopped_taking() { throw Error(ErrorCode::Io, "the engine stopped taking rows"); }

/// Which segment, and where the message in it begins and ends. A new segment comes with its
/// descriptor.
struct OwnMessage {
  uint64_t index = 0;
  uint64_t from = 0;
  uint64_t to = 0;
};

}  // namespace

struct EngineSegmentsOut::Segment {
  uint64_t index;
  int descriptor = -1;
  uint8_t* data = nullptr;
  size_t size = 0;
  bool is_away = false;
  bool is_known = false;  ///< whether the engine has its descriptor

  explicit Segment(uint64_t number) : index(number) {
    descriptor = ::memfd_create("xwalk-rows", MFD_CLOEXEC | MFD_ALLOW_SEALING);
    // It must not shrink while a process writes to it.
    if (descriptor < 0 || ::fcntl(descriptor, F_ADD_SEALS, F_SEAL_SHRINK) != 0) {
      const int failure = errno;
      close();
      errno = failure;
      fail_with_errno("cannot make shared memory");
    }
  }
  ~Segment() { close(); }
  Segment(const Segment&) = delete;
  Segment& operator=(const Segment&) = delete;

  void grow(size_t wanted) {
    if (wanted <= size) return;
    wanted = (wanted + kPiece - 1) / kPiece * kPiece;
    if (::ftruncate(descriptor, static_cast<off_t>(wanted)) != 0) {
      fail_with_errno("cannot make shared memory larger");
    }
    // guard(allocate): for a batch that is in memory already.
    void* const mapped =
        data == nullptr ? ::mmap(nullptr, wanted, PROT_READ | PROT_WRITE, MAP_SHARED, descriptor, 0)
                        : ::mremap(data, size, wanted, MREMAP_MAYMOVE);
    if (mapped == MAP_FAILED) fail_with_errno("cannot map shared memory");
    data = static_cast<uint8_t*>(mapped);
    size = wanted;
  }

 private:
  void close() const {
    if (data != nullptr) ::munmap(data, size);
    if (descriptor >= 0) ::close(descriptor);
  }
};

EngineSegmentsOut::EngineSegmentsOut(int socket, std::function<bool(int socket)> wait)
    : socket_(socket), wait_(std::move(wait)) {}

EngineSegmentsOut::~EngineSegmentsOut() { ::close(socket_); }

bool EngineSegmentsOut::take_returned() {
  uint64_t index = 0;
  ssize_t got = 0;
  do {
    got = ::recv(socket_, &index, sizeof index, MSG_DONTWAIT | MSG_TRUNC);
  } while (got < 0 && errno == EINTR);
  if (got < 0 && (errno == EAGAIN || errno == EWOULDBLOCK)) return false;
  // An engine that ends with messages untaken resets the connection.
  if (got == 0 || (got < 0 && errno == ECONNRESET)) stopped_taking();
  if (got < 0) fail_with_errno("cannot receive from the engine");
  if (got != sizeof index || index >= segments_.size() || !segments_[index]->is_away) {
    throw Error(ErrorCode::Io,
                fmt::format("expected the number of a segment that the engine has, found {}",
                            got == sizeof index ? fmt::format("{}", index)
                                                : fmt::format("a message of {} bytes", got)));
  }
  segments_[index]->is_away = false;
  return true;
}

EngineSegmentsOut::Segment* EngineSegmentsOut::free_segment(size_t size) {
  size_t away = 0;
  Segment* largest = nullptr;
  for (const auto& segment : segments_) {
    if (segment->is_away) {
      away += segment->size;
    } else if (largest == nullptr || segment->size > largest->size) {
      // The largest, so that few are large.
      largest = segment.get();
    }
  }
  if (away > 0 && away + size > kSharedBytes) return nullptr;
  if (largest != nullptr || segments_.size() == kMostOwnSegments) return largest;
  return segments_.emplace_back(std::make_unique<Segment>(segments_.size())).get();
}

uint8_t* EngineSegmentsOut::begin(size_t size) {
  while (take_returned()) continue;
  while ((current_ = free_segment(size)) == nullptr) {
    if (!take_returned() && !wait_(socket_)) stopped_taking();
  }
  current_->grow(size);
  return current_->data;
}

void EngineSegmentsOut::send(size_t from, size_t to) {
  OwnMessage message{current_->index, from, to};
  iovec bytes{&message, sizeof message};
  alignas(cmsghdr) std::array<char, CMSG_SPACE(sizeof(int))> control{};
  msghdr header{};
  header.msg_iov = &bytes;
  header.msg_iovlen = 1;
  if (!current_->is_known) {
    header.msg_control = control.data();
    header.msg_controllen = control.size();
    cmsghdr* const with = CMSG_FIRSTHDR(&header);
    with->cmsg_level = SOL_SOCKET;
    with->cmsg_type = SCM_RIGHTS;
    with->cmsg_len = CMSG_LEN(sizeof(int));
    std::memcpy(CMSG_DATA(with), &current_->descriptor, sizeof(int));
  }
  ssize_t sent = 0;
  do {
    // A message of a few bytes for each segment that is away always has room.
    sent = ::sendmsg(socket_, &header, MSG_NOSIGNAL);
  } while (sent < 0 && errno == EINTR);
  if (sent != sizeof message) {
    if (sent < 0 && (errno == EPIPE || errno == ECONNRESET)) stopped_taking();
    fail_with_errno("cannot send rows to the engine");
  }
  current_->is_away = current_->is_known = true;
  bytes_ += to - from;
}

void EngineSegmentsOut::finish() { (void)::shutdown(socket_, SHUT_WR); }

}  // namespace xwalk::io
