#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "xwalk/hub/array.h"
#include "xwalk/hub/builder.h"
#include "xwalk/hub/type.h"
#include "xwalk/skiff/binding.h"
#include "xwalk/yson/node.h"
#include "xwalk/yt/value_options.h"

namespace xwalk::skiff {

/// Returns the options of values in the batches that `TableNodes` reads and makes.
yt::ValueOptions node_options();

/// Rows of a table as YSON maps, from and to batches of `to_arrow(table)`. Values are in the
/// positional form: structs and tuples are lists, a variant is `[index; alternative]`, a dict a
/// list of pairs, an optional of a nullable type `#` or `[value]`; decimals, uuids and times as the
/// system stores them.
class TableNodes {
 public:
  explicit TableNodes(const BoundTable& table);
  ~TableNodes();
  TableNodes(TableNodes&&) noexcept;
  TableNodes& operator=(TableNodes&&) = delete;

  /// Puts the columns of a row that are not null into a map, whose memory is used again.
  void read(const hub::Array& batch, int64_t row, yson::Node* columns) const;

  /// Adds a row to the batch that is being made. Columns that are absent are null. Throws Error
  /// (Input) with the path for a value that is not of its type; nothing is added then.
  void append(const yson::Node& columns);
  int64_t rows() const { return rows_; }
  /// Returns roughly how many bytes the rows take.
  size_t memory() const;
  /// Returns the rows that were added, as a struct array, and begins the next batch.
  hub::Array finish();

 private:
  class Value;

  void append_columns(const yson::Node& columns);
  /// Returns the place of a column in the batch, or the number of columns for one that is neither
  /// in the skiff schema nor in the table schema.
  size_t place_of(const std::string& name) const;

  BoundTable table_;
  std::vector<std::string> names_;
  std::vector<Value> values_;
  std::map<std::string, size_t, std::less<>> places_;
  /// The last column of a batch is the map of all other columns.
  bool has_rest_ = false;
  std::vector<hub::ColumnBuilder> builders_;
  int64_t rows_ = 0;
};

/// Returns true if the wire types of a table carry every value of its columns.
bool carries_every_value(const BoundTable& table);

}  // namespace xwalk::skiff
