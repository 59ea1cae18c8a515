#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "xwalk/crosswalk/acceptance.h"

namespace xwalk::cli {

inline constexpr std::string_view kProjectFile = "xwalk.toml";

/// A finding that the file accepts, and the line that says so.
struct FileAcceptance {
  crosswalk::Acceptance finding;
  uint64_t line = 0;
};

/// One `[[check]]` or `[[compat]]` of a project's file: questions in the words of the verb.
struct ProjectSection {
  /// The verb that is asked.
  std::string_view verb;
  /// Options, as on the command line; paths are those of the folder the program runs in.
  std::vector<std::string> options;
  /// The arguments after the options, for each check: more options, then the inputs.
  std::vector<std::vector<std::string>> questions;
  /// For `compat` without `old`: the files to check, whose old version the caller supplies.
  std::vector<std::string> files;
  std::vector<FileAcceptance> accepted;
  uint64_t line = 0;
};

struct ProjectFile {
  std::string path;
  std::vector<ProjectSection> sections;
};

/// Reads a project file. Its paths are relative to its folder. Throws Error (Io), and Usage with
/// line and column for text that is not TOML, unknown keys and values of another type. If the file
/// is not `trusted`, throws Usage for each URI and each file outside its repository.
ProjectFile read_project_file(const std::string& path, bool trusted = true);

/// Returns `allow-host` of the user's configuration: a host or a list of them. Throws as
/// `read_project_file`.
std::vector<std::string> read_allowed_hosts(const std::string& path);

}  // namespace xwalk::cli
