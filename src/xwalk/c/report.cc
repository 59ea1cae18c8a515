#include "xwalk/c/report.h"

#include <algorithm>
#include <memory>
#include <utility>
#include <variant>

#include "xwalk/crosswalk/report_json.h"

namespace xwalk::c {
namespace {

/// A report with the texts that its C form points to.
struct OwnedReport : xwalk_report {
  OwnedReport(size_t worst, std::string word, std::string line, std::string whole)
      : xwalk_report{},
        verdict_text(std::move(word)),
        summary_text(std::move(line)),
        json_text(std::move(whole)) {
    grade = static_cast<int32_t>(worst);
    verdict = verdict_text.c_str();
    summary = summary_text.c_str();
    json = json_text.c_str();
    rows = -1;
    rejected = -1;
  }

  std::string verdict_text, summary_text, json_text;
};

}  // namespace

xwalk_report* make_report(const crosswalk::Report& report, std::string json) {
  return std::make_unique<OwnedReport>(report.grade, report.grades[report.grade].word,
                                       report.summary, std::move(json))
      .release();
}

xwalk_report* make_report(crosswalk::Check check) {
  const hub::Verdict verdict = check.plan->verdict();
  check.interface = hub::Interface::Json;
  auto report = std::make_unique<OwnedReport>(
      static_cast<size_t>(verdict), std::string(hub::to_string(verdict)),
      crosswalk::summary(*check.plan), crosswalk::print_json(check));
  if (check.rows) {
    report->rows = static_cast<int64_t>(check.rows->read);
    report->rejected = static_cast<int64_t>(check.rows->rejected);
  }
  return report.release();
}

xwalk_report* make_report(const crosswalk::ReportSet& set) {
  xwalk_report* report = make_report(crosswalk::report_of(set), crosswalk::print_json(set));
  for (const auto& one : set.reports) {
    const auto* check = std::get_if<crosswalk::Check>(&one);
    if (check == nullptr || !check->rows) continue;
    report->rows = std::max<int64_t>(report->rows, 0) + static_cast<int64_t>(check->rows->read);
    report->rejected =
        std::max<int64_t>(report->rejected, 0) + static_cast<int64_t>(check->rows->rejected);
  }
  return report;
}

xwalk_report* make_report(const crosswalk::Proof& proof) {
  const bool passes = proof.passes();
  auto report = std::make_unique<OwnedReport>(
      passes ? XWALK_VERIFIED : XWALK_DIFFERS, passes ? "verified" : "differs",
      crosswalk::summary(proof), crosswalk::print_json(proof));
  report->rows = report->rejected = 0;
  for (const crosswalk::ProvenTable& table : proof.tables) {
    report->rows += static_cast<int64_t>(table.diff.right_rows);
    report->rejected += static_cast<int64_t>(table.rejected);
  }
  return report.release();
}

xwalk_report* make_report(const crosswalk::Plan& plan, const std::string& name) {
  crosswalk::Check check;
  check.plan = &plan;
  check.name = name;
  return make_report(std::move(check));
}

xwalk_report* make_report(const io::Converted& converted, const std::string& name) {
  crosswalk::Check check;
  check.plan = &converted.plan;
  check.name = name;
  check.notes = converted.notes;
  xwalk_report* report = make_report(std::move(check));
  report->rows = static_cast<int64_t>(converted.done.rows);
  report->rejected = static_cast<int64_t>(converted.done.bad_rows);
  return report;
}

}  // namespace xwalk::c

using xwalk::c::OwnedReport;

extern "C" void xwalk_report_free(xwalk_report* report) {
  delete static_cast<OwnedReport*>(report);
}
