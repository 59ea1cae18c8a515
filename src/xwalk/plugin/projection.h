#pragma once

#include <stdexcept>
#include <vector>

#include <arrow/type_fwd.h>
#include <parquet/arrow/schema.h>

#include "xwalk/plugin/options.h"

namespace xwalk::plugin {

/// What a selection names is not there.
class NoSuchColumn : public std::invalid_argument {
  using std::invalid_argument::invalid_argument;
};

/// Returns the leaf columns that hold the wanted paths, ascending. A map is read whole, and so is
/// what a path does not enter. Throws NoSuchColumn for a path that is not there.
std::vector<int> leaves_of(const parquet::arrow::SchemaManifest& manifest,
                           const std::vector<ColumnPath>& paths);

/// Returns the top-level fields that hold the wanted paths, ascending.
std::vector<int> fields_of(const arrow::Schema& schema, const std::vector<ColumnPath>& paths);

}  // namespace xwalk::plugin
