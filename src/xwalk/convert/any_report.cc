#include "xwalk/convert/any_report.h"

#include <algorithm>
#include <iterator>
#include <utility>

#include <fmt/format.h>

#include "xwalk/base/text.h"
#include "xwalk/base/visible.h"
#include "xwalk/report/github.h"
#include "xwalk/report/json.h"
#include "xwalk/report/junit.h"
#include "xwalk/report/management.h"
#include "xwalk/report/markdown.h"

namespace xwalk::io {
namespace {

using report::Check;
using report::PageOrigin;
using report::Proof;
using report::ReportSet;
using report::ReportStyle;
using Counts = AnyReport::Counts;

std::optional<Counts> counts_of(const Check& check) {
  if (!check.rows) return std::nullopt;
  return Counts{check.rows->read, check.rows->rejected};
}

/// Returns the rows of each table that a result itself has counted.
std::vector<std::optional<Counts>> counts_of(const AnyReport::Found& found) {
  std::vector<std::optional<Counts>> out;
  if (const auto* check = std::get_if<Check>(&found)) {
    out.push_back(counts_of(*check));
  } else if (const auto* proof = std::get_if<Proof>(&found)) {
    for (const report::ProvenTable& table : proof->tables) {
      out.emplace_back(Counts{table.diff.right_rows, table.rejected});
    }
  } else if (const auto* set = std::get_if<ReportSet>(&found)) {
    for (const auto& one : set->reports) {
      const auto* check_of_one = std::get_if<Check>(&one);
      out.push_back(check_of_one == nullptr ? std::nullopt : counts_of(*check_of_one));
    }
  }
  return out;
}

/// Prints the tables of a check for people who decide about a migration.
std::string print_management(const AnyReport& report, const PageOrigin& origin) {
  ReportSet set;
  if (const auto* several = std::get_if<ReportSet>(&report.found())) {
    set = *several;
  } else {
    set.kind = "tables";
    Check table = *report.checks().front();
    set.name = table.name;
    if (report.files() > 1) table.name += ", " + counted(report.files(), "file");
    set.reports.emplace_back(std::move(table));
  }
  if (!origin.title.empty()) set.title = origin.title;
  if (!origin.owner.empty()) set.owner = origin.owner;
  return report::print_management(set, origin);
}

constexpr ReportFormRow kForms[] = {
    {"text", ".txt",
     [](const AnyReport& report, const ReportStyle& style, const PageOrigin&) {
       return report.text(style);
     }},
    {"json", ".json",
     [](const AnyReport& report, const ReportStyle&, const PageOrigin&) { return report.json(); }},
    {"html", ".html",
     [](const AnyReport& report, const ReportStyle&, const PageOrigin& origin) {
       return report::print_html(report.lines(), origin);
     }},
    {"junit", ".xml",
     [](const AnyReport& report, const ReportStyle&, const PageOrigin&) {
       return report::print_junit(report.lines());
     }},
    {"github", "",
     [](const AnyReport& report, const ReportStyle&, const PageOrigin&) {
       return report::print_github(report.lines());
     }},
    {"markdown", ".md",
     [](const AnyReport& report, const ReportStyle&, const PageOrigin&) {
       return report::print_markdown(report.lines());
     }},
    {"management", "", [](const AnyReport& report, const ReportStyle&, const PageOrigin& origin) {
       return print_management(report, origin);
     }}};
static_assert(std::size(kForms) == static_cast<size_t>(ReportForm::Management) + 1);

}  // namespace

AnyReport::AnyReport(Found found, Facts facts) {
  if (facts.counts.empty()) facts.counts = counts_of(found);
  auto state = std::make_shared<State>();
  state->found = std::move(found);
  state->facts = std::move(facts);
  state_ = std::move(state);
}

const report::Report& AnyReport::lines() const {
  std::call_once(state_->once, [&] {
    state_->lines = std::visit([](const auto& one) { return report::report_of(one); }, found());
  });
  return state_->lines;
}

size_t AnyReport::grade() const {
  const auto* check = std::get_if<Check>(&found());
  return check == nullptr ? lines().grade : static_cast<size_t>(check->plan->verdict());
}

std::string AnyReport::grade_word() const {
  if (const auto* check = std::get_if<Check>(&found())) {
    return std::string(hub::to_string(check->plan->verdict()));
  }
  return lines().grades[lines().grade].word;
}

std::string AnyReport::summary() const {
  const auto* check = std::get_if<Check>(&found());
  return check == nullptr ? lines().summary : visible(report::summary(*check->plan));
}

bool AnyReport::fails() const {
  if (const auto* check = std::get_if<Check>(&found())) return check->fails();
  if (const auto* set = std::get_if<ReportSet>(&found())) return set->fails();
  return lines().fails;
}

std::vector<const Check*> AnyReport::checks() const {
  std::vector<const Check*> out;
  if (const auto* check = std::get_if<Check>(&found())) out.push_back(check);
  if (const auto* set = std::get_if<ReportSet>(&found())) {
    for (const auto& one : set->reports) {
      if (const auto* check = std::get_if<Check>(&one)) out.push_back(check);
    }
    if (out.size() != set->reports.size()) out.clear();
  }
  return out;
}

std::vector<AnyReport> AnyReport::tables() const {
  std::vector<AnyReport> out;
  // Each keeps the whole, which it refers to.
  if (const auto* proof = std::get_if<Proof>(&found())) {
    for (const report::ProvenTable& table : proof->tables) {
      Proof one = *proof;
      one.tables = {table};
      out.emplace_back(std::move(one), Facts{.owner = state_});
    }
    return out;
  }
  const auto* set = std::get_if<ReportSet>(&found());
  if (set == nullptr) return {*this};
  for (size_t i = 0; i < set->reports.size(); ++i) {
    std::visit(
        [&](const auto& one) {
          out.emplace_back(one, Facts{.owner = state_, .counts = {state_->facts.counts[i]}});
        },
        set->reports[i]);
  }
  return out;
}

std::span<const report::Problem> AnyReport::problems() const {
  const auto* set = std::get_if<ReportSet>(&found());
  return set == nullptr ? std::span<const report::Problem>() : set->problems;
}

std::string AnyReport::text(const ReportStyle& style) const {
  return std::visit([&](const auto& one) { return report::print_text(one, style); }, found());
}

std::string AnyReport::json() const {
  return std::visit([](const auto& one) { return report::print_json(one); }, found());
}

std::optional<uint64_t> AnyReport::sum_of(uint64_t Counts::*member) const {
  std::optional<uint64_t> sum;
  for (const std::optional<Counts>& one : state_->facts.counts) {
    if (one) sum = sum.value_or(0) + (*one).*member;
  }
  return sum;
}

std::span<const ReportFormRow> report_forms() { return kForms; }

std::span<const ReportFormRow> common_report_forms() {
  return report_forms().first(static_cast<size_t>(ReportForm::Management));
}

std::string print(const AnyReport& report, ReportForm form, const ReportStyle& style,
                  const PageOrigin& origin) {
  return kForms[static_cast<size_t>(form)].print(report, style, origin);
}

ReportForm parse_report_form(std::string_view word) {
  const std::span<const ReportFormRow> forms = common_report_forms();
  const auto found = std::ranges::find(forms, word, &ReportFormRow::word);
  if (found != forms.end()) return static_cast<ReportForm>(found - forms.begin());
  std::vector<std::string> known;
  for (const ReportFormRow& form : forms) known.emplace_back(form.word);
  throw Error(ErrorCode::Usage,
              fmt::format("expected {}, found {}", alternatives(known), xwalk::quoted(word)));
}

}  // namespace xwalk::io
