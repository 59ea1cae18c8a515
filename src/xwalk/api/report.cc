#include "xwalk/api/report.h"

#include <algorithm>
#include <string>
#include <utility>

#include <fmt/format.h>

#include "xwalk/api/guard.h"
#include "xwalk/base/error.h"

namespace xwalk {

static_assert(static_cast<int>(Verdict::Exact) == static_cast<int>(hub::Verdict::Exact) &&
              static_cast<int>(Verdict::Checked) == static_cast<int>(hub::Verdict::Checked) &&
              static_cast<int>(Verdict::Unsupported) ==
                  static_cast<int>(hub::Verdict::Unsupported));

Report api::make_report(io::AnyReport report) {
  return Report(std::make_shared<const Report::State>(Report::State{std::move(report)}));
}

std::string_view to_string(Verdict verdict) {
  return hub::to_string(static_cast<hub::Verdict>(verdict));
}

std::string Report::kind() const { return state_->report.lines().kind; }
std::string Report::name() const { return state_->report.lines().left_name; }
std::string Report::summary() const { return state_->report.summary(); }
bool Report::fails() const { return state_->report.fails(); }

Verdict Report::verdict() const {
  if (state_->report.checks().empty()) {
    throw Error(ErrorCode::Usage,
                fmt::format("expected a report on a conversion, found one of {}", kind()), {},
                "Use `fails` or `grade`.");
  }
  // A file without a report has a separate grade, after the verdicts.
  constexpr auto kWorst = static_cast<size_t>(Verdict::Unsupported);
  return static_cast<Verdict>(std::min(state_->report.grade(), kWorst));
}

std::string Report::grade() const { return state_->report.grade_word(); }

std::optional<uint64_t> Report::rows() const { return state_->report.rows(); }

std::optional<uint64_t> Report::rejected() const { return state_->report.rejected(); }

std::vector<ReportLine> Report::lines() const {
  const report::Report& all = state_->report.lines();
  std::vector<ReportLine> out;
  for (const report::ReportLine& line : all.lines) {
    ReportLine& one = out.emplace_back();
    one.path = line.path();
    if (line.left) one.source = line.left->type;
    if (line.right) one.target = line.right->type;
    one.grade = all.grades[line.grade].word;
    for (const report::Statement& remark : line.statements) {
      one.remarks.push_back({remark.rule, remark.text, remark.witness, remark.hint});
    }
  }
  return out;
}

std::vector<Report> Report::tables() const {
  std::vector<Report> out;
  for (io::AnyReport& table : state_->report.tables()) {
    out.push_back(api::make_report(std::move(table)));
  }
  return out;
}

std::string Report::text(int width, bool all) const {
  return state_->report.text({.width = width, .all = all});
}

std::string Report::print(std::string_view form) const {
  return io::print(state_->report, io::parse_report_form(form));
}

const Report& Report::raise_for(Verdict verdict) const {
  const Verdict own = this->verdict();
  if (own < verdict) return *this;
  throw Error(ErrorCode::Unsupported, fmt::format("expected a verdict better than {}, found {}: {}",
                                                  to_string(verdict), grade(), summary()));
}

}  // namespace xwalk
