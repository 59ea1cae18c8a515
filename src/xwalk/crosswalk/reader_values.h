#pragma once

#include <cstddef>
#include <mutex>
#include <unordered_map>
#include <vector>

#include "xwalk/base/path.h"
#include "xwalk/crosswalk/readers.h"
#include "xwalk/crosswalk/value_condition.h"
#include "xwalk/hub/batch.h"
#include "xwalk/hub/type.h"

namespace xwalk::crosswalk {

/// Counts the values that remarks are about, in the columns that have such remarks.
class ReaderValues {
 public:
  /// The remarks must be about the columns of `schema`, by their paths.
  ReaderValues(const hub::Schema& schema, const Misreadings& readers);

  /// Returns true if no remark is about some values only.
  bool empty() const { return places_.empty(); }
  /// Counts the good rows of a batch. Columns of its schema may be dictionaries, which those of the
  /// first are not. Called by several threads at once.
  void add(const hub::Schema& schema, const hub::Batch& batch);
  /// Gives each remark on some values their count. With `is_part`, rows were rejected, whose values
  /// are unknown: a remark on values that the other rows do not have gets none.
  void give(bool is_part, Misreadings* readers) const;

 private:
  /// A column or a part of one, and the conditions on its values.
  struct Place {
    /// The child of each level above, from the columns on.
    std::vector<size_t> children;
    std::vector<ValueCondition> conditions;
    std::vector<ValueCount> counts;
  };

  using Conditions = std::unordered_map<Path, std::vector<ValueCondition>, Path::Hash>;

  void find(const hub::Field& field, const Path& path, std::vector<size_t>* above,
            const Conditions& wanted);

  std::vector<Place> places_;
  std::unordered_map<Path, size_t, Path::Hash> index_;
  std::mutex mutex_;
};

}  // namespace xwalk::crosswalk
