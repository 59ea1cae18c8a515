#pragma once

#include <string_view>
#include <vector>

#include "xwalk/crosswalk/column_casts.h"
#include "xwalk/parquet/type.h"

namespace xwalk::crosswalk {

/// The type of a column that is shredded by the types of its first rows.
inline constexpr std::string_view kShredAuto = "auto";

/// Returns a Parquet schema whose VARIANT columns are shredded as requested. `auto` changes nothing
/// here: the writer does it. Throws Error (Usage) for a path that is not a VARIANT column, a
/// repeated one, and for a type that a VARIANT does not have.
parquet::Schema with_shredding(const parquet::Schema& schema,
                               const std::vector<CastOption>& requested);

/// Returns the requests for `auto`.
std::vector<CastOption> sampled(const std::vector<CastOption>& requested);

}  // namespace xwalk::crosswalk
