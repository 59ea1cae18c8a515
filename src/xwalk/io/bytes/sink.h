#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>

#include "xwalk/base/byte_stream.h"
#include "xwalk/io/bytes/source.h"

namespace xwalk::io {

class OutputSet;
class SideSchema;

/// How a write treats an existing output.
enum class OutputMode : uint8_t {
  Create,     ///< refuses it
  Append,     ///< adds to it, or begins one
  Overwrite,  ///< replaces it
};

struct SinkOptions {
  /// Create refuses an existing file. Append copies it and writes after it, so it must not change
  /// meanwhile.
  OutputMode mode = OutputMode::Create;
  /// Puts the bytes and the name on the disk before `finish` returns.
  bool durable = false;
  /// Compression of the whole output. If not set, it follows the name's extension.
  std::optional<Compression> compression;
  /// Level of the compression. If not set, the codec's default.
  std::optional<int> level;
  /// Outputs that get their names together: `finish` adds the file to them, and their `commit`
  /// names it. Without them, the file is independent.
  OutputSet* set = nullptr;
  /// One of many objects, for which the name is known to be free (with Create).
  bool staged = false;
  /// How the store of the name is reached.
  StorageOptions storage = {};
  /// The schema next to rows, completed and named with them, or null.
  std::shared_ptr<SideSchema> side;
};

/// Returns true if output to a path goes into an existing stream: standard output, a pipe, a
/// device. An output like this has no files next to it.
bool is_written_in_place(const Location& path);

/// Opens a file for writing, an object of a store, or standard output for "-". A file is written
/// under a temporary name in its own folder and gets its name in `finish`; without `finish` it is
/// removed. An object is sent while it is written, and exists from `finish` on, with the same
/// rules. A pipe or a device is written in place in every mode. Throws Error (Io), Error
/// (ClosedPipe) when the reader of a pipe has gone; SIGPIPE must be ignored by the program.
std::unique_ptr<ByteSink> open_sink(const Location& path, const SinkOptions& options = {});

/// Collects bytes in a string, which must outlive the sink.
std::unique_ptr<ByteSink> memory_sink(std::string* out);

/// Writes a whole small file, atomically.
void write_file(const Location& path, std::string_view bytes, const SinkOptions& options = {});

}  // namespace xwalk::io
