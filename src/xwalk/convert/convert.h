#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "xwalk/base/error.h"
#include "xwalk/convert/conversion.h"
#include "xwalk/convert/convert_options.h"
#include "xwalk/convert/dataset.h"

// The whole of a conversion: open, plan, ask for consent, write, move, report. Every interface
// fills the options and shows the result.

namespace xwalk::io {

/// Moves rows to an output. `{table}` in its path means the index of a table: each table of a Skiff
/// stream is then written to its own output, in one pass, and those of YSON rows one after the
/// other. An output that ends with `/` is a folder, in which each input file becomes a file of the
/// same name. Returns one result per output. No output has its name before all its rows are
/// written. If the rows are open already, the options must not change how they are opened.
/// Otherwise `options.input` are those of the dataset.
///
/// Throws Error: what `open_input`, `open_output` and `run_pipeline` throw; Unsupported with the
/// path for a column that cannot be converted, a crosswalk::Refusal if consent is missing; Usage
/// for options that contradict each other.
std::vector<Converted> convert(Dataset& rows, Output output, ConvertOptions options);

/// The same for the rows of names that are opened with `options.input`.
std::vector<Converted> convert(const Locations& inputs, const Location& output,
                               ConvertOptions options);

/// One output of a conversion: the inputs whose rows it has, and the options for them.
struct OutputOf {
  Locations inputs;
  Location output;
  ConvertOptions options;
  /// The folder of an output that is one of several with names of their inputs, else "".
  Location folder = {};
  /// The place of the options in a project's file, for errors about them: `xwalk.toml:7`.
  std::string origin = {};
};

/// Adds a sentence to the hint of an error.
void add_hint(std::string_view sentence, Error* error);
/// Adds the place of the options of an output to the hint of an error about them.
void name_origin(const OutputOf& output, Error* error);

/// Plans the conversions whose options name columns, before rows of one are moved: a column that
/// does not exist, or a cast that is impossible, ends all of them. Other errors are left to the
/// conversion. Throws Error (Usage, Unsupported).
void plan_columns(std::vector<OutputOf>* outputs);

/// Returns the outputs that `convert` writes for these names and options. Throws Error as it does.
std::vector<OutputOf> outputs_of(const Locations& inputs, Location output, ConvertOptions options);

/// Returns the outputs of a conversion for `resume_tables`. Throws Error as `convert`, and Usage
/// for an output that cannot be resumed.
std::vector<OutputOf> resumable_outputs(const Locations& inputs, const Location& output,
                                        ConvertOptions options);

/// Decides whether bad rows are skipped: by `on_error`, or since an option keeps or limits them.
void set_tolerance(ConvertOptions* options);

/// Returns what several conversions have moved.
Progress sum_of(const std::vector<Converted>& all);

/// Returns which of several conversions keeps least; the first of those alike.
size_t worst_of(const std::vector<Converted>& all);

}  // namespace xwalk::io
