#pragma once

#include <memory>
#include <string>
#include <vector>

#include "xwalk/crosswalk/plan.h"
#include "xwalk/hub/batch.h"
#include "xwalk/hub/finding.h"
#include "xwalk/io/formats/options.h"
#include "xwalk/io/places/input_files.h"
#include "xwalk/io/places/output_place.h"

namespace xwalk::io {

/// Opens a folder of files that are cut by the values of columns, as Hive writes tables: the rows
/// of each combination go to `day=2024-01-01/country=DE/part-00000.parquet`, which does not have
/// those columns itself. A null is written as `__HIVE_DEFAULT_PARTITION__`; characters that file
/// names cannot contain are written as `%2F`. With Create and Overwrite the folder appears, or
/// replaces the existing one, when it is complete. Append adds files to the existing folder, all at
/// the end.
///
/// The plan of the rows must have been settled with `plan_partitions`. Throws Error: Usage for a
/// format that has no folders of files and for a missing column, Io for a folder that exists or has
/// other contents.
std::unique_ptr<hub::BatchWriter> open_partitioned(const Destination& output, const WritePlan& plan,
                                                   const OutputOptions& options);

/// The same without files, for a trial: rejects the rows that have no folder, or no place in the
/// order of their file. `there` are the existing files.
std::unique_ptr<hub::BatchWriter> try_partitioned(const WritePlan& plan, const InputFiles& there,
                                                  const OutputOptions& options);

/// Returns why rows of a schema cannot be added to the files of a folder: a finding for each column
/// that only the files or only the rows have, or that has another type. Returns nothing if there
/// are no files, or if they are replaced. Throws Error (Usage) for files in folders by other
/// columns.
hub::Findings partition_conflicts(const Location& folder, const InputFiles& there,
                                  const hub::Schema& schema, const OutputOptions& options);

/// Adds findings to a plan about columns that are written as names of folders. Readers guess a
/// value's type from its text, so only int64 and date32 are restored. Throws Error (Usage) for a
/// system without such folders, and for columns that are missing, repeated, or of a type that
/// folder names cannot hold. Text, integers, dates and booleans are allowed.
void plan_partitions(const std::vector<std::string>& columns, crosswalk::Plan* plan);

}  // namespace xwalk::io
