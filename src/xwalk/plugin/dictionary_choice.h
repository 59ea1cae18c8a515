#pragma once

#include <vector>

#include <arrow/record_batch.h>

namespace xwalk::plugin {

/// Returns the numbers of the leaves whose values differ so much that libparquet would give up
/// their dictionaries, as far as the first rows show. Until then it keeps a table of the distinct
/// values of each, which takes more memory and time than the values. Values that come again only
/// after the first rows are not seen.
std::vector<int> leaves_without_dictionary(const arrow::RecordBatch& first);

/// Returns the same of the values of one leaf.
bool outgrows_dictionary(const arrow::Array& array);

}  // namespace xwalk::plugin
