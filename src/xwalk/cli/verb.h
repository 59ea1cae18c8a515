#pragma once

#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "xwalk/cli/command_line.h"
#include "xwalk/cli/session.h"

namespace xwalk::cli {

/// Does a verb's work once its options are read; returns the exit code. Throws Error.
using Action = std::function<int(Session&)>;

struct Example {
  std::string_view command;
  std::string_view meaning;
};

/// One command of the program: its name, its help, and its function. Each command has its own file.
struct Verb {
  std::string_view name;
  /// One line in the list of verbs.
  std::string_view summary;
  /// Its arguments in the usage line.
  std::string_view arguments;
  std::vector<Example> examples;
  /// Paragraphs after the options.
  std::string notes;
  /// Declares the options and returns the action they feed.
  Action (*declare)(CommandLine& command);
};

Verb convert_verb();
Verb schema_verb();
Verb type_verb();
Verb check_verb();
Verb validate_verb();
Verb verify_verb();
Verb head_verb();
Verb info_verb();
Verb tail_verb();
Verb explain_verb();
Verb formats_verb();
Verb types_verb();
Verb job_verb();
Verb diff_verb();
Verb compat_verb();
Verb merge_verb();
Verb evolve_verb();
Verb vortex_verb();
Verb completion_verb();
Verb man_verb();

/// All verbs in the order of the list.
const std::vector<Verb>& verbs();
std::vector<std::string> verb_names();

}  // namespace xwalk::cli
