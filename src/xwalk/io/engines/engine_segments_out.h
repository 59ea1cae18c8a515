#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <vector>

#include "xwalk/io/engines/ipc_stream.h"

namespace xwalk::io {

/// Messages that an engine takes out of segments of memory which it shares: memfds that go to it
/// over a socket, and are used again once it needs them no more. Methods throw Error (Io), also if
/// the engine takes no more of them.
class EngineSegmentsOut final : public MessageSpace {
 public:
  /// `socket` is a descriptor, to be closed here; `wait` returns true when there is something to
  /// be received, false when nothing comes any more.
  EngineSegmentsOut(int socket, std::function<bool(int socket)> wait);
  ~EngineSegmentsOut() override;
  EngineSegmentsOut(const EngineSegmentsOut&) = delete;
  EngineSegmentsOut& operator=(const EngineSegmentsOut&) = delete;

  uint8_t* begin(size_t size) override;
  void send(size_t from, size_t to) override;
  /// Announces the end of the messages.
  void finish();
  /// Returns how many bytes were sent.
  uint64_t bytes() const { return bytes_; }

 private:
  struct Segment;

  /// Takes the segments that the engine returns; false if it has sent nothing.
  bool take_returned();
  /// Returns a segment that the engine does not hold, or null if no more may be made for now.
  Segment* free_segment(size_t size);

  int socket_;
  std::function<bool(int)> wait_;
  std::vector<std::unique_ptr<Segment>> segments_;
  Segment* current_ = nullptr;
  uint64_t bytes_ = 0;
};

}  // namespace xwalk::io
