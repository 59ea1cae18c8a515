#include "xwalk/cli/progress.h"

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <string>
#include <vector>

#include <fmt/format.h>

#include "xwalk/base/display.h"
#include "xwalk/base/text.h"
#include "xwalk/base/visible.h"
#include "xwalk/cli/numbers.h"
#include "xwalk/cli/terminal.h"

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

namespace {

/// Lines of tables that are shown at a time.
constexpr size_t kMostTables = 16;

std::string line_of(const io::TablesProgress::Table& table) {
  const double part = part_of(table.done);
  return fmt::format("{}{}  {}", visible(table.name),
                     part > 0 ? fmt::format("  {:.0f} %", part * 100) : "",
                     counted(table.done.rows, "row"));
}

/// Returns true if lines must not be written again in their place, though the output is a terminal.
bool is_log() {
  const char* ci = std::getenv("CI");
  return ci != nullptr && *ci != '\0';
}

}  // namespace

ProgressLine::ProgressLine(Session& session) : session_(session) {}

ProgressLine::~ProgressLine() { clear(); }

double ProgressLine::seconds() const {
  return std::chrono::duration<double>(Clock::now() - start_).count();
}

void ProgressLine::put(const std::vector<std::string>& lines) {
  std::string text;
  if (shown_ > 0) text = "\r";
  if (shown_ > 1) text += fmt::format("\x1b[{}A", shown_ - 1);
  for (size_t i = 0; i < lines.size(); ++i) {
    text += (i == 0 ? "\r\x1b[K" : "\n\r\x1b[K") + lines[i];
  }
  // Lines below are of tables that have ended.
  if (shown_ > lines.size()) text += "\x1b[J";
  std::fwrite(text.data(), 1, text.size(), stderr);
  shown_ = lines.size();
}

void ProgressLine::show(const io::Progress& progress) {
  const double elapsed = seconds();
  if (elapsed < 1 || session_.quiet || !session_.err().is_terminal()) return;
  const std::lock_guard lock(mutex_);
  put({progress_line(progress, elapsed, session_.err().width() - 1)});
}

void ProgressLine::show(const io::TablesProgress& progress) {
  if (session_.quiet || session_.json) return;
  const double elapsed = seconds();
  const bool is_live = session_.err().has_color() && !is_log();
  const std::lock_guard lock(mutex_);
  if (!is_live) {
    ended_.insert(ended_.end(), progress.ended.begin(), progress.ended.end());
    if (elapsed < 1) return;
    for (const io::TablesProgress::Table& table : ended_) {
      session_.note(fmt::format("{}: {}", visible(table.name),
                                table.failed ? "failed" : counted(table.done.rows, "row")));
    }
    ended_.clear();
    return;
  }
  if (elapsed < 1) return;
  const int width = session_.err().width() - 1;
  std::vector<std::string> lines;
  for (const io::TablesProgress::Table& table : progress.running) {
    if (lines.size() == kMostTables) break;
    lines.push_back(clip("  " + line_of(table), std::min(width, kMostTextWidth)));
  }
  const std::string tables =
      fmt::format("{} of {}  ", grouped(progress.finished), counted(progress.tables, "table"));
  lines.push_back(
      clip(tables + progress_line(progress.all, elapsed, width - display_width(tables)), width));
  put(lines);
}

void ProgressLine::clear() {
  const std::lock_guard lock(mutex_);
  if (shown_ == 0) return;
  put({""});
  shown_ = 0;
}

}  // namespace xwalk::cli
