#pragma once

#include <string>

#include <CLI/App.hpp>

#include "xwalk/cli/terminal.h"
#include "xwalk/cli/verb.h"

namespace xwalk::cli {

/// Returns what `xwalk` with no words says: ten lines.
std::string welcome(const Terminal& terminal);
/// Returns the list of all verbs.
std::string overview(const Terminal& terminal);
/// Returns the help of a verb: examples, then options by group, then notes.
std::string help_of(const Verb& verb, const CLI::App& app, const Terminal& terminal);

}  // namespace xwalk::cli
