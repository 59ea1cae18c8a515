#pragma once

#include <string_view>

#include "xwalk/lance/schema.h"

namespace xwalk::lance {

/// Returns the schema with no nulls where data files of a version do not keep them: those of "0.1"
/// keep them in text, bytes and nulls alone, those of "2.0" not in structs.
Schema with_nulls_kept_by(std::string_view data_version, Schema schema);

}  // namespace xwalk::lance
