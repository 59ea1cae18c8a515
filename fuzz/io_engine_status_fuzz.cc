// Any lines as the status of an engine program: reports are kept, nonsense is skipped, the first
// error stays.

#include <string>

#include "fuzz/harness.h"
#include "xwalk/io/engines/engine_program.h"

void xwalk::fuzz::XWALK_FUZZ_RUN(std::string_view data) {
  io::EngineReport report;
  while (!data.empty()) {
    const std::string line(data.substr(0, data.find('\n')));
    data.remove_prefix(std::min(data.size(), line.size() + 1));
    const auto first = report.error;
    // JSON takes many times its text.
    const Allowance any;
    io::take_status_line("engine", line, &report);
    require(!first || report.error == first || report.greeted);
  }
}
