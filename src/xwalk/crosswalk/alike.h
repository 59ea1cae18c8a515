#pragma once

#include <array>
#include <cstddef>
#include <optional>
#include <string_view>
#include <vector>

#include "xwalk/base/first_places.h"
#include "xwalk/base/path.h"
#include "xwalk/crosswalk/schema.h"
#include "xwalk/hub/finding.h"
#include "xwalk/hub/names.h"

namespace xwalk::crosswalk {

/// What decides the reports on the columns of a plan.
struct PlannedTable {
  const hub::Schema& source;
  const hub::Schema& target;
  const hub::Renames& renames;
  /// All that was found, by who found it.
  std::array<const hub::Findings*, 3> findings;
};

/// Most columns of a wide table have one of a few types. This finds those of which a plan says the
/// same but for the name: the type, what is said beside it, the target's column and the findings
/// are equal, where these do not say the name; it is a plain word that stands once and stays; and
/// no field id or key tells the columns apart. For the others nothing is promised.
class AlikeColumns {
 public:
  explicit AlikeColumns(const PlannedTable& table);

  /// Returns the first column that is like this one: itself, if none is before it.
  size_t first(size_t column) const { return first_[column]; }
  /// Returns a column's field in the target; an empty one where there is none.
  hub::Field target_of(size_t column) const;
  /// Returns what a finding says of a column, which may name it, in the place of what one says of
  /// the first that is like it; anything else as it is.
  std::string_view said_of(size_t column, std::string_view lost) const;
  /// Returns whether any column is like one before it.
  bool any() const { return any_; }
  /// Returns whether a path lies in a column that is like one before it.
  bool is_repeated(const Path& path) const;

  /// Returns the source's schema without columns that are like one before them.
  hub::Schema of_source() const;
  /// The same of the target's schema, or of one whose columns have the target's names.
  hub::Schema of_target(const hub::Schema& target) const;

 private:
  /// What a finding says to a column: `list` and `place` in the table's findings.
  struct Said {
    size_t list;
    size_t place;
    /// The next one of the same column; `kNone` at the end.
    size_t next;
  };

  const hub::Finding& finding_of(const Said& said) const {
    return (*table_.findings[said.list])[said.place];
  }
  /// Returns the column of a name that is a plain word. The one expected is looked at first.
  std::optional<size_t> column_named(std::string_view name, size_t expected) const;
  std::optional<size_t> column_of(const Path& path, size_t expected) const;
  void collect_findings();
  bool same_findings(size_t a, size_t b) const;
  bool are_alike(size_t a, size_t b) const;

  const PlannedTable table_;
  /// The first columns of names that are plain words.
  FirstPlaces by_name_;
  std::vector<bool> is_named_;
  std::vector<bool> may_repeat_;
  /// Of each column, its place in the target, and the first and the last that was said of it.
  std::vector<size_t> there_;
  std::vector<size_t> head_;
  std::vector<size_t> tail_;
  std::vector<Said> said_;
  std::vector<size_t> first_;
  bool any_ = false;
};

}  // namespace xwalk::crosswalk
