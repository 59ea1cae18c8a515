#pragma once

#include <string>
#include <string_view>

#include "xwalk/cli/terminal.h"

namespace xwalk::cli {

/// What every verb has at hand: the two outputs and the options that all verbs share.
class Session {
 public:
  bool json = false;
  bool quiet = false;
  bool verbose = false;
  bool color = true;

  /// Looks at the descriptors again; called once the options are known.
  void settle();

  const Terminal& out() const { return out_; }
  const Terminal& err() const { return err_; }

  /// Writes data to standard output. Throws Error (ClosedPipe) when its reader has gone, Error (Io)
  /// when it cannot be written.
  void print(std::string_view text);
  /// Writes a line for the person to standard error, unless they asked for quiet.
  void note(std::string_view line);
  /// The same for text of several lines.
  void note_lines(std::string_view text);
  /// Writes a line to standard error that quiet does not silence: it is about values.
  void warn(std::string_view line);
  /// Writes what is still buffered; throws as `print`.
  void flush();

 private:
  Terminal out_{1};
  Terminal err_{2};
  std::string buffer_;
};

}  // namespace xwalk::cli
