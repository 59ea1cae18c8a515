#pragma once

#include <cstddef>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "xwalk/base/path.h"
#include "xwalk/yson/writer.h"
#include "xwalk/yt/schema.h"
#include "xwalk/yt/value_options.h"

namespace xwalk::yt {

/// Replaces an integer that no number type holds if no schema can reject it: a value of type any.
inline constexpr std::string_view kBeyondAll = "<integer=%true>#";

/// Why a line is no row.
struct JsonLineFault {
  std::string message;
  std::string hint;
  /// Where in the line.
  size_t offset = 0;
  Path path;
};

/// Converts JSON lines to binary YSON for the row decoder. The schema decides which numbers are
/// unsigned or doubles; all other types are determined by the JSON. Values that a type does not
/// hold are passed on for the decoder to reject. Not thread-safe.
class JsonTranscoder {
 public:
  /// Bytes after a line that must be readable; their contents do not matter.
  static constexpr size_t kPadding = 64;

  /// Without a schema each value is of the type that JSON says.
  JsonTranscoder(const TableSchema* schema, const ValueOptions& options);
  ~JsonTranscoder();
  JsonTranscoder(const JsonTranscoder& other);
  JsonTranscoder& operator=(const JsonTranscoder&) = delete;

  /// Appends a row and its `;`. Returns false, and leaves `out` as it was, for a line that is not a
  /// row; `fault` has the reason. A line `{"$value":null,"$attributes":{…}}` is a control entity.
  bool row(std::string_view line, yson::Buffer* out);
  const JsonLineFault& fault() const;
  /// The same, slower: the way of all lines that are not plain.
  bool careful_row(std::string_view line, yson::Buffer* out);

  /// Returns the position in a line that corresponds to a position in its row's YSON.
  size_t place_in_line(std::string_view line, size_t offset);

  /// Strings of the rows so far that hold more than ASCII: those that look as if each code point
  /// stood for a byte, and the others.
  struct Strings {
    uint64_t as_bytes = 0;
    uint64_t as_text = 0;
  };
  const Strings& strings() const;

 private:
  class Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace xwalk::yt
