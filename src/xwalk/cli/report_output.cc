#include "xwalk/cli/report_output.h"

#include <filesystem>
#include <system_error>
#include <type_traits>
#include <utility>
#include <vector>

#include "xwalk/base/shown_name.h"
#include "xwalk/base/visible.h"
#include "xwalk/cli/arguments.h"
#include "xwalk/cli/invocation.h"
#include "xwalk/crosswalk/report_github.h"
#include "xwalk/crosswalk/report_json.h"
#include "xwalk/crosswalk/report_junit.h"
#include "xwalk/crosswalk/report_management.h"
#include "xwalk/crosswalk/report_markdown.h"
#include "xwalk/crosswalk/report_text.h"

namespace xwalk::cli {
namespace {

std::string management(crosswalk::ReportSet set, const ReportOutput& output) {
  if (!output.title.empty()) set.title = output.title;
  if (!output.owner.empty()) set.owner = output.owner;
  return crosswalk::print_management(set, page_origin(output.inputs));
}

std::string management(const crosswalk::Check& check, const ReportOutput& output) {
  crosswalk::ReportSet set;
  set.kind = "tables";
  set.name = check.name;
  crosswalk::Check table = check;
  if (output.files > 1) table.name += ", " + crosswalk::counted(output.files, "file");
  set.reports.emplace_back(std::move(table));
  return management(std::move(set), output);
}

/// Returns the rows of each input, if they were read.
template <typename Found>
std::vector<uint64_t> rows_of(const Found& found) {
  if constexpr (std::is_same_v<Found, crosswalk::RowDiff>) {
    return {found.left_rows, found.right_rows};
  } else if constexpr (std::is_same_v<Found, crosswalk::Check>) {
    if (found.rows) return {found.rows->read};
  }
  return {};
}

template <typename Found>
std::string printed(const Found& found, const ReportOutput& output, const Session& session) {
  switch (output.form) {
    case ReportForm::Text: {
      crosswalk::ReportStyle style;
      style.width = session.out().width();
      style.colour = session.out().has_color();
      style.all = output.all;
      style.failures_only = session.quiet;
      style.in_full = session.verbose;
      style.clips = session.out().is_bounded() && !session.verbose;
      return crosswalk::print_text(found, style);
    }
    case ReportForm::Json:
      return crosswalk::print_json(found);
    case ReportForm::Html:
      return crosswalk::print_html(crosswalk::report_of(found),
                                   page_origin(output.inputs, rows_of(found)));
    case ReportForm::Junit:
      return crosswalk::print_junit(crosswalk::report_of(found));
    case ReportForm::Github:
      return crosswalk::print_github(crosswalk::report_of(found));
    case ReportForm::Markdown:
      return crosswalk::print_markdown(crosswalk::report_of(found));
    case ReportForm::Management:
      if constexpr (requires { management(found, output); }) {
        return management(found, output);
      }
      break;
  }
  return "";
}

}  // namespace

crosswalk::PageOrigin page_origin(const std::vector<std::string>& inputs,
                                  const std::vector<uint64_t>& rows) {
  crosswalk::PageOrigin origin;
  origin.command = visible(invocation());
  for (const std::string& name : inputs) {
    crosswalk::PageInput& input = origin.inputs.emplace_back();
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
  std::vector<std::pair<std::string, ReportForm>> forms = {
      {"text", ReportForm::Text},     {"json", ReportForm::Json},
      {"html", ReportForm::Html},     {"junit", ReportForm::Junit},
      {"github", ReportForm::Github}, {"markdown", ReportForm::Markdown}};
  if (has_management) {
    forms.emplace_back("management", ReportForm::Management);
    add_text(command, "--title", &output->title, "TEXT", "title of the page for management")
        ->group("Output");
    add_text(command, "--owner", &output->owner, "TEXT", "who owns the migration, on that page")
        ->group("Output");
  }
  add_choice<ReportForm>(command, "--output", &output->form, forms,
                         "how to print the report (default: text)")
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

void print_report(const crosswalk::Check& check, const ReportOutput& output, Session& session) {
  session.print(printed(check, output, session));
}

void print_report(const crosswalk::RowDiff& diff, const ReportOutput& output, Session& session) {
  session.print(printed(diff, output, session));
}

void print_report(const crosswalk::Proof& proof, const ReportOutput& output, Session& session) {
  session.print(printed(proof, output, session));
}

void print_report(const crosswalk::DiffCheck& check, const ReportOutput& output, Session& session) {
  session.print(printed(check, output, session));
}

void print_report(const crosswalk::CompatCheck& check, const ReportOutput& output,
                  Session& session) {
  session.print(printed(check, output, session));
}

void print_report(const crosswalk::ReportSet& check, const ReportOutput& output, Session& session) {
  session.print(printed(check, output, session));
}

}  // namespace xwalk::cli
