#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "xwalk/report/acceptance.h"

namespace xwalk::cli {

inline constexpr std::string_view kProjectFile = "xwalk.toml";

/// An entry of `accept`, and its line.
struct FileAcceptance {
  report::Acceptance finding;
  /// A pattern of the tables that it is about, as seen from the file's folder; "" for all.
  std::string table = {};
  uint64_t line = 0;
};

/// A place in the file, from 1; columns count characters of UTF-8.
struct FilePosition {
  uint64_t line = 0;
  uint64_t column = 0;
};

/// A list `accept = […]`: the end of its last entry, or its start if it has none, and its end.
struct AcceptList {
  FilePosition last;
  FilePosition end;
  bool is_empty = false;
};

/// The inputs of a section that something is about, by patterns as seen from the file's folder.
struct TablePatterns {
  /// Empty for all.
  std::vector<std::string> input;
  /// All but these.
  std::vector<std::string> except;

  /// Returns true for a table with this name, as seen from the file's folder.
  bool has(std::string_view table) const;
};

/// One `[[convert.table]]`: options of some tables of a conversion, instead of those of the
/// conversion.
struct TableOptions {
  TablePatterns tables;
  /// The beginnings of the options that these replace, without values: `--select`, or with a key:
  /// `--cast=price`.
  std::vector<std::string> replaced;
  /// As those of a section.
  std::vector<std::string> options;
  std::vector<std::string> check_options;
  std::optional<std::string> output;
  uint64_t line = 0;
};

/// One `[[check]]`, `[[compat]]` or `[[convert]]` of a project's file, with the options of the
/// command.
struct ProjectSection {
  /// The verb that is asked.
  std::string_view verb;
  /// Options, as on the command line; paths are those of the folder the program runs in.
  std::vector<std::string> options;
  /// Of `convert`: options of its check alone.
  std::vector<std::string> check_options = {};
  /// The arguments after the options, for each check: more options, then the inputs.
  std::vector<std::vector<std::string>> questions;
  /// For `compat` without `old`: the files to check, whose old version the caller supplies.
  std::vector<std::string> files;
  /// For `convert`, which has no questions.
  std::vector<std::string> inputs;
  std::string output;
  /// Those whose files are tables of their own: the ones that it is about, and further options.
  TablePatterns tables;
  std::vector<TableOptions> of_tables;
  std::vector<FileAcceptance> accepted;
  std::optional<AcceptList> accept_list;
  uint64_t line = 0;
  /// It has no header of its own: `check = [{…}]`.
  bool is_inline = false;
};

struct ProjectFile {
  std::string path;
  std::string text;
  /// What the pages of reports call the project, and who owns it.
  std::string title = {};
  std::string owner = {};
  std::vector<ProjectSection> sections;
};

/// Returns a path as seen from the folder of a project's file.
std::string seen_from(const std::string& file, const std::string& path);

/// Reads a project file. Its paths are relative to its folder. Throws Error (Io), and Usage with
/// line and column for text that is not TOML, unknown keys, values of another type, and places that
/// this process may not read (io/bytes/place_limit.h).
ProjectFile read_project_file(const std::string& path);
/// The same for a text that the file could have.
ProjectFile parse_project_file(const std::string& path, std::string text);

/// Returns `allow-host` of the user's configuration: a host or a list of them. Throws as
/// `read_project_file`.
std::vector<std::string> read_allowed_hosts(const std::string& path);

}  // namespace xwalk::cli
