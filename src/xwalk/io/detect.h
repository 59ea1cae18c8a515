#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "xwalk/crosswalk/schema.h"
#include "xwalk/io/source.h"

namespace xwalk::io {

/// What rows are kept in.
enum class Format : uint8_t { Yson, Skiff, Parquet, ArrowFile, ArrowStream, Lance, Vortex };

/// Returns the word for a format on the command line and in messages: `arrow` for both of Arrow's.
std::string_view to_string(Format format);
/// Returns the system whose types the rows of a format have.
crosswalk::System system_of(Format format);
/// Reads a word, `yt` too; `arrow` is the file, `arrow-stream` the stream. Throws Error (Usage)
/// with the words there are.
Format parse_format(std::string_view word);

/// Returns the format that a name's extension speaks of, compression aside; nothing for an unknown
/// one.
std::optional<Format> format_of_name(std::string_view path);

/// Returns the format that first bytes speak of; nothing where they could be anything. YSON is told
/// by its first character, Skiff never.
std::optional<Format> format_of_magic(std::string_view first_bytes);

/// Returns the format of an input that exists: a folder with Lance's versions, else the first bytes
/// where they are certain, else the extension. Throws Error (Usage) naming --from when neither says
/// anything, Error (Io) when it cannot be read.
Format detect_input(const std::string& path, Source* opened = nullptr);

/// Returns the format of an output by its name; standard output has none. Throws Error (Usage).
Format detect_output(const std::string& path);

/// Returns the extensions of a format, the usual one first, with their dot.
std::vector<std::string_view> extensions_of(Format format);

}  // namespace xwalk::io
