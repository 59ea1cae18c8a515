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

/// Why a line is no row.
struct JsonLineFault {
  std::string message;
  std::string hint;
  /// Where in the line.
  size_t offset = 0;
  Path path;
};

/// Puts rows that stand as JSON, one in a line, into binary YSON, which the row decoder takes: the
/// schema says which numbers are unsigned or doubles, everything else is said by JSON itself. What
/// a type does not hold goes on as it is, for the decoder to refuse. Not for several threads.
class JsonTranscoder {
 public:
  /// Bytes behind a line that must be readable; their contents do not matter.
  static constexpr size_t kPadding = 64;

  /// Without a schema each value is of the type that JSON says.
  JsonTranscoder(const TableSchema* schema, const ValueOptions& options);
  ~JsonTranscoder();
  JsonTranscoder(const JsonTranscoder& other);
  JsonTranscoder& operator=(const JsonTranscoder&) = delete;

  /// Appends a row and its `;`. Returns false, and leaves `out` as it was, for a line that is no
  /// row; `fault` says why. A line `{"$value":null,"$attributes":{…}}` is a control entity.
  bool row(std::string_view line, yson::Buffer* out);
  const JsonLineFault& fault() const;
  /// The same, slower: the way of all lines that are not plain.
  bool careful_row(std::string_view line, yson::Buffer* out);

  /// Returns where in a line stands what its row has at a place in YSON.
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
