#pragma once

#include <memory>
#include <string_view>

#include "xwalk/hub/type.h"
#include "xwalk/io/rows/piece_reader.h"
#include "xwalk/parquet/file.h"

namespace xwalk::io {

/// Drops the keys by which Spark says that a file has dates or times before 1582-10-15 in the
/// Julian calendar, and its release if that always wrote them so: rows that are read have them in
/// the Gregorian one. A key stays with the name of the zone if times before 1900 are not known.
void drop_calendar_keys(hub::Metadata* metadata);

/// Has the dates and times of a file that Spark wrote in the Julian calendar read as the same dates
/// in the proleptic Gregorian calendar, as Spark reads them. Rows with instants before 1900 in
/// another zone than UTC are rejected: their offset depends on the history of the zone. Returns the
/// reader itself for other files. `name` is that of the file.
std::unique_ptr<SplitReader> with_gregorian_times(std::unique_ptr<SplitReader> reader,
                                                  const parquet::Footer& footer,
                                                  std::string_view name);

}  // namespace xwalk::io
