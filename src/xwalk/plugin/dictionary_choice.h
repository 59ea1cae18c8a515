#pragma once

#include <cstdint>
#include <vector>

#include <arrow/record_batch.h>

namespace xwalk::plugin {

/// Bytes that a dictionary of few long values may take: the usual limit is for many values.
inline constexpr int64_t kMostDictionaryBytes = int64_t{16} << 20;

/// Returns the numbers of the leaves whose values differ so much that libparquet would give up
/// their dictionaries, as far as the first rows show. Until then it keeps a table of the distinct
/// values of each, which takes more memory and time than the values. Values that come again only
/// after the first rows are not seen.
std::vector<int> leaves_without_dictionary(const arrow::RecordBatch& first);

/// Returns how many bytes the dictionary of one leaf may take, as its first values show; 0 if they
/// differ so much.
int64_t dictionary_bytes(const arrow::Array& first);

}  // namespace xwalk::plugin
