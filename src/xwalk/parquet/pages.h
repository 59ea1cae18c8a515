#pragma once

#include <string_view>
#include <vector>

#include "xwalk/parquet/type.h"

namespace xwalk::parquet {

/// Returns the leaves, by their place in the schema, whose every page of values holds indices of
/// dictionaries of at most `dictionary_bytes`: columns of text or bytes, not those in groups. They
/// are best read as indices. `file` is the whole file and `footer` its FileMetaData; only headers
/// of pages are looked at. Bytes that are malformed make no such leaf.
std::vector<int> dictionary_leaves(std::string_view file, std::string_view footer,
                                   const Schema& schema, const std::vector<int>& wanted,
                                   int64_t dictionary_bytes);

}  // namespace xwalk::parquet
