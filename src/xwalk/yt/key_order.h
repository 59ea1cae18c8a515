#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "xwalk/hub/array.h"
#include "xwalk/hub/type.h"
#include "xwalk/yt/type.h"
#include "xwalk/yt/value_options.h"

namespace xwalk::yt {

/// The order of the rows of a sorted table. The only code that compares keys: it encodes a key as
/// bytes that sort in the same order. As in YTsaurus's CompareUnversionedValues and
/// CompareYsonValues, nulls come before all values, nan comes after all numbers, -0 and 0 are one,
/// lists compare item by item, and values of `any` by their kind first.
class KeyOrder {
 public:
  /// Of no columns.
  KeyOrder() = default;
  /// `said` is the schema with the sort order. Its key columns are looked up by name in `rows`, up
  /// to the first missing one. `order` is the byte order of uuids in `rows`.
  KeyOrder(const hub::Schema& ordered, const hub::Schema& rows, UuidOrder order);

  /// Returns true if the schema has no sort order.
  bool empty() const { return columns_.empty(); }
  /// Returns whether no two rows have the same key.
  bool unique() const { return unique_; }
  /// Returns whether a column of the rows, by its place, belongs to the key.
  bool holds(size_t column) const;
  /// Returns the names of the columns that keys consist of.
  std::vector<std::string> columns() const;
  /// Returns them for messages: "a", "b" descending.
  std::string names() const;

  /// Appends the key of a row. Throws Error (Input) with the path for a value of `any` that has no
  /// order: a map, or one with attributes.
  void append(const hub::Array& rows, int64_t row, std::string* out) const;
  /// Returns the key of a row as YSON, for messages.
  std::string text(const hub::Array& rows, int64_t row) const;

 private:
  struct Column {
    size_t place;
    hub::Field field;
    Type type;
    bool descending;
  };

  std::vector<Column> columns_;
  bool unique_ = false;
  UuidOrder uuid_order_ = UuidOrder::Rfc;
};

}  // namespace xwalk::yt
