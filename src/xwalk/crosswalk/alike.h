#pragma once

#include <array>
#include <cstddef>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

#include "xwalk/base/first_places.h"
#include "xwalk/base/path.h"
#include "xwalk/crosswalk/schema.h"
#include "xwalk/hub/finding.h"
#include "xwalk/hub/names.h"

namespace xwalk::crosswalk {

/// The input of the reports on the columns of a plan.
struct PlannedTable {
  const hub::Schema& source;
  const hub::Schema& target;
  const hub::Renames& renames;
  /// All findings, by their origin.
  std::array<const hub::Findings*, 3> findings;
};

/// Most columns of a wide table have one of a few types. This finds columns whose plans are equal
/// except for the name. Their type, metadata, target column and findings (ignoring the name) are
/// equal. The name is a plain word, is unique and is kept. No field id or key of the source
/// distinguishes the columns. Other columns are treated separately.
class AlikeColumns {
 public:
  explicit AlikeColumns(const PlannedTable& table);

  /// Returns the first column that is like this one: itself, if none is before it.
  size_t first(size_t column) const { return first_[column]; }
  /// Returns a column's field in the target; an empty one if the target does not have the column.
  hub::Field target_of(size_t column) const;
  /// Returns the text of a finding for a column: that of the first equal column with the name
  /// replaced. Texts without the name are returned unchanged.
  std::string_view finding_text(size_t column, std::string_view lost) const;
  /// Returns whether any column is like one before it.
  bool any() const { return any_; }
  /// Returns true if a path is in a column that equals an earlier one.
  bool is_repeated(const Path& path) const;

  /// Returns the source's schema without columns that are like one before them.
  hub::Schema of_source() const;
  /// The same of the target's schema, or of one whose columns have the target's names.
  hub::Schema of_target(const hub::Schema& target) const;

 private:
  /// A finding about a column: `list` and `place` in the table's findings.
  struct Entry {
    size_t list;
    size_t place;
    /// The next one of the same column; `kNone` at the end.
    size_t next;
  };

  const hub::Finding& finding_of(const Entry& entry) const {
    return (*table_.findings[entry.list])[entry.place];
  }
  /// Returns the column of a name that is a plain word. Tries the expected one first.
  std::optional<size_t> column_named(std::string_view name, size_t expected) const;
  std::optional<size_t> column_of(const Path& path, size_t expected) const;
  void collect_findings();
  bool same_findings(size_t a, size_t b) const;
  bool are_alike(size_t a, size_t b) const;

  const PlannedTable table_;
  /// The target's columns to compare. If they have ids, these are without.
  std::span<const hub::Field> target_;
  std::vector<hub::Field> without_ids_;
  /// The first columns of names that are plain words.
  FirstPlaces by_name_;
  std::vector<bool> is_named_;
  std::vector<bool> may_repeat_;
  /// For each column, its index in the target, and the first and last text about it.
  std::vector<size_t> there_;
  std::vector<size_t> head_;
  std::vector<size_t> tail_;
  std::vector<Entry> entries_;
  std::vector<size_t> first_;
  bool any_ = false;
};

}  // namespace xwalk::crosswalk
