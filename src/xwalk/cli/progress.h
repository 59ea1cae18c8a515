#pragma once

#include <chrono>
#include <string>

#include "xwalk/cli/session.h"
#include "xwalk/io/rows/pipeline.h"

namespace xwalk::cli {

/// Returns how far a conversion is, in at most 60 columns and `width`. The parts that come first
/// matter most; the last ones are left out if they don't fit.
std::string progress_line(const io::Progress& progress, double seconds, int width);

/// One line on a terminal that says how far a long work is: rows, bytes, rate, time left. Shows
/// nothing in the first second, and nothing at all where standard error is no terminal.
class ProgressLine {
 public:
  explicit ProgressLine(const Session& session);
  /// Takes the line away.
  ~ProgressLine();
  ProgressLine(const ProgressLine&) = delete;
  ProgressLine& operator=(const ProgressLine&) = delete;

  void show(const io::Progress& progress);
  void clear();
  double seconds() const;

 private:
  using Clock = std::chrono::steady_clock;
  const Session& session_;
  Clock::time_point start_ = Clock::now();
  bool shown_ = false;
};

}  // namespace xwalk::cli
