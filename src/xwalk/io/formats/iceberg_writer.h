#pragma once

#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "xwalk/base/path.h"
#include "xwalk/crosswalk/plan.h"
#include "xwalk/hub/batch.h"
#include "xwalk/iceberg/type.h"
#include "xwalk/io/formats/options.h"

namespace xwalk::io {

/// The version of the table format of new tables, and the newest whose rows pyiceberg commits.
inline constexpr int kWrittenVersion = 2;

/// Returns the version of the table format that a field needs, without its children.
int own_version(const iceberg::Field& field);

/// Returns the version of the table format that fields need.
int version_needed(const std::vector<iceberg::Field>& fields);

/// Returns the path of the field at a place among the children of a type at `path`; of a column, if
/// that is empty.
Path path_below(iceberg::Kind above, const Path& path, const iceberg::Field& field, size_t place);

/// Starts the engine for a table of a catalog that rows are written to, which `place` keeps for the
/// writer. Returns the schema of the table; nothing if there is no table. Throws Error.
std::optional<iceberg::Schema> begin_iceberg(OutputPlace* place);

/// Opens a writer of data files of a table, which `finish` adds to it in one snapshot; a table that
/// does not exist is made with them. Rows are split by the values of `options.partition_by`:
/// columns
/// (`day`) and times of columns (`day(ts)`), with one file for each part at least. Throws Error
/// (Usage, Unsupported) for a partition that the writer does not know.
std::unique_ptr<hub::BatchWriter> write_iceberg(const OutputPlace& place, const WritePlan& plan,
                                                const OutputOptions& options);

/// Asks the engine whether that writer would begin, and writes nothing. Throws Error as it does.
void ask_iceberg(const OutputPlace& place, const WritePlan& plan, const OutputOptions& options);

/// Checks the requested partitions of an output. Throws Error (Usage).
void check_iceberg_partitions(const std::vector<std::string>& partition_by,
                              const hub::Schema& rows);

}  // namespace xwalk::io
