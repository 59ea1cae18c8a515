#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "xwalk/base/byte_stream.h"
#include "xwalk/convert/convert_options.h"
#include "xwalk/convert/dataset.h"
#include "xwalk/hub/batch.h"

namespace xwalk::io {

class RejectFile;
struct Destination;

/// The result of a conversion.
struct Converted {
  /// The path of the output, "" for one without.
  Location output;
  crosswalk::Plan plan;
  Progress done;
  /// Findings of reading that are in no schema.
  hub::Findings notes;
  /// The rows that were inserted and updated, once the output is complete; null unless they replace
  /// others by key.
  std::shared_ptr<const Upserted> upserted = nullptr;
  /// An earlier run has written the output, or added the rows to it.
  bool was_complete = false;
};

/// Where rows go: a path, or the bytes of a host, whose format the options must name.
using Output = std::variant<Location, std::unique_ptr<ByteSink>>;

/// Takes the rows of a dataset as a conversion to the format of `options->output` reads them.
/// Throws Error as `open_input`.
Input take_for(Dataset& rows, ConvertOptions* options);

/// A conversion of rows to one output that has its plan, with consent, and its output open. Its
/// output gets its name with the others of `options.output.set`.
class Conversion {
 public:
  /// Plans, asks for consent and opens the output. Throws Error as `convert`.
  Conversion(Input input, Output output, ConvertOptions options);
  /// The same for the files of names, which are opened for an output. Throws Error as `convert`.
  Conversion(const Locations& inputs, const Location& output, ConvertOptions options);

  /// Returns the path of the output, "" for one without.
  const Location& output() const { return result_->output; }
  /// Returns true if the rows were added before, which a resumed conversion that adds rows finds
  /// out: it has no more to do than `finish`.
  bool was_added() const { return result_->was_complete; }
  /// Moves all rows. Throws Error as `run_pipeline`.
  void run(const PipelineOptions& pipeline, RejectFile* rejects);
  /// Returns the result, once.
  Converted finish() { return *std::move(result_); }

 private:
  /// Finds the output, and takes over the schema of rows to which the input's are added.
  std::optional<Destination> locate_output(const Output& output);
  /// Returns true if inputs whose rows were added before are left out.
  bool resumes_addition() const {
    return options_.resume && options_.output.mode == OutputMode::Append;
  }
  /// Runs a step that refuses rows that were added before. A resumed conversion that adds rows
  /// takes note and goes on.
  void unless_added(const std::function<void()>& step);
  void open(Output output);

  Input input_;
  ConvertOptions options_;
  /// Notes on columns that the existing rows get.
  hub::Findings added_;
  std::optional<Converted> result_;
  bool was_added_ = false;
  std::unique_ptr<hub::BatchWriter> writer_;
  /// Rows that the engine of both ends moves directly; null for others.
  std::shared_ptr<OpenedRows> opened_;
};

/// The conversions of one command, made one after the other.
class ConversionList {
 public:
  virtual ~ConversionList() = default;
  /// Returns the next conversion; null after the last.
  virtual std::unique_ptr<Conversion> next() = 0;
  /// Called with the result of each once its rows are written.
  virtual void finished(Converted*) {}
};

/// Runs all conversions of a list with one file of rejected rows, and gives all outputs of
/// `options.output.set` their names at the end. `output` is the name of the whole. Throws Error;
/// then no output has its name, and the rejected rows are complete if a row was the reason.
std::vector<Converted> run_conversions(ConversionList& list, const ConvertOptions& options,
                                       const Location& output);

/// The same for conversions that are made already.
std::vector<Converted> run_conversions(std::vector<std::unique_ptr<Conversion>> all,
                                       const ConvertOptions& options, const Location& output);
/// Moves rows, and returns the counts.
using MoveRows = std::function<Progress(const PipelineOptions&, RejectFile*)>;

/// The same for one function that moves all rows.
Progress run_with_rejects(const ConvertOptions& options, const Location& output,
                          const MoveRows& run);

/// Calls `run` with a pipeline whose rejected rows name the only file of an input; "" for several.
Progress naming_file(PipelineOptions pipeline, const std::string& file,
                     const std::function<Progress(const PipelineOptions&)>& run);

/// Returns the name of the only file in messages; "" for several.
std::string only_file(const Locations& files);

/// Adds what one conversion has moved to a sum.
void add_to(Progress* sum, const Progress& one);

}  // namespace xwalk::io
