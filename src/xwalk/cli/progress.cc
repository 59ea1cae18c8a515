#include "xwalk/cli/progress.h"

#include <cstdio>

#include <fmt/format.h>

#include "xwalk/cli/numbers.h"

namespace xwalk::cli {

ProgressLine::ProgressLine(const Session& session) : session_(session) {}

ProgressLine::~ProgressLine() { clear(); }

double ProgressLine::seconds() const {
  return std::chrono::duration<double>(Clock::now() - start_).count();
}

void ProgressLine::show(const io::Progress& progress) {
  double elapsed = seconds();
  if (elapsed < 1 || session_.quiet || !session_.err().is_terminal()) return;
  std::string line = fmt::format(
      "{} rows  {} → {}  {}/s", grouped(progress.rows), byte_size(progress.bytes_read),
      byte_size(progress.bytes_written),
      byte_size(static_cast<uint64_t>(static_cast<double>(progress.bytes_read) / elapsed)));
  double part = 0;
  if (progress.total_rows && *progress.total_rows > 0) {
    part = static_cast<double>(progress.rows + progress.bad_rows) /
           static_cast<double>(*progress.total_rows);
  } else if (progress.total_bytes && *progress.total_bytes > 0) {
    part = static_cast<double>(progress.bytes_read) / static_cast<double>(*progress.total_bytes);
  }
  if (part > 0 && part <= 1) {
    line += fmt::format("  {:.0f} %, {} left", part * 100, duration(elapsed / part - elapsed));
  }
  line = "\r\x1b[K" + clip(line, session_.err().width() - 1);
  std::fwrite(line.data(), 1, line.size(), stderr);
  shown_ = true;
}

void ProgressLine::clear() {
  if (!shown_) return;
  std::fputs("\r\x1b[K", stderr);
  shown_ = false;
}

}  // namespace xwalk::cli
