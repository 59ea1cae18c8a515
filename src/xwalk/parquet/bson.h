#pragma once

#include <string_view>

namespace xwalk::parquet {

/// Returns true if the bytes are one BSON document: sizes, element types and nesting.
bool is_valid_bson(std::string_view bytes);

}  // namespace xwalk::parquet
