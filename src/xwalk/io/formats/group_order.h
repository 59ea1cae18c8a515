#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "xwalk/hub/batch.h"
#include "xwalk/io/rows/piece_reader.h"
#include "xwalk/parquet/file.h"
#include "xwalk/parquet/statistics.h"

namespace xwalk::io {

/// Checks the rows of a Parquet file against the order that its row groups promise. Values are
/// compared as the format defines it: text and bytes as unsigned bytes, null before or after all
/// values. Rows with nan in a key are not judged, and neither are keys whose type has no order.
class GroupOrderCheck {
 public:
  /// `footer` are the bytes of FileMetaData and `schema` its schema; `rows` is the schema of the
  /// rows that are read. Throws Error (Input) for malformed row groups.
  GroupOrderCheck(std::string_view footer, const parquet::Schema& schema, hub::Schema rows);

  /// Returns true if no row group promises an order that can be checked.
  bool empty() const { return keys_.empty(); }
  /// Checks the next batch of the file. Returns the rows that belong before the row before them.
  std::vector<hub::BadRow> check(const hub::Batch& batch);

 private:
  /// A leaf in the rows that are read.
  struct Key {
    int32_t leaf = -1;
    Path path;
    /// The column, and the places of the members of structs that lead to the leaf.
    std::vector<size_t> places;
    hub::Type type;
  };
  struct Group {
    int64_t end = 0;
    std::vector<std::pair<size_t, parquet::SortingColumn>> keys;
  };

  const Key* key_of(const parquet::Schema& schema, int32_t leaf);
  hub::BadRow misplaced(const hub::Batch& batch, int64_t index, const Key& key,
                        const parquet::SortingColumn& order, const hub::Array& before,
                        int64_t before_index) const;

  hub::Schema rows_;
  std::vector<Key> keys_;
  std::vector<Group> groups_;
  /// The group of the next row.
  size_t group_ = 0;
  /// The last batch, whose last row comes before the next one; none at the begin of a group.
  hub::Array before_;
};

/// Wraps a reader of a whole file so that rows that are not in the order of their row group are
/// bad. Pieces are decoded in their order, when they are taken.
std::unique_ptr<SplitReader> check_group_order(std::unique_ptr<SplitReader> reader,
                                               GroupOrderCheck order);

}  // namespace xwalk::io
