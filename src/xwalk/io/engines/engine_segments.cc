#include "xwalk/io/engines/engine_segments.h"

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstring>
#include <fcntl.h>
#include <string>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/uio.h>
#include <unistd.h>
#include <utility>

#include <fmt/format.h>

#include "xwalk/base/error.h"

namespace xwalk::io {
namespace {

/// Segments that an engine has at most.
constexpr size_t kMostSegments = 64;

[[noreturn]] void fail(const std::string& what) { throw Error(ErrorCode::Io, what); }

/// A message of the engine: which segment, and how many bytes are in it. A new segment comes with
/// its descriptor.
struct Message {
  uint64_t index = 0;
  uint64_t length = 0;
};

struct Descriptor {
  int value = -1;
  explicit Descriptor(int descriptor) : value(descriptor) {}
  ~Descriptor() {
    if (value >= 0) ::close(value);
  }
  Descriptor(const Descriptor&) = delete;
  Descriptor& operator=(const Descriptor&) = delete;
};

}  // namespace

struct EngineSegments::Mapping {
  Descriptor descriptor;
  const uint8_t* data = nullptr;
  size_t size = 0;

  /// Takes over the descriptor.
  explicit Mapping(int memfd) : descriptor(memfd) {
    struct stat status {};
    const int seals = ::fcntl(memfd, F_GET_SEALS);
    if (seals < 0 || (seals & F_SEAL_SHRINK) == 0 || ::fstat(memfd, &status) != 0) {
      fail("expected shared memory that cannot be cut from the engine, found other");
    }
    size = static_cast<size_t>(status.st_size);
    if (size == 0) return;
    // guard(allocate): addresses of memory that the engine has and cannot cut.
    void* mapped = ::mmap(nullptr, size, PROT_READ, MAP_SHARED, memfd, 0);
    if (mapped == MAP_FAILED) {
      fail(fmt::format("cannot map the engine's rows: {}", std::strerror(errno)));
    }
    data = static_cast<const uint8_t*>(mapped);
  }
  ~Mapping() {
    if (data != nullptr) ::munmap(const_cast<uint8_t*>(data), size);
  }
  Mapping(const Mapping&) = delete;
  Mapping& operator=(const Mapping&) = delete;
};

EngineSegments::EngineSegments(int socket, std::function<bool(int socket)> wait)
    : socket_(socket), wait_(std::move(wait)) {}

EngineSegments::~EngineSegments() {
  if (socket_ >= 0) ::close(socket_);
}

size_t EngineSegments::read(void* out, size_t size) {
  while (at_ == length_) {
    if (!next()) return 0;
  }
  const size_t count = std::min(size, length_ - at_);
  std::memcpy(out, mappings_[*current_]->data + at_, count);
  at_ += count;
  return count;
}

void EngineSegments::give_back() {
  if (!current_) return;
  const uint64_t index = *std::exchange(current_, std::nullopt);
  // An engine that is gone needs no answer.
  (void)::send(socket_, &index, sizeof index, MSG_NOSIGNAL | MSG_DONTWAIT);
}

bool EngineSegments::next() {
  give_back();
  at_ = length_ = 0;
  while (!ended_) {
    Message message;
    iovec bytes{&message, sizeof message};
    alignas(cmsghdr) std::array<char, CMSG_SPACE(sizeof(int))> control{};
    msghdr header{};
    header.msg_iov = &bytes;
    header.msg_iovlen = 1;
    header.msg_control = control.data();
    header.msg_controllen = CMSG_LEN(sizeof(int));  // room for no second one
    const ssize_t got = ::recvmsg(socket_, &header, MSG_DONTWAIT | MSG_CMSG_CLOEXEC);
    // An engine that ends before it has read every returned segment resets the connection. The
    // reset is reported once, before the messages that were sent earlier and must still be read.
    if (got < 0 && (errno == EINTR || errno == ECONNRESET)) continue;
    if (got < 0 && (errno == EAGAIN || errno == EWOULDBLOCK)) {
      if (!wait_(socket_)) ended_ = true;
      continue;
    }
    int descriptor = -1;
    const cmsghdr* sent = got < 0 ? nullptr : CMSG_FIRSTHDR(&header);
    if (sent != nullptr && sent->cmsg_level == SOL_SOCKET && sent->cmsg_type == SCM_RIGHTS &&
        sent->cmsg_len == CMSG_LEN(sizeof descriptor)) {
      std::memcpy(&descriptor, CMSG_DATA(sent), sizeof descriptor);
    }
    // The code that waits for the program reports an exit without a message.
    if (got <= 0) {
      ended_ = true;
      break;
    }
    if (got != sizeof message) {
      const Descriptor unused(descriptor);
      fail(fmt::format("expected a message of {} bytes from the engine, found {}", sizeof message,
                       got));
    }
    take(message.index, message.length, descriptor);
    return true;
  }
  return false;
}

void EngineSegments::take(uint64_t index, uint64_t length, int descriptor) {
  if (descriptor >= 0) {
    auto mapping = std::make_unique<const Mapping>(descriptor);
    if (index != mappings_.size() || index >= kMostSegments) {
      fail(fmt::format("expected segment {} from the engine, found {}", mappings_.size(), index));
    }
    mappings_.push_back(std::move(mapping));
  }
  if (length == 0) fail("expected bytes in a segment of the engine, found none");
  if (index >= mappings_.size()) {
    fail(fmt::format("expected one of {} segments from the engine, found number {}",
                     mappings_.size(), index));
  }
  std::unique_ptr<const Mapping>& mapping = mappings_[index];
  if (length > mapping->size) {
    // It may have grown since.
    const int again = ::fcntl(mapping->descriptor.value, F_DUPFD_CLOEXEC, 0);
    if (again < 0) fail(fmt::format("cannot map the engine's rows: {}", std::strerror(errno)));
    mapping = std::make_unique<const Mapping>(again);
  }
  if (length > mapping->size) {
    fail(fmt::format("expected {} bytes in a segment of the engine, found {}", length,
                     mapping->size));
  }
  current_ = index;
  length_ = length;
}

}  // namespace xwalk::io
