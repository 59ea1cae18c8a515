#pragma once

#include <cstddef>
#include <functional>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <variant>
#include <vector>

#include "xwalk/base/byte_stream.h"
#include "xwalk/convert/dataset.h"
#include "xwalk/crosswalk/plan.h"
#include "xwalk/hub/finding.h"
#include "xwalk/hub/option.h"
#include "xwalk/io/formats/options.h"
#include "xwalk/io/rows/pipeline.h"

// The whole of a conversion: open, plan, ask for consent, write, move, report. Every door fills
// these options and shows this result.

namespace xwalk::io {

/// A schema given for an output, in the words of its system: a file or the text.
struct SchemaArgument {
  std::string argument;
  /// Where it was given: TargetSchema, or Message for Parquet alone.
  hub::Option option = hub::Option::TargetSchema;
};

/// What a conversion is told.
struct ConvertOptions {
  /// The options that the caller was given, by name: those that neither format takes are refused.
  std::set<hub::Option> given;
  InputOptions input;
  OutputOptions output;
  /// Callbacks for progress and bad rows, how many bad rows to accept, when to stop;
  /// `skip_bad_rows` holds for reading, too.
  PipelineOptions pipeline;
  crosswalk::PlanOptions plan;
  /// Agrees to altered values.
  bool allow_lossy = false;
  /// The schema the output is to have. Without it `input.schema` is meant where the rows have a
  /// schema of their own and the output's have none, or where it holds the format of a Skiff
  /// output.
  using Target = std::variant<std::monostate, SchemaArgument, crosswalk::AnySchema>;
  Target target;
  /// What the rows mean that have this schema already; see RowsThere.
  std::optional<hub::Schema> meaning;
  /// A file for the rows that are left out, with their reasons; see RejectWriter.
  std::optional<std::string> rejects;
  /// Called once the input is open.
  std::function<void(const Input&)> on_open;
};

/// What a conversion did.
struct Converted {
  /// The path of the output, "" for one without.
  std::string output;
  crosswalk::Plan plan;
  Progress done;
  /// What reading decided or met that no schema tells.
  hub::Findings notes;
};

/// Where rows go: a path, or the bytes of a host, whose format the options must name.
using Output = std::variant<std::string, std::unique_ptr<ByteSink>>;

/// Moves rows to an output. `{table}` in its path stands for the index of a table: then all tables
/// of one Skiff stream go each to an output of its own, in one pass, and those that YSON rows name
/// one after the other. An output that ends with `/` is a folder, in which each file of the inputs
/// becomes one of its name. Returns one result per output. No output has its name before all its
/// rows are written. Of rows that are open, the options must not say how they are opened;
/// otherwise `options.input` are those of the dataset.
///
/// Throws Error: what `open_input`, `open_output` and `run_pipeline` throw; Unsupported with the
/// path for a column that cannot be converted, a crosswalk::Refusal if consent is missing; Usage
/// for options that contradict each other.
std::vector<Converted> convert(Dataset& rows, Output output, ConvertOptions options);

/// The same for the rows of names that are opened with `options.input`.
std::vector<Converted> convert(const std::vector<std::string>& inputs, const std::string& output,
                               ConvertOptions options);

/// Makes bad rows skipped if an option limits or keeps them and `on_error` is not given.
void set_tolerance(ConvertOptions* options);

/// Returns what several conversions have moved.
Progress sum_of(const std::vector<Converted>& all);

/// Returns which of several conversions keeps least; the first of those alike.
size_t worst_of(const std::vector<Converted>& all);

/// Has an input be read for an output of a system; called before it is opened. Values that Arrow
/// cannot hold travel as the bytes of Parquet from Parquet to Parquet, where types follow from the
/// input's. Where the output has YTsaurus's types, what streams tell of rows beside their columns
/// goes along, and columns that it is to have are looked for in `$other_columns`.
void set_reading(crosswalk::System target, ConvertOptions* options);

/// Plans the way of rows of a schema to a system as `convert` does, by the schema that the output
/// is to have if one is given. Asks for no consent. `stream` is the schema of Skiff rows, whose
/// special columns are no columns of `hub`. Throws as `convert` does.
crosswalk::Plan plan_conversion(crosswalk::System source, const hub::Schema& hub,
                                crosswalk::System target, const ConvertOptions& options,
                                const skiff::Schema* stream = nullptr);

/// Plans the way of an input's rows to a system, and asks for consent. Throws as `convert` does.
crosswalk::Plan plan_rows(const Input& input, crosswalk::System target,
                          const ConvertOptions& options);

/// Has rows of a system come as Arrow with the names and types that options ask for; as they are
/// where they ask for none. Bad rows come with their pieces. Throws Error as `plan_rows`.
std::unique_ptr<SplitReader> shaped(std::unique_ptr<SplitReader> rows, crosswalk::System source,
                                    const ConvertOptions& options);

/// Returns what the reader of an input decided or met that no schema tells.
hub::Findings notes_of(const SplitReader& reader);

/// Returns those notes of which the output of a plan tells nothing.
hub::Findings untold(hub::Findings notes, const crosswalk::Plan& plan);

}  // namespace xwalk::io
