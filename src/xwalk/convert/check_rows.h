#pragma once

#include <memory>
#include <string>

#include "xwalk/convert/convert_options.h"
#include "xwalk/io/rows/piece_reader.h"
#include "xwalk/io/rows/pipeline.h"
#include "xwalk/report/report.h"

namespace xwalk::io {

struct Destination;

/// Has the options add rows to those of an output, and returns the system that these are of. Throws
/// Error (Usage) for a path that names no format.
crosswalk::System set_addition(const Location& output, ConvertOptions* options);

/// Plans what `convert` would do with rows of a schema that is read already. Throws Error as
/// `plan_conversion`, and Usage for options that neither end takes.
crosswalk::Plan plan_schema(const crosswalk::AnySchema& source, const hub::Schema& rows,
                            const FileNotes& notes, crosswalk::System target,
                            ConvertOptions options);

/// Plans what `convert` would do with these options, for rows of a schema that is known before they
/// are opened: those of `input.select`. `notes` are of their files. `options` are those that
/// `set_reading` has settled. Throws Error as `plan_conversion`.
crosswalk::Plan plan_check(const crosswalk::AnySchema& source, const hub::Schema& rows,
                           const FileNotes& notes, crosswalk::System target,
                           const ConvertOptions& options);

/// Finds the output that the rows of some files would be added to; the options become those of that
/// conversion. Throws Error as `locate` and `set_addition`.
Destination locate_addition(const Location& output, const Locations& files,
                            ConvertOptions* options);

/// Plans what `convert` would do with these options that adds the rows to those of an output, and
/// reports everything that prevents it, where `convert` would stop at the first: a column that the
/// existing rows do not have, one of theirs that must not be missing, a type without a cast. The
/// options are then those of that conversion, and with `evolve` the existing rows have
/// the new columns. Without existing rows, the plan is that of a new output, with a note. Throws
/// Error (Io) if none can be added.
crosswalk::Plan plan_addition(const crosswalk::AnySchema& source, const hub::Schema& rows,
                              const FileNotes& notes, Destination* output, ConvertOptions* options);

/// Adds a report on each file of an input whose schemas were unified, and the properties of the
/// stored rows that the output does not keep.
void check_files(const FileNotes& notes, const crosswalk::Plan& plan, const ConvertOptions& options,
                 report::Check* check);

/// Sets what stops a conversion with these options (`fail_on`), how many rows it may reject before
/// it fails (`bears`), and source properties to report for every target.
void prepare_check(const crosswalk::AnySchema& source, const ConvertOptions& options,
                   report::Check* check);

/// Reads all rows of an input, casts them to the target and writes nothing. Adds to the check how
/// many would be rejected, where and why; for each path that may reject values, the smallest and
/// the largest value; and other findings. The plan is the one of a conversion with these options.
/// The input must be opened with `skip_bad_rows`. Only threads, progress and `cancelled` of
/// `pipeline` are used. With `append`, rows that do not fit the order of that output are rejected;
/// null for a new output. Throws Error, including errors that the conversion itself would throw.
void check_rows(Input input, crosswalk::System target, const ConvertOptions& options,
                PipelineOptions pipeline, report::Check* check,
                const Destination* append = nullptr);

/// Returns rows in the types of a plan's target in which those are bad that the writer of the
/// output leaves out: values without a form there, rows out of the order that its schema promises.
std::unique_ptr<SplitReader> as_written(std::unique_ptr<SplitReader> rows,
                                        const crosswalk::Plan& plan, const OutputOptions& options);

}  // namespace xwalk::io
