#pragma once

#include <optional>
#include <string>
#include <vector>

#include "xwalk/base/path.h"
#include "xwalk/duckdb/api.h"
#include "xwalk/hub/array.h"
#include "xwalk/hub/type.h"

namespace xwalk::duckdb {

/// A database of the extension's own, without data: DuckDB asks for a connection where it turns
/// Arrow into vectors and back, and the caller's is not to be had in a function. One for all
/// threads of the process.
class Workshop {
 public:
  /// Opens it on first use. Throws Error (Internal).
  static Connection connect();
};

/// Turns columns of Arrow into vectors of DuckDB, for one thread.
class VectorMaker {
 public:
  /// `schema` is one of `duckdb_schema`. Throws Error for a type that DuckDB refuses.
  explicit VectorMaker(const hub::Schema& schema);

  /// Returns the types of the columns in DuckDB.
  std::vector<LogicalType> types() const;
  /// Puts rows [start, start + length) of a batch into a chunk, at most a vector of them: for each
  /// of its columns, the batch's of that index, or none. Values are not copied where DuckDB lays
  /// them out alike: the chunk shares the buffers. Throws Error for a value that DuckDB rejects.
  void fill(const hub::Array& batch, int64_t start, int64_t length,
            const std::vector<std::optional<size_t>>& columns, duckdb_data_chunk out) const;

 private:
  Chunk column(size_t index, const hub::Array& rows) const;

  Connection connection_;
  hub::Schema schema_;
  std::vector<ConvertedSchema> columns_;
};

/// Turns vectors of DuckDB into Arrow, for one thread.
class ChunkReader {
 public:
  /// `names` are those of the columns. Without them there is one column, a struct, whose members
  /// are the columns of the rows. Throws Error (Usage) for other columns.
  ChunkReader(std::vector<LogicalType> types, std::vector<std::string> names);

  const hub::Schema& schema() const { return schema_; }
  /// Throws Error (Unsupported) with the path for a type that DuckDB alone interprets, such as BIT.
  void refuse_own_types() const;
  /// Copies the rows of a chunk. Throws Error (Input) for a row that is null.
  hub::Array rows(duckdb_data_chunk chunk) const;

 private:
  struct Column {
    LogicalType type;
    ArrowOptions options;
    /// As DuckDB writes it.
    hub::Field field;
  };

  hub::Array column(const Column& column, duckdb_vector values, idx_t rows) const;
  Path path_of(const Column& column) const;

  /// It writes Arrow without loss.
  Connection connection_;
  bool is_struct_ = false;
  std::vector<Column> columns_;
  hub::Schema schema_;
};

}  // namespace xwalk::duckdb
