#pragma once

#include <cstdint>
#include <exception>
#include <optional>
#include <string>
#include <string_view>

#include "xwalk/base/path.h"

// libxwalk.so shows what the installed headers declare.
#pragma GCC visibility push(default)

namespace xwalk {

/// The kind of failure that ended a call. The command line maps each to one exit code.
enum class ErrorCode : uint8_t {
  Usage,        ///< the caller asked for something that makes no sense
  Input,        ///< bytes, text or a value are not what they should be
  Unsupported,  ///< there is no mapping, or the input is newer than this version of xwalk
  Io,           ///< the operating system refused to read or write
  Internal,     ///< a bug in xwalk
  Interrupted,  ///< the user asked to stop
  ClosedPipe,   ///< the reader of the output has closed it, so there is nothing to report
};

/// The place of an error. Parts are set only if known. Rows, bytes and tables count from 0, lines
/// and columns (in bytes) from 1.
struct Place {
  std::string file;
  std::optional<uint64_t> line;
  std::optional<uint64_t> column;
  std::optional<uint64_t> byte;
  std::optional<uint64_t> row;
  std::optional<uint32_t> table;
  Path path;
  /// The source line around the error, unchanged but clipped, without a newline; empty if unknown.
  /// `describe` shows it without terminal control characters.
  std::string snippet;
  /// Offset in `snippet` of the first wrong byte, and how many bytes are wrong.
  size_t snippet_offset = 0;
  size_t snippet_length = 0;
};

/// The hint of an input that is cut off: what is missing cannot be skipped.
inline constexpr const char* kFetchAgain = "The input was cut off. Fetch it again.";

/// The one exception type of the library. `what()` is the message alone; `describe` adds the place.
/// A message says what was expected and what was found.
class Error : public std::exception {
 public:
  Error(const Error&);
  Error(Error&&) noexcept;
  Error& operator=(const Error&);
  Error& operator=(Error&&) noexcept;
  ~Error() override;

  Error(ErrorCode code, std::string message, Place place = {}, std::string hint = {})
      : code_(code),
        message_(std::move(message)),
        place_(std::move(place)),
        hint_(std::move(hint)) {}

  const char* what() const noexcept override { return message_.c_str(); }
  ErrorCode code() const { return code_; }
  const std::string& message() const { return message_; }
  const std::string& hint() const { return hint_; }
  const Place& place() const { return place_; }
  /// Lets callers add what only they know: the file, the row, the table.
  Place& place() { return place_; }
  Error& with_hint(std::string hint) {
    hint_ = std::move(hint);
    return *this;
  }

  /// Returns `file:line:column: error: path: message`, the snippet with a caret, row and hint, as
  /// several lines without a trailing newline.
  std::string describe() const;

 private:
  ErrorCode code_;
  std::string message_;
  Place place_;
  std::string hint_;
};

/// Makes the place of a byte in a text: line and column from 1, and the clipped line as snippet.
Place place_in_text(std::string_view text, size_t offset, size_t length = 1);

}  // namespace xwalk

#pragma GCC visibility pop
