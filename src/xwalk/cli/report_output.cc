#include "xwalk/cli/report_output.h"

#include <filesystem>
#include <system_error>
#include <utility>
#include <vector>

#include "xwalk/base/shown_name.h"
#include "xwalk/base/visible.h"
#include "xwalk/cli/arguments.h"
#include "xwalk/cli/invocation.h"

namespace xwalk::cli {

using io::ReportForm;

namespace {

/// Returns the rows of each input, if they were read.
std::vector<uint64_t> rows_of(const io::AnyReport& report) {
  if (const auto* rows = std::get_if<crosswalk::RowDiff>(&report.found())) {
    return {rows->left_rows, rows->right_rows};
  }
  const auto* check = std::get_if<report::Check>(&report.found());
  if (check != nullptr && check->rows) return {check->rows->read};
  return {};
}

}  // namespace

report::PageOrigin page_origin(const std::vector<std::string>& inputs,
                               const std::vector<uint64_t>& rows) {
  report::PageOrigin origin;
  origin.command = visible(invocation());
  for (const std::string& name : inputs) {
    report::PageInput& input = origin.inputs.emplace_back();
    input.name = visible(shown_name(name));
    if (rows.size() == inputs.size()) input.rows = rows[origin.inputs.size() - 1];
    std::error_code failed;
    const std::filesystem::path path(name);
    if (!std::filesystem::is_regular_file(path, failed)) continue;
    const uint64_t bytes = std::filesystem::file_size(path, failed);
    if (!failed) input.bytes = bytes;
  }
  return origin;
}

void declare_report(CommandLine& command, ReportOutput* output, bool has_management) {
  std::vector<std::pair<std::string, ReportForm>> forms;
  for (const io::ReportFormRow& form :
       has_management ? io::report_forms() : io::common_report_forms()) {
    forms.emplace_back(form.word, static_cast<ReportForm>(forms.size()));
  }
  if (has_management) declare_titles(command, output);
  add_choice<ReportForm>(command, "--output", &output->form, forms,
                         "how to print the report (default: text)")
      ->group("Output");
}

void declare_titles(CommandLine& command, ReportOutput* output) {
  add_text(command, "--title", &output->title, "TEXT", "title of the report's page")
      ->group("Output");
  add_text(command, "--owner", &output->owner, "TEXT", "who owns the migration, on its page")
      ->group("Output");
}

void set_report_form(ReportOutput& output, Session& session) {
  if (session.json && output.form == ReportForm::Text) output.form = ReportForm::Json;
  if (session.json && output.form != ReportForm::Json) {
    throw Error(ErrorCode::Usage, "--json and --output ask for two different forms", {},
                "Use one of the two.");
  }
  if (output.form == ReportForm::Json) session.json = true;
}

void print_report(const io::AnyReport& report, const ReportOutput& output, Session& session) {
  report::ReportStyle style;
  style.width = session.out().width();
  style.colour = session.out().has_color();
  style.all = output.all;
  style.failures_only = session.quiet;
  style.in_full = session.verbose;
  style.clips = session.out().is_bounded() && !session.verbose;
  report::PageOrigin origin;
  if (output.form == ReportForm::Html) origin = page_origin(output.inputs, rows_of(report));
  if (output.form == ReportForm::Management) {
    origin = page_origin(output.inputs);
    origin.title = output.title;
    origin.owner = output.owner;
  }
  session.print(io::print(report, output.form, style, origin));
}

}  // namespace xwalk::cli
