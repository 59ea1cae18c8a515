#pragma once

#include <string>
#include <vector>

#include "xwalk/cli/command_line.h"
#include "xwalk/cli/options.h"
#include "xwalk/cli/project.h"
#include "xwalk/cli/report_output.h"
#include "xwalk/cli/session.h"
#include "xwalk/convert/facade.h"

namespace xwalk::cli {

/// What `compat` is asked.
struct CompatOptions {
  io::OptionTokens tokens;
  std::string old_path;
  std::string new_path;
  crosswalk::CompatMode mode = crosswalk::CompatMode::Backward;
  std::vector<std::string> allow;
  ReportOutput output;
  ProjectOptions project;
};

void declare_compat(CommandLine& command, CompatOptions* options);

/// Checks whether data of the one can be read as the other, table by table. Throws Error.
io::AnyReport compare(const CompatOptions& options, Session& session,
                      std::vector<report::Acceptance> accepted = {});

}  // namespace xwalk::cli
