#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "xwalk/io/bytes/list_dir.h"
#include "xwalk/io/bytes/source.h"
#include "xwalk/io/formats/format.h"

namespace xwalk::io {

struct InputOptions;

/// Reads the word of a format or of its system; `arrow` is the file, `arrow-stream` the stream.
/// Throws Error (Usage) that lists the formats.
Format parse_format(std::string_view word);

/// Returns the format of a name's extension, ignoring that of a compression; empty if unknown.
std::optional<Format> format_of_name(std::string_view path);
/// The same for an output: also a format that is only written.
std::optional<Format> format_of_output_name(std::string_view path);
/// Throws Error (Usage) for a format that is only written.
void check_readable(Format format);

/// Returns the format that the first bytes indicate; empty if they are ambiguous. YSON is
/// recognized by its first character, Skiff never.
std::optional<Format> format_of_magic(std::string_view first_bytes);

/// Returns the format of a folder that is one input as a whole, such as a Lance dataset.
std::optional<Format> format_of_folder(const Location& path);

/// The same for a folder of a disk or a store, whose names a listing keeps.
std::optional<Format> format_of_folder(Listing& listing, const Location& folder);

/// Returns the format of an input that exists: a folder with Lance's versions, else the first bytes
/// if they are unambiguous, else the extension. Throws Error (Usage) that names --from if neither
/// decides, Error (Io) if it cannot be read.
Format detect_input(const Location& path, Source* opened = nullptr);

/// Returns the format that was given, or else the one that `detect_input` returns. Throws Error
/// (Input) if the bytes are plainly of another one than was given.
Format input_format(const Location& path, Source* opened, const InputOptions& options);

/// Refuses rows of text whose first bytes are plainly of another format. Throws Error (Input).
void check_text(Format format, Source& source, const InputOptions& options);

/// Does so for a file of another format than text that could not be opened.
void refuse_other_format(Format format, const Location& path, const InputOptions& options);

/// Returns the format of an output by its name; standard output has none. Throws Error (Usage).
Format detect_output(const Location& path);

}  // namespace xwalk::io
