#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <string_view>

#include "xwalk/base/byte_stream.h"
#include "xwalk/base/limits.h"
#include "xwalk/io/bytes/location.h"

namespace xwalk::io {

class Original;

/// How bytes are compressed as a whole, as `.gz` and `.zst` say.
enum class Compression : uint8_t { None, Gzip, Zstd };

/// A source whose first bytes can be examined before they are read.
class Source : public ByteSource {
 public:
  /// Returns the next bytes without consuming them: `size` of them, fewer only at the end. The view
  /// is valid until the next call of `read` or `peek`. `size` is at most 64 KiB.
  virtual std::string_view peek(size_t size) = 0;
  /// Returns the file or object that the bytes come from; null for a pipe, or bytes of a host.
  virtual std::shared_ptr<const Original> original() const { return nullptr; }

  /// Returns the memory for the bytes of every place: the contents, or for an object, memory of its
  /// size, in which only the bytes are valid that `need` fetched and `consumed` did not give back.
  /// Nothing for bytes that only come in order.
  virtual std::optional<std::string_view> window() { return contents(); }
  /// Fetches the bytes of ranges into the window, if there is one; several requests at a time. Any
  /// thread. Throws Error (Io).
  virtual void need(std::span<const ByteRange> /*ranges*/) {}
  /// Begins to fetch bytes that will be needed next.
  virtual void want(std::span<const ByteRange> /*ranges*/) {}
};

/// Bytes at the end of an object that `FirstFetch::End` asks for: more than the longest postscript
/// of Vortex, and than most footers of Parquet.
inline constexpr uint64_t kEndBytes = (uint64_t{64} << 10) + 16;

/// Which bytes of an object are requested first, together with its first ones.
enum class FirstFetch : uint8_t { Start, End };

/// Opens a file, an object of a store, or standard input for "-". A regular file is mapped, so that
/// `contents` gives it whole; an object has a window. Bytes that begin like gzip or zstd are
/// decompressed, regardless of the name. `position` and `size` then still count the bytes as
/// stored. Throws Error (Io).
std::unique_ptr<Source> open_source(const Location& path, const StorageOptions& storage = {},
                                    FirstFetch fetch = FirstFetch::Start);

/// Opens a file that a folder was found to hold, as `open_source` does. Throws Error (Io) if it was
/// replaced by a pipe or a device since, which might never give a byte.
std::unique_ptr<Source> open_listed(const Location& path, const StorageOptions& storage = {},
                                    FirstFetch fetch = FirstFetch::Start);

/// Makes a source of bytes in memory, which stay valid as long as `owner` lives.
std::unique_ptr<Source> view_source(std::string_view bytes, std::shared_ptr<const void> owner,
                                    std::string name);

/// Makes a source of bytes in memory.
std::unique_ptr<Source> memory_source(std::string bytes, std::string name = "<memory>");

/// Returns a source that has its contents in memory: the same one if it can, else all of its bytes
/// in an unnamed temporary file that is mapped. For formats that are read from their end. Throws
/// Error: Input if they are more than `most`, or if decompressed bytes exceed the limit that
/// `memory` allows (limits::unpacked_bytes), which indicates a decompression bomb; Io.
std::unique_ptr<Source> with_contents(std::unique_ptr<Source> source,
                                      uint64_t memory = limits::kMemory,
                                      uint64_t most = UINT64_MAX);

/// The same for readers that request the bytes they need: a source with a window is returned as it
/// is.
std::unique_ptr<Source> with_window(std::unique_ptr<Source> source,
                                    uint64_t memory = limits::kMemory);

/// Reads all bytes that are left, at most `limit`. Throws Error (Input) if there are more.
std::string read_all(ByteSource& source, size_t limit);

/// Returns the compression that the first bytes indicate.
Compression compression_of_magic(std::string_view first_bytes);
/// Returns the compression that the extension of a name requires.
Compression compression_of_name(std::string_view path);
/// Returns the name without `.gz` or `.zst`.
std::string_view without_compression(std::string_view path);

}  // namespace xwalk::io
