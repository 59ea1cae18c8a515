#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "xwalk/cli/command_line.h"
#include "xwalk/cli/project_file.h"
#include "xwalk/cli/report_output.h"
#include "xwalk/cli/section_outputs.h"
#include "xwalk/cli/session.h"
#include "xwalk/convert/convert.h"
#include "xwalk/convert/named_options.h"

// `check`, `compat` and `convert` without inputs take the pairs of the project file.

namespace xwalk::cli {

/// How the pairs of a project are checked.
struct ProjectOptions {
  std::optional<std::string> config;
  /// Hosts that get credentials although the file names them.
  std::vector<std::string> allow_hosts;
  /// The file comes from a stranger.
  bool untrusted = false;
  /// Names that the command line gives, which no limit of the file is about.
  std::vector<std::string> named;
  /// Adds entries to the file for the findings that fail, with this reason and this last day.
  bool write_accept = false;
  /// They are for all tables of their section, and a pattern is for many paths.
  bool wide = false;
  std::optional<std::string> reason;
  std::optional<std::string> expires;
};

/// Declares --config and --allow-host, and --untrusted for a command that writes nothing.
void declare_project(CommandLine& command, ProjectOptions* options, bool writes = false);
/// Declares --write-accept, --wide, --reason and --expires.
void declare_write_accept(CommandLine& command, ProjectOptions* options);

/// Reads the project's file, and limits this process to the hosts that may get credentials: those
/// of --allow-host, of the user's configuration and of the environment. With --untrusted there are
/// none. Limits the places that it reads and writes: with --untrusted to the repository of the file
/// and to the names that the user gave, without --config its outputs to the repository. Throws
/// Error.
ProjectFile open_project(const std::string& path, const ProjectOptions& options);

/// Returns the options of a `[[convert]]`, added to those given on the command line, and that of
/// resuming. Throws Error.
io::OptionTokens conversion_tokens(const ProjectSection& section, io::OptionTokens given);

/// The outputs of a project's conversions, each by the line of its section.
class ProjectOutputs {
 public:
  explicit ProjectOutputs(std::string file) : file_(std::move(file)) {}

  /// Adds the outputs of a section. Throws Error (Usage) if another conversion writes one of them,
  /// and as `outputs_of`.
  std::vector<SectionOutput> add(const ProjectSection& section, const OptionsOf& options_of);

 private:
  std::string file_;
  std::map<std::string, uint64_t> lines_;
};

/// Returns a sentence about the hosts that the file names and that got no credentials, or "".
std::string about_credentials();

/// Reads the project's file for a command without inputs. `usage` is the command with inputs, and
/// `missing` what it lacks. `command` has parsed the arguments, which may only be options for all
/// pairs. Throws Error.
ProjectFile project_of(const CommandLine& command, const ProjectOptions& options,
                       std::string_view missing, std::string_view usage);

/// Checks the pairs of a project and its conversions, only those of `compat` if `only` names it,
/// prints the combined result, and returns the exit code. `command` has parsed the arguments, which
/// may only be options for all pairs. Throws Error.
int run_project(const CommandLine& command, const ProjectOptions& options, std::string_view only,
                const ReportOutput& output, Session& session);

/// The entries of a section that have not expired. All that it is made with must outlive it.
class AcceptedToday {
 public:
  AcceptedToday(const ProjectFile& file, const ProjectSection& section, Session& session)
      : file_(file), section_(section), session_(session) {}

  /// Returns those that are about a table. Prints each expired one to standard error, once.
  std::vector<report::Acceptance> of(const std::string& table);

 private:
  const ProjectFile& file_;
  const ProjectSection& section_;
  Session& session_;
  /// The lines of those that were printed.
  std::set<uint64_t> reported_;
};

/// Checks the options of --write-accept before anything is read. Throws Error (Usage).
void check_write_accept(const ProjectOptions& options);

/// Adds entries for what fails in a report to a section of the file, and returns them.
std::vector<report::Acceptance> write_accept(const ProjectFile& file, const ProjectSection& section,
                                             const report::CompatCheck& report,
                                             const ProjectOptions& options, Session& session);

/// Returns `fail-on` of a `[[convert]]`. Throws Error (Usage).
std::optional<hub::Verdict> fail_on_of(const ProjectSection& section);

/// Returns the section without `old` that a file belongs to; null if no section has it.
const ProjectSection* section_of(const ProjectFile& file, const std::string& path);

}  // namespace xwalk::cli
