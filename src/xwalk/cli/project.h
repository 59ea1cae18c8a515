#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include <CLI/App.hpp>

#include "xwalk/cli/project_file.h"
#include "xwalk/cli/report_output.h"
#include "xwalk/cli/session.h"

// `check` and `compat` without inputs ask the pairs of a project's own file.

namespace xwalk::cli {

/// Declares --config.
void declare_project(CLI::App& app, std::optional<std::string>* config);

/// Asks the pairs of a project, those of `compat` alone where `only` names it, and prints what they
/// found together; returns the exit code. `app` has read the words, which may be about all pairs
/// and none. Throws Error.
int run_project(const CLI::App& app, const std::optional<std::string>& config,
                std::string_view only, const ReportOutput& output, Session& session);

/// Returns what of a section counts today; tells of the rest on standard error.
std::vector<crosswalk::Acceptance> accepted_today(const ProjectFile& file,
                                                  const ProjectSection& section, Session& session);

/// Returns the section without `old` that a file belongs to; null where none is about it.
const ProjectSection* section_of(const ProjectFile& file, const std::string& path);

}  // namespace xwalk::cli
