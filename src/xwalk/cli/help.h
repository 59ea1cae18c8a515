#pragma once

#include <string>
#include <string_view>

#include "xwalk/cli/command_line.h"
#include "xwalk/cli/terminal.h"
#include "xwalk/cli/verb.h"

namespace xwalk::cli {

/// Returns what `xwalk` with no words says: ten lines.
std::string welcome(const Terminal& terminal);
/// Returns the list of all verbs.
std::string overview(const Terminal& terminal);
/// Returns the help of a command: examples, then options by group, then notes. If that is more than
/// a screen, only everyday options. `topic` names a group of the others, or is "all".
std::string help_of(const Verb& verb, const CommandLine& command, const Terminal& terminal,
                    std::string_view topic);

}  // namespace xwalk::cli
