#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string_view>

#include "xwalk/base/byte_stream.h"
#include "xwalk/hub/batch.h"
#include "xwalk/yson/print.h"
#include "xwalk/yson/writer.h"

namespace xwalk::io {

/// Writes rows that were left out as YSON rows, each a map of `row`, its number in the whole input,
/// from 0; `reason`; `path`, the column path; `file`, `line`, `column`, `byte`, `table_index` if
/// known; and the row: `value` if its bytes are a YSON map, unchanged from the source with keys in
/// any order, missing or repeated, else `source`, its bytes as a string. For inputs without bytes
/// per row, `value` is the row as written by `hub::append_yson`. `columns` are those of the folders
/// of its file, which its bytes do not have. `form` is which of several kinds of rows it is, if it
/// is not the first: `RejectForm`. Rows that are `binary`, and their columns, are written as
/// strings even if they look like YSON.
class RejectWriter {
 public:
  explicit RejectWriter(std::unique_ptr<ByteSink> sink, yson::Format format = yson::Format::Text);

  /// Throws Error (Io).
  void add(const hub::BadRow& row, size_t form = 0, std::string_view columns = {},
           bool binary = false);
  uint64_t rows() const { return rows_; }
  /// Completes the file; without it no file has its name.
  void finish();

 private:
  std::unique_ptr<ByteSink> sink_;
  yson::Format format_;
  yson::Buffer buffer_;
  uint64_t rows_ = 0;
};

}  // namespace xwalk::io
