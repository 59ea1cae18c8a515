#pragma once

#include <optional>
#include <string>
#include <vector>

#include "xwalk/cli/command_line.h"
#include "xwalk/cli/options.h"
#include "xwalk/cli/project.h"
#include "xwalk/cli/report_output.h"
#include "xwalk/cli/session.h"
#include "xwalk/convert/any_report.h"

namespace xwalk::cli {

/// What `check` is asked.
struct CheckOptions {
  /// Those of the conversion to check.
  io::OptionTokens tokens;
  /// The format or the system of the output.
  std::optional<std::string> to;
  std::vector<std::string> inputs;
  /// The existing output to append to.
  std::optional<std::string> append;
  /// The first verdict that counts as a failure; nothing for the first that `convert` refuses.
  std::optional<hub::Verdict> fail_on;
  bool read_rows = false;
  bool read_readers = false;
  /// Each file is a table.
  bool apart = false;
  ReportOutput output;
  ProjectOptions project;
};

void declare_check(CommandLine& command, CheckOptions* options);

/// Checks what a conversion would keep of each table of the inputs. Throws Error.
io::AnyReport check(const CheckOptions& options, Session& session);

}  // namespace xwalk::cli
