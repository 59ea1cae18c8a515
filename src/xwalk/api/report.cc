#include "xwalk/api/report.h"

#include <algorithm>
#include <string>
#include <type_traits>
#include <utility>

#include <fmt/format.h>

#include "xwalk/api/guard.h"
#include "xwalk/base/error.h"
#include "xwalk/base/text.h"
#include "xwalk/crosswalk/report_github.h"
#include "xwalk/crosswalk/report_html.h"
#include "xwalk/crosswalk/report_json.h"
#include "xwalk/crosswalk/report_junit.h"
#include "xwalk/crosswalk/report_markdown.h"
#include "xwalk/crosswalk/report_text.h"

namespace xwalk {
namespace {

using Counts = Report::State::Counts;

static_assert(static_cast<int>(Verdict::Exact) == static_cast<int>(hub::Verdict::Exact) &&
              static_cast<int>(Verdict::Checked) == static_cast<int>(hub::Verdict::Checked) &&
              static_cast<int>(Verdict::Unsupported) ==
                  static_cast<int>(hub::Verdict::Unsupported));

std::optional<Counts> counts_of(const crosswalk::Check& check) {
  if (!check.rows) return std::nullopt;
  return Counts{check.rows->read, check.rows->rejected};
}

template <typename Found>
Report report_over(Found found, std::shared_ptr<const void> owner,
                   std::vector<std::optional<Counts>> counts) {
  crosswalk::Report common = crosswalk::report_of(found);
  return Report(std::make_shared<const Report::State>(
      Report::State{std::move(found), std::move(owner), std::move(common), std::move(counts)}));
}

bool is_about_conversion(const Report::State& state) {
  if (std::holds_alternative<crosswalk::Check>(state.found)) return true;
  const auto* set = std::get_if<crosswalk::ReportSet>(&state.found);
  return set != nullptr && std::ranges::all_of(set->reports, [](const auto& one) {
           return std::holds_alternative<crosswalk::Check>(one);
         });
}

std::optional<uint64_t> sum_of(const std::vector<std::optional<Counts>>& all,
                               uint64_t Counts::*member) {
  std::optional<uint64_t> sum;
  for (const std::optional<Counts>& one : all) {
    if (one) sum = sum.value_or(0) + (*one).*member;
  }
  return sum;
}

}  // namespace

namespace api {

Report make_report(crosswalk::Check check, std::shared_ptr<const void> owner,
                   std::optional<Counts> counts) {
  if (!counts) counts = counts_of(check);
  return report_over(std::move(check), std::move(owner), {counts});
}

Report make_report(crosswalk::CompatCheck check, std::shared_ptr<const void> owner) {
  return report_over(std::move(check), std::move(owner), {});
}

Report make_report(crosswalk::DiffCheck check, std::shared_ptr<const void> owner) {
  return report_over(std::move(check), std::move(owner), {});
}

Report make_report(crosswalk::RowDiff found) { return report_over(std::move(found), nullptr, {}); }

Report make_report(crosswalk::Proof proof) {
  std::vector<std::optional<Counts>> counts;
  for (const crosswalk::ProvenTable& table : proof.tables) {
    counts.emplace_back(Counts{table.diff.right_rows, table.rejected});
  }
  return report_over(std::move(proof), nullptr, std::move(counts));
}

Report make_report(crosswalk::ReportSet set, std::shared_ptr<const void> owner,
                   std::vector<std::optional<Counts>> counts) {
  if (counts.empty()) {
    for (const auto& one : set.reports) {
      const auto* check = std::get_if<crosswalk::Check>(&one);
      counts.push_back(check == nullptr ? std::nullopt : counts_of(*check));
    }
  }
  return report_over(std::move(set), std::move(owner), std::move(counts));
}

}  // namespace api

std::string_view to_string(Verdict verdict) {
  return hub::to_string(static_cast<hub::Verdict>(verdict));
}

std::string Report::kind() const { return state_->common.kind; }
std::string Report::name() const { return state_->common.left_name; }
std::string Report::summary() const { return state_->common.summary; }
bool Report::fails() const { return state_->common.fails; }

Verdict Report::verdict() const {
  if (!is_about_conversion(*state_)) {
    throw Error(ErrorCode::Usage,
                fmt::format("expected a report on a conversion, found one of {}", kind()), {},
                "Use `fails` or `grade`.");
  }
  // A file without a report has a separate grade, after the verdicts.
  constexpr auto kWorst = static_cast<size_t>(Verdict::Unsupported);
  return static_cast<Verdict>(std::min(state_->common.grade, kWorst));
}

std::string Report::grade() const { return state_->common.grades[state_->common.grade].word; }

std::optional<uint64_t> Report::rows() const { return sum_of(state_->counts, &Counts::rows); }

std::optional<uint64_t> Report::rejected() const {
  return sum_of(state_->counts, &Counts::rejected);
}

std::vector<ReportLine> Report::lines() const {
  std::vector<ReportLine> out;
  for (const crosswalk::ReportLine& line : state_->common.lines) {
    ReportLine& one = out.emplace_back();
    one.path = line.path();
    if (line.left) one.source = line.left->type;
    if (line.right) one.target = line.right->type;
    one.grade = state_->common.grades[line.grade].word;
    for (const crosswalk::Statement& remark : line.statements) {
      one.remarks.push_back({remark.rule, remark.text, remark.witness, remark.hint});
    }
  }
  return out;
}

std::vector<Report> Report::tables() const {
  if (const auto* proof = std::get_if<crosswalk::Proof>(&state_->found)) {
    std::vector<Report> out;
    for (const crosswalk::ProvenTable& table : proof->tables) {
      crosswalk::Proof one = *proof;
      one.tables = {table};
      out.push_back(api::make_report(std::move(one)));
    }
    return out;
  }
  const auto* set = std::get_if<crosswalk::ReportSet>(&state_->found);
  if (set == nullptr) return {*this};
  std::vector<Report> out;
  for (size_t i = 0; i < set->reports.size(); ++i) {
    // Each keeps the whole, which it refers to.
    std::visit(
        [&](const auto& one) { out.push_back(report_over(one, state_, {state_->counts[i]})); },
        set->reports[i]);
  }
  return out;
}

std::string Report::text(int width, bool all) const {
  return std::visit(
      [&](const auto& found) { return crosswalk::print_text(found, {.width = width, .all = all}); },
      state_->found);
}

std::string Report::print(std::string_view form) const {
  if (form == "text") return text();
  if (form == "json") {
    return std::visit([](const auto& found) { return crosswalk::print_json(found); },
                      state_->found);
  }
  if (form == "html") return crosswalk::print_html(state_->common);
  if (form == "markdown") return crosswalk::print_markdown(state_->common);
  if (form == "junit") return crosswalk::print_junit(state_->common);
  if (form == "github") return crosswalk::print_github(state_->common);
  throw Error(ErrorCode::Usage,
              fmt::format("expected text, json, html, markdown, junit or github, found {}",
                          xwalk::quoted(form)));
}

const Report& Report::raise_for(Verdict verdict) const {
  const Verdict own = this->verdict();
  if (own < verdict) return *this;
  throw Error(ErrorCode::Unsupported, fmt::format("expected a verdict better than {}, found {}: {}",
                                                  to_string(verdict), grade(), summary()));
}

}  // namespace xwalk
