#pragma once

#include <span>
#include <string>
#include <vector>

#include "xwalk/cli/project_file.h"

namespace xwalk::cli {

/// A finding of a report on one table, which has a path and a rule.
struct TableFinding {
  /// As in the key `table` of the project's file.
  std::string table;
  report::Acceptance finding;
};

/// Returns the entries that accept the findings of a section, in their order: one for each rule of
/// a path of a table, which they name. If `wide`, they hold for all tables, and one with a pattern
/// is for a rule that many paths have.
std::vector<FileAcceptance> entries_for(std::span<const TableFinding> findings, bool wide);

/// New entries of a section.
struct NewEntries {
  const ProjectSection* section = nullptr;
  std::vector<FileAcceptance> entries;
};

/// Returns the text of a project's file with new entries, and everything else unchanged. Throws
/// Error (Usage) for a section that is written as an inline table.
std::string with_entries(const ProjectFile& file, const std::vector<NewEntries>& added);

}  // namespace xwalk::cli
