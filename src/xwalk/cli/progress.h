#pragma once

#include <chrono>
#include <mutex>
#include <string>
#include <vector>

#include "xwalk/cli/session.h"
#include "xwalk/convert/convert_options.h"
#include "xwalk/io/rows/pipeline.h"

namespace xwalk::cli {

/// Returns how far a conversion is, in at most 60 columns and `width`. The parts that come first
/// matter most; the last ones are left out if they don't fit.
std::string progress_line(const io::Progress& progress, double seconds, int width);

/// Lines on a terminal that show how far a long work is: rows, bytes, rate, time left; of several
/// tables, a line for each that is converted now and one for all, written again in their place.
/// Shows nothing in the first second, and nothing unless standard error is a terminal. Tables have,
/// also in pipes and with NO_COLOR or CI, a line for each that has ended.
class ProgressLine {
 public:
  explicit ProgressLine(Session& session);
  /// Takes the line away.
  ~ProgressLine();
  ProgressLine(const ProgressLine&) = delete;
  ProgressLine& operator=(const ProgressLine&) = delete;

  void show(const io::Progress& progress);
  void show(const io::TablesProgress& progress);
  void clear();
  double seconds() const;

 private:
  using Clock = std::chrono::steady_clock;
  /// Replaces the lines that are shown.
  void put(const std::vector<std::string>& lines);

  Session& session_;
  Clock::time_point start_ = Clock::now();
  /// Notes of other threads take the lines away.
  std::mutex mutex_;
  size_t shown_ = 0;
  /// Those that ended in the first second.
  std::vector<io::TablesProgress::Table> ended_;
};

}  // namespace xwalk::cli
