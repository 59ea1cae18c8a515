#pragma once

#include <memory>
#include <string>
#include <vector>

#include "xwalk/hub/batch.h"
#include "xwalk/io/formats/options.h"

namespace xwalk::io {

/// Opens a writer of data files of a table, which `finish` adds to it in one version; a table that
/// does not exist is made with them. Rows are split by the values of the columns
/// `options.partition_by`, which the files do not have. Throws Error (Usage, Unsupported) for a
/// partition that the writer does not know, and for a table whose writers must do more than add
/// files.
std::unique_ptr<hub::BatchWriter> write_delta(const OutputPlace& place, const WritePlan& plan,
                                              const OutputOptions& options);

/// Asks the engine whether that writer would begin, and writes nothing. Throws Error as it does.
void ask_delta(const OutputPlace& place, const WritePlan& plan, const OutputOptions& options);

/// Returns a writer that keeps nothing and refuses the rows that no part of a table takes. Null for
/// a table without parts.
std::unique_ptr<hub::BatchWriter> try_delta(const Location* there, const WritePlan& plan,
                                            const OutputOptions& options);

/// Checks the requested partitions of an output. Throws Error (Usage, Unsupported).
void check_delta_partitions(const std::vector<std::string>& partition_by, const hub::Schema& rows);

}  // namespace xwalk::io
