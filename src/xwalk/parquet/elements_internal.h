#pragma once

#include "xwalk/parquet/thrift_internal.h"
#include "xwalk/parquet/type.h"

namespace xwalk::parquet {

/// Reads the value of FileMetaData.schema at the reader's place.
Schema read_elements(thrift::Reader* reader);

/// Reads a LogicalType union at the reader's place. Members and parameters that this version does
/// not know give LogicalType::future.
LogicalType read_logical_type(thrift::Reader* reader);

void write_logical_type(const LogicalType& type, std::string* out);

}  // namespace xwalk::parquet
