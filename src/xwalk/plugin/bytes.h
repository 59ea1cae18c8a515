#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <mutex>
#include <utility>
#include <vector>

#include <arrow/buffer.h>
#include <arrow/io/interfaces.h>
#include <arrow/io/memory.h>

#include "xwalk/io/plugins/engine_abi.h"

namespace xwalk::plugin {

/// Owns the host's source; shared by the reader and by every buffer that points into it.
class SourceOwner {
 public:
  /// Takes over the struct.
  explicit SourceOwner(XwalkEngineSource* source) : source_(*source) { *source = {}; }
  ~SourceOwner() {
    if (source_.release != nullptr) source_.release(&source_);
  }
  SourceOwner(const SourceOwner&) = delete;
  SourceOwner& operator=(const SourceOwner&) = delete;

  bool in_memory() const { return source_.data != nullptr; }
  /// Returns whether bytes can be read at any place.
  bool reads_anywhere() const { return in_memory() || source_.read_at != nullptr; }
  bool read_at(int64_t offset, int64_t size, void* out);
  /// Has the bytes of some ranges fetched `window` bytes ahead of their readers, and given back as
  /// soon as they were read; no ranges end that. Not while others read.
  void fetch_ahead(std::vector<std::pair<int64_t, int64_t>> ranges, int64_t window);
  /// Begins to fetch ranges, pairs of offset and size, of contents that are not in memory.
  void want(const std::vector<uint64_t>& ranges) {
    if (source_.want != nullptr && !ranges.empty()) {
      source_.want(&source_, ranges.data(), ranges.size() / 2);
    }
  }
  int64_t read(void* out, int64_t size) {
    return source_.read(&source_, out, static_cast<uint64_t>(size));
  }
  void consumed(int64_t offset, int64_t size) {
    if (source_.consumed != nullptr && size > 0) {
      source_.consumed(&source_, static_cast<uint64_t>(offset), static_cast<uint64_t>(size));
    }
  }
  const XwalkEngineSource& get() const { return source_; }

 private:
  XwalkEngineSource source_;
  /// End by begin.
  std::map<int64_t, int64_t> ranges_;
  int64_t window_ = 1;
};

/// Returns the contents as a file; buffers read from it are slices that keep the source alive, or
/// copies if the contents are not in memory.
std::shared_ptr<arrow::io::RandomAccessFile> open_contents(
    const std::shared_ptr<SourceOwner>& source);

/// Returns the contents as a file whose buffers are copies, so that validated bytes cannot change
/// if another process writes to the file.
std::shared_ptr<arrow::io::RandomAccessFile> open_copies(
    const std::shared_ptr<SourceOwner>& source);

/// Returns the bytes in order: from memory, or as copies if the source has no contents in memory.
std::shared_ptr<arrow::io::InputStream> open_sequence(const std::shared_ptr<SourceOwner>& source);

/// Returns a stream whose bytes go to the host. Takes over the struct.
std::shared_ptr<arrow::io::OutputStream> open_sink(XwalkEngineSink* sink);

}  // namespace xwalk::plugin
