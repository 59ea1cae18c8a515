#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "xwalk/io/bytes/sink.h"
#include "xwalk/io/bytes/source.h"

namespace xwalk::io {

/// Returns the name of the side file that keeps the schema of rows without one: `NAME.schema`,
/// compression aside: rows.yson.gz and rows.yson share rows.yson.schema. On a disk it is
/// rows.yson.gz.schema if only that exists.
Location side_schema_path(const Location& rows);

/// Returns the kind of object under that name. Throws Error (Io) for a link that leads nowhere: the
/// schema that it stands for is not missing.
NameKind look_at_side_schema(const Location& rows, const StorageOptions& storage);

/// Identifies rows in a schema that replaced another one together with its rows, so that old rows
/// are not read with the new schema if the process was killed between the two: the size, and a hash
/// of the first and the last bytes. Copies have the same mark, and appending rows does not change
/// it.
struct RowsMark {
  uint64_t size = 0;
  uint64_t hash = 0;

  /// Returns the mark of all rows of a file. Throws Error (Io).
  static RowsMark of(int descriptor);
  /// Returns the mark of rows by the bytes at both ends: up to `kMarkedBytes` of the first, and up
  /// to as many of the last that are not among them.
  static RowsMark of(uint64_t size, std::string_view first, std::string_view last);
};

/// Bytes at each end of the rows that a mark looks at: read in no time, and more than rows of
/// different schemas have in common.
inline constexpr uint64_t kMarkedBytes = uint64_t{64} << 10;

/// Throws Error (Input) if the schema next to rows has the mark of other rows. A schema that a user
/// wrote has no mark. `side_text` is the text of `side_schema_path(path)`. Checks the rows in
/// `opened`, since the name may lead to other rows by now. If `opened` is null, checks those under
/// the name.
void check_mark(const Location& path, const Source* opened, std::string_view side_text,
                const StorageOptions& storage = {});

/// The schema file of YSON or Skiff rows, which gets its name together with them.
class SideSchema {
 public:
  /// Examines the schema file next to the rows that will be written to `rows_path`. A file with the
  /// same schema as `text` stays, except for its marks. Another one is replaced if the mode is
  /// Overwrite and it is not one of `inputs`, else refused with Error (Io). `canonical` parses the
  /// text of a schema and prints it as `text` is printed.
  using Canonical = std::string (*)(std::string_view text);
  SideSchema(const Location& rows_path, std::string text, Canonical canonical,
             const SinkOptions& options, const Locations& inputs);

  /// Adds the schema of complete rows to the outputs that get their names together. On a disk it is
  /// written at that moment, because another run may have replaced rows and schema in the meantime.
  /// `mark` makes the mark of the rows and is called then at the latest. It is null if they need no
  /// mark. Throws Error (Io).
  void finish(std::function<RowsMark()> mark, OutputSet* set) const;

 private:
  /// The contents of the existing schema file.
  struct There {
    /// Empty if it does not exist or cannot be read.
    std::string text;
    /// Whether it is this schema.
    bool is_same = false;
    bool has_marks = false;
  };
  There read() const;
  void write(const There& there, bool with_mark, const std::function<RowsMark()>& mark,
             OutputSet* set) const;
  /// Whether rows of the same name with this compression exist next to this schema.
  bool has_rows(const There& there, Compression compression) const;

  Location rows_path_;
  Location path_;
  std::string text_;
  Canonical canonical_;
  SinkOptions options_;
  /// The rows may be compressed or not: each of the two files has its own mark.
  Compression compression_;
  There there_;
};

}  // namespace xwalk::io
