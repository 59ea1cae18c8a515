#pragma once

#include <string>
#include <vector>

#include "xwalk/cli/command_line.h"
#include "xwalk/cli/session.h"
#include "xwalk/convert/any_report.h"

namespace xwalk::cli {

struct ReportOutput {
  io::ReportForm form = io::ReportForm::Text;
  /// Also print lines without findings.
  bool all = false;
  /// The inputs that a page names.
  std::vector<std::string> inputs;
  /// What the page for management calls the report, and who owns it.
  std::string title = {};
  std::string owner = {};
};

/// Returns what a page states of its origin: the command, and the inputs with the sizes of local
/// files and the rows that were read of each; no rows if `rows` is not one number for each input.
report::PageOrigin page_origin(const std::vector<std::string>& inputs,
                               const std::vector<uint64_t>& rows = {});

/// Declares --output; the verb's own `--json` means json. `management` is a form of `check` only.
void declare_report(CommandLine& command, ReportOutput* output, bool has_management = false);
/// Declares --title and --owner.
void declare_titles(CommandLine& command, ReportOutput* output);
/// Makes errors obey --output json too; called before anything can fail. Throws Error (Usage) where
/// --json contradicts it.
void set_report_form(ReportOutput& output, Session& session);

void print_report(const io::AnyReport& report, const ReportOutput& output, Session& session);

}  // namespace xwalk::cli
