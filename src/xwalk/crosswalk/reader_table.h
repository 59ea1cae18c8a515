#pragma once

#include <span>
#include <string_view>

#include "xwalk/parquet/type.h"

namespace xwalk::crosswalk {

/// A program that reads Parquet files, in the version that was measured.
struct Reader {
  std::string_view name;
  std::string_view version;
};

/// Returns every reader that is asked.
std::span<const Reader> known_readers();

/// What a reader makes of a Parquet column by its type alone. What has no row is read as it is
/// meant; shapes that are read wrongly, whatever the type, are told of in readers.cc.
struct ReaderRow {
  std::string_view reader;
  parquet::LogicalKind kind;
  /// Which columns of the kind; null for all of them.
  bool (*when)(const parquet::Node& node);
  /// `refuses the file: …`, `ends the program`, or what it is taken for: `int64: a number…`.
  std::string_view remark;
};

/// Returns all rows.
std::span<const ReaderRow> reader_rows();

}  // namespace xwalk::crosswalk
