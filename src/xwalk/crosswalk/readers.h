#pragma once

#include <optional>
#include <string>
#include <vector>

#include "xwalk/base/path.h"
#include "xwalk/crosswalk/plan.h"
#include "xwalk/crosswalk/reader_choice.h"
#include "xwalk/crosswalk/reader_table.h"
#include "xwalk/crosswalk/schema.h"
#include "xwalk/crosswalk/value_condition.h"
#include "xwalk/hub/type.h"

namespace xwalk::crosswalk {

/// One column that a reader misreads.
struct ReaderRemark {
  std::string reader;
  Path path;
  std::string remark;
  /// None for a type that is read as another, Altered for values that come out as others, Forbidden
  /// for a reader that refuses.
  hub::Effect effect = hub::Effect::None;
  /// A type in Arrow's notation that the reader reads instead, or "".
  std::string instead{};
  /// The values that the remark is about, and how many the rows have, if they were read.
  ValueCondition condition{};
  std::optional<ValueCount> count{};

  /// Returns true if the rows have none of the values.
  bool is_absent() const { return count && count->affected == 0; }
};

/// What readers of one system (`readers_of`) misread.
struct Misreadings {
  System system;
  /// Their names.
  std::vector<std::string> compared;
  std::vector<ReaderRemark> remarks;
  /// The remarks are about columns of the source, else about those of the plan's target.
  bool of_source = true;
  /// Readers were chosen: reports show each remark at its column, else one line for each reader.
  bool are_chosen = false;
};

/// Returns which reader of its system would misread or refuse which column of a schema, in schema
/// order: by the table of reader_table.h, and for Parquet files by older shapes and annotations.
/// Different names of items and equivalent types are not misreadings. Findings about `columns`, the
/// same columns with annotations, that no reader knows come last. Throws Error (Usage) for a system
/// without known readers, Error (Input) if the schema itself is invalid.
Misreadings misreadings(const AnySchema& schema, const hub::Schema& columns);

/// Does the same for a plan: for its source if that is a Parquet file or stays in its system, else
/// for its target.
Misreadings misreadings(const AnySchema& source, const Plan& plan);

/// Leaves the chosen readers of what was found. Throws Error (Usage) for one that does not read the
/// system.
Misreadings only_of(const std::vector<ChosenReader>& chosen, Misreadings found);

}  // namespace xwalk::crosswalk
