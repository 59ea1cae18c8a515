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

/// What a write does with an output that is there.
enum class OutputMode : uint8_t {
  Create,     ///< refuses it
  Append,     ///< adds to it, or begins one
  Overwrite,  ///< replaces it
};

struct SinkOptions {
  /// Create refuses a file that is there. Append copies it and writes behind it; it must not
  /// change meanwhile.
  OutputMode mode = OutputMode::Create;
  /// Puts the bytes and the name on the disk before `finish` returns.
  bool durable = false;
  /// Compression of the whole; by the name's extension where it is not given.
  std::optional<Compression> compression;
  /// Level of the compression; its usual one where it is not given.
  std::optional<int> level;
  /// Outputs that get their names together: `finish` adds the file to them, and their `commit`
  /// names it. A file of its own without them.
  OutputSet* set = nullptr;
  /// One of many objects, of which it is known what stands under the name: nothing with Create.
  bool staged = false;
  /// How the store is reached that the name leads to.
  StorageOptions storage = {};
  /// The schema beside rows, completed and named with them; none where it is null.
  std::shared_ptr<SideSchema> side;
};

/// Returns whether what is written to a path goes into what has the name already: standard output,
/// a pipe, a device. Nothing stands beside such an output.
bool is_written_in_place(const std::string& path);

/// Opens a file for writing, an object of a store, or standard output for "-". A file is written
/// under a temporary name in its own folder and gets its name in `finish`; without `finish` nothing
/// is left behind. An object is sent while it is written, and is there from `finish` on, with the
/// same rules. What exists and is no regular file (a pipe, a device) is written in place, whatever
/// the mode. Throws Error (Io), Error (ClosedPipe) when the reader of a pipe has gone; SIGPIPE must
/// be ignored by the program.
std::unique_ptr<ByteSink> open_sink(const std::string& path, const SinkOptions& options = {});

/// Collects bytes in a string, which must outlive the sink.
std::unique_ptr<ByteSink> memory_sink(std::string* out);

/// Writes a whole small file, atomically.
void write_file(const std::string& path, std::string_view bytes, const SinkOptions& options = {});

}  // namespace xwalk::io
