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
/// Returns the help of a verb: examples, then options by group, then notes. Where that is more than
/// a screen, only everyday options; `topic` names those that are left out then, or is "all".
std::string help_of(const Verb& verb, const CommandLine& command, const Terminal& terminal,
                    std::string_view topic);

}  // namespace xwalk::cli
