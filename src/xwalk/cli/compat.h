#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "xwalk/cli/command_line.h"
#include "xwalk/cli/options.h"
#include "xwalk/cli/project.h"
#include "xwalk/cli/report_output.h"
#include "xwalk/cli/session.h"
#include "xwalk/convert/tables.h"

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

/// The answers for all tables of two inputs, with what they are about.
struct Compared {
  std::unique_ptr<io::PairedTables> tables;
  std::vector<crosswalk::CompatCheck> checks;

  /// Returns the answers as one report. It refers to this.
  crosswalk::ReportSet set() const;
  /// Returns the errors of files that cannot be read.
  std::vector<Error> errors() const;
};

/// Asks whether data of the one can be read as the other, table by table. Throws Error.
Compared compare(const CompatOptions& options, Session& session);

}  // namespace xwalk::cli
