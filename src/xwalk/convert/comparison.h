#pragma once

#include <functional>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "xwalk/convert/convert_options.h"
#include "xwalk/convert/dataset.h"
#include "xwalk/crosswalk/plan.h"
#include "xwalk/report/proof.h"

// An output and its inputs before their rows are compared, by rows (verify.h) or by checksums
// (compared_parts.h).

namespace xwalk::io {

/// Opens rows without a name again, with these options.
using OpenRows = std::function<Dataset(const InputOptions&)>;

/// An output and its inputs, open and planned.
struct OpenComparison {
  /// Has the names, the sizes and the verdict.
  report::ProvenTable table;
  /// The rows of the inputs, not converted.
  Input source;
  /// The output, as any reader opens it that knows only what its writer leaves.
  Input output;
  crosswalk::Plan plan;
  /// How the columns of the output differ from those of the plan.
  std::vector<crosswalk::ColumnDifference> columns;
};

/// Sets how bad rows are treated, as the conversion does; none is kept.
void set_comparing(ConvertOptions* options);

/// Opens both and plans the conversion with these options, which become those of this output.
/// Throws Error as `convert`, Usage for a format that is only written.
OpenComparison open_comparison(const OpenRows& open, const Location& output,
                               ConvertOptions* options);

/// Returns the rows of a source as the conversion of a plan writes them.
Input as_converted(Input source, const crosswalk::Plan& plan, const ConvertOptions& options);

/// Returns how an output is read after a conversion of rows of a format with these options.
InputOptions reading_of_output(Format source, const ConvertOptions& options);

/// Has values of any type compared in the form that the output has, unless the options name one.
void set_any(const hub::Schema& source, const hub::Schema& output, ConvertOptions* options);

/// Adds differences of columns to those that comparing the rows has found.
void add_columns(std::vector<crosswalk::ColumnDifference> found, crosswalk::RowDiff* diff);

/// Returns the names that the columns of a source have in the target, with the verdict on each.
std::map<std::string, hub::Verdict> verdicts_of(const crosswalk::Plan& plan);

/// Returns the size of a file, or of all files of a folder; nothing for what is not on a disk.
std::optional<uint64_t> size_on_disk(const Location& name);

/// Returns the format of an output that exists: by the options, its name, or its files. Nothing if
/// none of them says it.
std::optional<Format> format_of_existing(const Location& output, const OutputOptions& options);

/// Throws Error (Usage) for a format that is only written.
void check_readable_again(Format format);

}  // namespace xwalk::io
