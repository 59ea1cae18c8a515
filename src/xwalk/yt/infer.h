#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

#include "xwalk/base/byte_stream.h"
#include "xwalk/base/limits.h"
#include "xwalk/base/path.h"
#include "xwalk/yt/schema.h"
#include "xwalk/yt/value_options.h"

namespace xwalk::yt {

struct InferOptions {
  /// Looks at rows of this table index only, as control entities set it.
  std::optional<uint32_t> table;
  /// Rows may be of several tables.
  bool all_tables = false;
  /// Numbers came from JSON, which does not mark unsigned ones: integers are uint64 if one is above
  /// 2^63-1 and none is negative.
  bool json = false;
  /// Rows to look at; all by default.
  std::optional<uint64_t> limit;
  /// Bytes that one row may have.
  size_t row_bytes = limits::row_bytes(limits::kMemory);
};

/// Finds one schema for the rows of all sources that are added: for each column a type that holds
/// every value, in the order in which columns are first seen.
///
/// - integers: int64; uint64 if all are unsigned;
/// - integers and numbers with a point: double if a double holds every integer exactly, else yson;
/// - strings: utf8 if all are UTF-8, else string; no other meaning is guessed;
/// - lists: list of what holds every item (list<null> if all are empty);
/// - maps: struct of every field seen; yson if all are empty, or names or their number do not fit;
/// - yson if kinds are mixed, carry attributes or nest too deep;
/// - null if every value is `#`.
///
/// Every column, member and item but null is optional: later rows may lack what these have.
///
/// Keys that cannot be columns (empty, longer than 256 bytes, `$…`) make the table non-strict.
/// Malformed rows are skipped: the decoder refuses them with their place.
class SchemaInference {
 public:
  explicit SchemaInference(const InferOptions& options = {});
  ~SchemaInference();
  SchemaInference(const SchemaInference&) = delete;
  SchemaInference& operator=(const SchemaInference&) = delete;

  /// Looks at the rows of a source. Throws Error (Input) if rows cannot be separated, for a row
  /// that is too long, and for rows of several tables unless one is chosen.
  void add(ByteSource& source);
  /// Looks at rows in lines of JSON of at most `row_bytes` bytes, as if they were YSON.
  void add_json(ByteSource& lines, const ValueOptions& values, size_t row_bytes);
  /// Returns true once as many rows as the limit asks for were seen.
  bool has_enough() const;
  /// Returns the schema. Throws Error (Input) for more columns than a table may have.
  TableSchema finish();
  /// Returns the places with integers that no number type holds, whose rows are rejected; after
  /// `finish`.
  const std::vector<Path>& beyond() const;

 private:
  class Impl;
  std::unique_ptr<Impl> impl_;
};

/// Returns true if rows may have integers in double or float columns that hold them exactly. The
/// attribute `integers_in_doubles` says so: inferred schemas with doubles have it, so that rows are
/// read alike once the schema is saved. A cluster ignores the attribute, and refuses such rows.
bool has_integers_in_doubles(const TableSchema& schema);
void set_integers_in_doubles(bool value, TableSchema* schema);

/// Infers the schema of one source.
TableSchema infer_schema(ByteSource& source, const InferOptions& options = {});

}  // namespace xwalk::yt
