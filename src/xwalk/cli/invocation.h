#pragma once

#include <string>

namespace xwalk::cli {

/// Keeps the command line of the program, without credentials in URLs. Called once, by `main`.
void set_invocation(int argc, char** argv);

/// Returns it as one line for a shell.
const std::string& invocation();

}  // namespace xwalk::cli
