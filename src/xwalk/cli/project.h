#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "xwalk/cli/command_line.h"
#include "xwalk/cli/project_file.h"
#include "xwalk/cli/report_output.h"
#include "xwalk/cli/session.h"

// `check` and `compat` without inputs check the pairs of the project file.

namespace xwalk::cli {

/// How the pairs of a project are checked.
struct ProjectOptions {
  std::optional<std::string> config;
  /// Hosts that get credentials although the file names them.
  std::vector<std::string> allow_hosts;
  /// The file comes from a stranger.
  bool untrusted = false;
};

/// Declares --config, --allow-host and --untrusted.
void declare_project(CommandLine& command, ProjectOptions* options);

/// Reads the project's file, and limits this process to the hosts that may get credentials: those
/// of --allow-host, of the user's configuration and of the environment. With --untrusted there are
/// none, and the file may name only files of its repository. Throws Error.
ProjectFile open_project(const std::string& path, const ProjectOptions& options);

/// Returns a sentence about the hosts that the file names and that got no credentials, or "".
std::string about_credentials();

/// Checks the pairs of a project, only those of `compat` if `only` names it, prints the combined
/// result, and returns the exit code. `command` has parsed the arguments, which may only be options
/// for all pairs. Throws Error.
int run_project(const CommandLine& command, const ProjectOptions& options, std::string_view only,
                const ReportOutput& output, Session& session);

/// Returns what of a section counts today; tells of the rest on standard error.
std::vector<crosswalk::Acceptance> accepted_today(const ProjectFile& file,
                                                  const ProjectSection& section, Session& session);

/// Returns the section without `old` that a file belongs to; null if no section has it.
const ProjectSection* section_of(const ProjectFile& file, const std::string& path);

}  // namespace xwalk::cli
