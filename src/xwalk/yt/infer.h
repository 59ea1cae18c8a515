#pragma once

#include <cstdint>
#include <optional>

#include "xwalk/base/byte_stream.h"
#include "xwalk/yt/schema.h"

namespace xwalk::yt {

struct InferOptions {
  /// Looks at rows of this table index only, as control entities set it.
  std::optional<uint32_t> table;
  /// Rows may be of several tables.
  bool all_tables = false;
  /// Numbers came from JSON, which knows no widths and no unsigned ones: integers are int64, or
  /// uint64 where one is above 2^63-1; beside numbers with a point they are doubles too.
  bool json = false;
  /// Rows to look at; all by default.
  std::optional<uint64_t> limit;
};

/// Finds a schema by a full pass over YSON rows: for each column the narrowest type that holds
/// every value, in the order in which columns are first seen.
///
/// - integers: the narrowest of int8…int64 or uint8…uint64, as YSON tells signed from unsigned;
/// - strings: utf8 if all are UTF-8, else string; no other meaning is guessed;
/// - lists: list of what holds every item (list<null> if all are empty);
/// - maps: struct of every field seen; yson if all are empty, or names or their number do not fit;
/// - optional where a value is `#` or absent in some row; null where it is always `#`;
/// - optional<yson> where kinds are mixed, carry attributes or nest too deep.
///
/// Keys that cannot be columns (empty, longer than 256 bytes, `$…`) make the table non-strict.
/// Rows that are refused anyway (no map, wrong grammar inside) are passed over. Throws Error
/// (Input) where rows cannot be told apart, for rows of several tables unless one is chosen, and
/// for more columns than a table may have.
TableSchema infer_schema(ByteSource& source, const InferOptions& options = {});

}  // namespace xwalk::yt
