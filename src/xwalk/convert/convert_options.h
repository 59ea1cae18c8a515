#pragma once

#include <functional>
#include <optional>
#include <set>
#include <string>
#include <variant>
#include <vector>

#include "xwalk/crosswalk/plan.h"
#include "xwalk/hub/option.h"
#include "xwalk/io/formats/options.h"
#include "xwalk/io/rows/pipeline.h"
#include "xwalk/report/acceptance.h"

namespace xwalk::report {
struct Proof;
}

namespace xwalk::io {

/// A schema given for an output, in the notation of its system: a file or the text.
struct SchemaArgument {
  std::string argument;
  /// The option that gave it: TargetSchema, or Message for Parquet alone.
  hub::Option option = hub::Option::TargetSchema;
};

/// How far a conversion of several tables is.
struct TablesProgress {
  struct Table {
    std::string name;
    Progress done;
    bool failed = false;
  };
  size_t tables = 0;
  /// Those that have ended.
  size_t finished = 0;
  /// What all of them have moved, with the total if the sizes of the inputs are known.
  Progress all;
  std::vector<Table> running;
  /// Those that have ended since the last call. One that was complete before is not among them.
  std::vector<Table> ended;
};

/// The options of a conversion.
struct ConvertOptions {
  ConvertOptions();
  ConvertOptions(const ConvertOptions&);
  ConvertOptions(ConvertOptions&&) noexcept;
  ConvertOptions& operator=(const ConvertOptions&);
  ConvertOptions& operator=(ConvertOptions&&) noexcept;
  ~ConvertOptions();

  /// The interface that shows the result: its texts spell options as that interface does.
  hub::Interface interface = hub::Interface::Program;
  /// The options that the caller gave: those that neither format takes are refused.
  std::set<hub::Option> given;
  /// With `resume`: those that decide which rows and values the output has, as JSON by their ids.
  std::string given_json;
  InputOptions input;
  OutputOptions output;
  /// Callbacks for progress and bad rows, how many bad rows to accept, when to stop;
  /// `skip_bad_rows` applies to reading, too.
  PipelineOptions pipeline;
  crosswalk::PlanOptions plan;
  /// Accepts altered values.
  bool allow_lossy = false;
  /// The first verdict that is refused, and the findings that are accepted anyway. Without
  /// either, `allow_lossy` decides.
  std::optional<hub::Verdict> fail_on;
  std::vector<report::Acceptance> accepted;
  /// The schema of the output. Without it `input.schema` is used if the rows contain their schema
  /// and the output's do not, or if it is the format of a Skiff output.
  using Target = std::variant<std::monostate, SchemaArgument, crosswalk::AnySchema>;
  Target target;
  /// The schema and meaning of existing rows; see RowsThere.
  std::optional<hub::Schema> meaning;
  /// A file for rejected rows, with their reasons; see RejectFile.
  std::optional<Location> rejects;
  /// Writes that file only if rows are rejected.
  bool rejects_if_any = false;
  /// Called once files are open, with the first of them.
  std::function<void(const Location&, const FileNotes&)> on_open;
  /// Reads the output back and compares it with the inputs.
  bool verify = false;
  /// Called with the result of that. Without it, a difference is Error (Input).
  std::function<void(const report::Proof&)> on_proof;
  /// Keeps the complete files of a folder, and goes on after a file that fails; see
  /// resumed_tables.h.
  bool resume = false;
  /// Files of a folder that are converted at a time.
  int jobs = 1;
  /// With `resume`, instead of the pipeline's `on_progress`: called in the caller's thread some
  /// times a second, and at the end.
  std::function<void(const TablesProgress&)> on_tables;
  /// Called for each file that fails, by one thread at a time. Without it, the first error is
  /// thrown after all files.
  std::function<void(const Error&)> on_failure;
};

}  // namespace xwalk::io
