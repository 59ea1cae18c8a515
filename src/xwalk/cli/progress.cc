#include "xwalk/cli/progress.h"

#include <algorithm>
#include <cstdio>
#include <string>
#include <vector>

#include <fmt/format.h>

#include "xwalk/base/display.h"
#include "xwalk/base/text.h"
#include "xwalk/cli/numbers.h"

namespace xwalk::cli {
namespace {

/// Columns of the line on wide terminals.
constexpr int kMostWidth = 60;

/// Returns the share of the work that is done, from 0 to 1; 0 if it is not known.
double part_of(const io::Progress& progress) {
  double part = 0;
  if (progress.total_rows && *progress.total_rows > 0) {
    part = static_cast<double>(progress.rows + progress.bad_rows) /
           static_cast<double>(*progress.total_rows);
  } else if (progress.total_bytes && *progress.total_bytes > 0) {
    part = static_cast<double>(progress.bytes_read) / static_cast<double>(*progress.total_bytes);
  }
  return part <= 1 ? part : 0;
}

}  // namespace

std::string progress_line(const io::Progress& progress, double seconds, int width) {
  std::vector<std::string> parts;
  if (const double part = part_of(progress); part > 0) {
    parts.push_back(
        fmt::format("{:.0f} %, {} left", part * 100, duration(seconds / part - seconds)));
  }
  const double rate = static_cast<double>(progress.bytes_read) / seconds;
  parts.push_back(grouped(progress.rows) + " rows");
  parts.push_back(byte_size(static_cast<uint64_t>(rate)) + "/s");
  parts.push_back(byte_size(progress.bytes_read) + " → " + byte_size(progress.bytes_written));
  width = std::min(width, kMostWidth);
  std::string line;
  for (const std::string& part : parts) {
    const std::string longer = line.empty() ? part : fmt::format("{}  {}", line, part);
    if (!line.empty() && display_width(longer) > width) break;
    line = longer;
  }
  return clip(line, width);
}

ProgressLine::ProgressLine(const Session& session) : session_(session) {}

ProgressLine::~ProgressLine() { clear(); }

double ProgressLine::seconds() const {
  return std::chrono::duration<double>(Clock::now() - start_).count();
}

void ProgressLine::show(const io::Progress& progress) {
  double elapsed = seconds();
  if (elapsed < 1 || session_.quiet || !session_.err().is_terminal()) return;
  const std::string line =
      "\r\x1b[K" + progress_line(progress, elapsed, session_.err().width() - 1);
  std::fwrite(line.data(), 1, line.size(), stderr);
  shown_ = true;
}

void ProgressLine::clear() {
  if (!shown_) return;
  std::fputs("\r\x1b[K", stderr);
  shown_ = false;
}

}  // namespace xwalk::cli
