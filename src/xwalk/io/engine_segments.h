#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <vector>

#include "xwalk/io/ipc_stream.h"

namespace xwalk::io {

/// Rows that an engine writes into segments of memory which it shares: memfds that come over a
/// socket and are used again once they are let go. The bytes of all that come in one stream; what
/// is whole in a segment is lent, as long as not much is. Methods throw Error (Io) for segments
/// that could be cut off under whoever reads them, or are shorter than what is said to be in them.
class EngineSegments {
 public:
  /// `socket` is a descriptor, to be closed here; `wait` returns true when there is something to
  /// be received, false when nothing comes any more.
  EngineSegments(int socket, std::function<bool(int socket)> wait);
  ~EngineSegments();
  EngineSegments(const EngineSegments&) = delete;
  EngineSegments& operator=(const EngineSegments&) = delete;

  /// Copies up to `size` of the next bytes; returns how many, 0 at the end.
  size_t read(void* out, size_t size);
  /// Lends the next `size` bytes: until the owner is gone the engine leaves them alone. Returns
  /// null where they are to be copied.
  Lent lend(size_t size);

 private:
  struct Mapping;
  struct Shared;
  struct Lease;

  /// Waits for the next segment; false at the end.
  bool next();
  void take(uint64_t index, uint64_t length, int descriptor);

  std::shared_ptr<Shared> shared_;
  std::function<bool(int)> wait_;
  std::vector<std::shared_ptr<const Mapping>> mappings_;
  std::shared_ptr<const Lease> current_;
  size_t at_ = 0;
  size_t length_ = 0;
  bool ended_ = false;
};

}  // namespace xwalk::io
