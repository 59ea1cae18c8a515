#pragma once

#include "xwalk/hub/type.h"

namespace xwalk::parquet {

/// Applies the Arrow schema that another writer kept beside the data (`ARROW:schema`) to the one
/// that `to_arrow` gives: zones, durations, seconds, layouts, sizes of lists, dictionaries, sorted
/// keys, extension types and metadata come back wherever the written field still describes the
/// column. Batches have to be cast from `natural` to the result.
hub::Schema with_arrow_schema(const hub::Schema& natural, const hub::Schema& written);

/// Returns the written type if a writer stores it as the file's type, by the same rules; else the
/// file's type.
hub::Type with_arrow_type(const hub::Type& natural, const hub::Type& written);

}  // namespace xwalk::parquet
