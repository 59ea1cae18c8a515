#pragma once

#include <cstddef>
#include <optional>
#include <set>
#include <span>
#include <unordered_map>
#include <vector>

#include "xwalk/base/path.h"
#include "xwalk/crosswalk/plan_result.h"
#include "xwalk/crosswalk/schema.h"
#include "xwalk/hub/finding.h"
#include "xwalk/hub/member_paths.h"
#include "xwalk/hub/names.h"
#include "xwalk/hub/type.h"

namespace xwalk::crosswalk {

/// Most columns of a wide table have one of a few types. A plan is made of the distinct columns,
/// and then repeated for all. Columns are alike if their types and metadata are equal and their
/// names mean nothing: a plain word, different from all others in any case, that no option
/// mentions. No field id or key distinguishes them. The last column is kept.
class AlikeColumns {
 public:
  /// The source must live as long as this. Columns are alike if those of `target`, unless it is
  /// null, are too. If it has other names, no columns are.
  AlikeColumns(const hub::Schema& source, const PlanOptions& options,
               const hub::Schema* target = nullptr);

  /// Returns true if a column is like one before it. The other functions require it.
  bool any() const { return !distinct_.fields.empty(); }
  /// Returns the source with each distinct column once: the first of those that are alike.
  const hub::Schema& distinct() const { return distinct_; }
  /// Returns the same of another schema that has the columns of the source.
  hub::Schema distinct(const hub::Schema& all) const;
  /// Returns the places in `distinct` of the columns that findings are about.
  std::set<size_t> places_of(const hub::Findings& findings) const;
  /// Returns the places of all columns that are like those.
  std::set<size_t> all(const std::set<size_t>& distinct) const;
  /// Repeats the columns of a schema that was made from `distinct` without the columns at some
  /// places. Throws Error (Internal) if it has another number of columns.
  hub::Schema all(const hub::Schema& distinct, const std::set<size_t>& without) const;
  /// The same of a target's schema. Empty if its columns are not repeated as they are: they have
  /// ids, some are no columns there, or the system refuses so many.
  std::optional<AnySchema> all(const AnySchema& distinct, const std::set<size_t>& without) const;
  /// Repeats findings, in the order of the columns. Those about other places come last.
  hub::Findings all(const hub::Findings& distinct) const;
  hub::Renames all(const hub::Renames& distinct) const;
  std::vector<PathReport> all(std::vector<PathReport> distinct) const;

  /// Returns true if columns that are alike are so in a schema made from `distinct` too, and do not
  /// have ids there.
  bool are_alike_in(const hub::Schema& schema) const;

 private:
  /// Repeats columns of any kind; `named` returns one with another name.
  template <typename Column, typename Named>
  std::vector<Column> repeated(std::span<const Column> distinct, const std::set<size_t>& without,
                               Named named) const;
  bool is_shared(size_t place) const { return first_[place] != last_[place]; }
  /// Returns where what is known of a place applies: at one of its columns.
  hub::MovedPlace moved(size_t place, size_t column) const;
  std::optional<size_t> place_of(const Path& path) const;

  const hub::Schema& source_;
  hub::Schema distinct_;
  /// The place in `distinct` of each column.
  std::vector<size_t> places_;
  /// The first and the last column of each place.
  std::vector<size_t> first_;
  std::vector<size_t> last_;
  std::unordered_map<Path, size_t, Path::Hash> by_path_;
};

}  // namespace xwalk::crosswalk
