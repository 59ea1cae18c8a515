#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <vector>

namespace xwalk::io {

/// Rows that an engine writes into segments of memory which it shares: memfds that come over a
/// socket and are used again after their bytes were copied. The bytes of all come in one stream.
/// They are copied because the engine could change the shared ones after they were checked. Methods
/// throw Error (Io) for segments that could be cut off during a read, or are shorter than their
/// message says.
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

 private:
  struct Mapping;

  /// Waits for the next segment; false at the end.
  bool next();
  /// Gives the current segment back to the engine, if there is one.
  void give_back();
  void take(uint64_t index, uint64_t length, int descriptor);

  int socket_;
  std::function<bool(int)> wait_;
  std::vector<std::unique_ptr<const Mapping>> mappings_;
  /// The segment that is read.
  std::optional<uint64_t> current_;
  size_t at_ = 0;
  size_t length_ = 0;
  bool ended_ = false;
};

}  // namespace xwalk::io
