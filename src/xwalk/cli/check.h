#pragma once

#include <optional>
#include <string>
#include <vector>

#include <CLI/App.hpp>

#include "xwalk/cli/planning.h"
#include "xwalk/cli/project.h"
#include "xwalk/cli/report_output.h"
#include "xwalk/cli/session.h"
#include "xwalk/convert/check_inputs.h"

namespace xwalk::cli {

/// What `check` is asked.
struct CheckOptions {
  RowOptions rows;
  /// As of the conversion that is asked about.
  io::ConvertOptions convert;
  TargetWords target;
  std::vector<std::string> inputs;
  /// The output whose rows others are to be added to.
  std::optional<std::string> append;
  std::optional<std::string> max_rejects;
  /// The first verdict that counts as a failure; nothing for the first that `convert` refuses.
  std::optional<hub::Verdict> fail_on;
  bool read_rows = false;
  bool read_readers = false;
  ReportOutput output;
  ProjectOptions project;
};

void declare_check(CLI::App& app, CheckOptions* options);

/// Asks what a conversion would keep of each table of the inputs. Throws Error.
io::CheckedInputs check(const CheckOptions& options, Session& session);

}  // namespace xwalk::cli
