#pragma once

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "xwalk/cli/progress.h"
#include "xwalk/cli/row_options.h"
#include "xwalk/cli/session.h"
#include "xwalk/crosswalk/plan.h"
#include "xwalk/io/open.h"
#include "xwalk/io/pipeline.h"

namespace xwalk::cli {

/// What `xwalk convert` is told.
struct Conversion {
  RowOptions rows;
  crosswalk::PlanOptions plan = {.rows = true};
  io::OutputOptions output;
  std::vector<std::string> inputs;
  std::string out;
  /// The schema the output gets, where the person says it.
  std::optional<std::string> to_schema;
  /// The same for Parquet, by its own option.
  std::optional<std::string> message;
  bool allow_lossy = false;
  bool skip_bad_rows = false;
  std::optional<std::string> rejects;
  std::optional<int64_t> max_rejects;
};

/// Refuses to alter or leave out anything the person did not agree to.
void ask_consent(const crosswalk::Plan& plan, bool allow_lossy);

/// Runs one pipeline under the options: with progress on `line`, rejects and interrupts.
/// `move` starts the pipeline it is given the options of.
io::Progress run_with(const Conversion& conversion, ProgressLine& line,
                      const std::function<io::Progress(const io::PipelineOptions&)>& move);

/// Prints what reading decided or met, and the line that ends a conversion, or the JSON form of
/// both; rows may be on standard output, so all goes to standard error.
void print_summary(const io::Progress& done, double seconds, const crosswalk::Plan& plan,
                   const hub::Findings& notes, const std::string& output, Session& session);

/// Converts all tables of a Skiff stream in one pass, each to the output that `{table}` in the
/// output's name gives it.
int convert_tables(Conversion& conversion, Session& session);

}  // namespace xwalk::cli
