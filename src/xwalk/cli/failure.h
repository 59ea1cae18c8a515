#pragma once

#include <string>
#include <utility>
#include <vector>

#include "xwalk/base/error.h"
#include "xwalk/cli/json.h"
#include "xwalk/cli/session.h"

namespace xwalk::cli {

/// Exit codes of the program.
enum Exit : int {
  kDone = 0,
  kFound = 1,  ///< a verdict over the limit, a difference, an invalid row
  kUsage = 2,
  kInput = 3,        ///< input cannot be read, or a bad row ended a conversion
  kUnsupported = 4,  ///< no mapping for a column
  kInternal = 70,    ///< a bug in xwalk
  kIo = 74,
  kInterrupted = 130,  ///< by SIGINT; see interrupted_code
  kClosedPipe = 141,
};

int exit_code(ErrorCode code);

/// Returns the exit code of several answers: that of the worst error, else whether one `fails`.
int worst_code(const std::vector<Error>& errors, bool fails);

/// Returns an error with options in command line syntax: `--round`.
Error spelled_for_program(const Error& error);

/// Returns an error as a JSON object: code, message, and its place as far as known.
Json error_json(const Error& error);

/// Reports an error on standard error, in colour on a terminal, as JSON with --json, and returns
/// its exit code. A closed pipe and an interrupt are not reported.
int report(const Session& session, const Error& error);

/// Makes a usage error for an invalid value, with the closest of those allowed.
Error unknown_word(const std::string& what, const std::string& found,
                   const std::vector<std::string>& allowed, bool list_all = true);

}  // namespace xwalk::cli
