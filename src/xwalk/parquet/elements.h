#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "xwalk/parquet/type.h"

namespace xwalk {
class SchemaMemory;
}

namespace xwalk::parquet {

namespace thrift {
class Reader;
}

/// Reads the Thrift (compact) list of SchemaElement that a footer holds, depth first, root first.
/// `origin` is the position of the bytes in their file, for messages. Fields and annotations that
/// this version does not know are kept. Throws Error (Input) with the byte on malformed bytes,
/// Error (Unsupported) for a physical type of the future.
Schema read_schema_elements(std::string_view bytes, uint64_t origin = 0);

/// Writes the list of SchemaElement: each annotation in the forms its node holds, unknown fields
/// as they came.
std::string write_schema_elements(const Schema& schema);

/// Reads the value of FileMetaData.schema at the reader's place, within a memory budget.
Schema read_elements(thrift::Reader* reader, SchemaMemory* memory);

/// Reads a LogicalType union at the reader's place. Members and parameters that this version does
/// not know give LogicalType::future.
LogicalType read_logical_type(thrift::Reader* reader);

void write_logical_type(const LogicalType& type, std::string* out);

}  // namespace xwalk::parquet
