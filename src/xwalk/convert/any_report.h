#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <mutex>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "xwalk/base/error.h"
#include "xwalk/report/html.h"
#include "xwalk/report/proof.h"
#include "xwalk/report/report_set.h"
#include "xwalk/report/text.h"

namespace xwalk::io {

/// The result of any command, as all interfaces show it. Copies share it; threads may, too.
class AnyReport {
 public:
  using Found = std::variant<report::Check, report::CompatCheck, report::DiffCheck,
                             crosswalk::RowDiff, report::ReportSet, report::Proof>;
  /// Rows of a table that were read or written, and rows that were rejected.
  struct Counts {
    uint64_t rows = 0;
    uint64_t rejected = 0;
  };
  /// What a report has besides its result.
  struct Facts {
    /// Keeps everything that the result refers to.
    std::shared_ptr<const void> owner = nullptr;
    /// By table; empty for those that a check or a proof has counted.
    std::vector<std::optional<Counts>> counts = {};
    /// Of inputs that cannot be read, and of tables without a result.
    std::vector<Error> errors = {};
    /// How many files a single table is; 0 if it is not known.
    size_t files = 0;
  };

  AnyReport(Found found, Facts facts);

  const Found& found() const { return state_->found; }
  const std::vector<Error>& errors() const { return state_->facts.errors; }
  size_t files() const { return state_->facts.files; }
  /// Returns the result in the shape that most forms share. The first call makes it.
  const report::Report& lines() const;

  /// Returns the index of the grade among those of its kind, best first, and its word.
  size_t grade() const;
  std::string grade_word() const;
  /// Returns one line: `5 columns: 4 exact, 1 checked (date)`.
  std::string summary() const;
  bool fails() const;
  /// Return sums over all tables; nothing if no rows were counted.
  std::optional<uint64_t> rows() const { return sum_of(&Counts::rows); }
  std::optional<uint64_t> rejected() const { return sum_of(&Counts::rejected); }
  /// Returns the check of each table for a conversion. Empty for reports that are about others.
  std::vector<const report::Check*> checks() const;
  /// Returns a report for each table; this one if there is one table.
  std::vector<AnyReport> tables() const;
  /// Returns everything that prevents a result for an input; none for a report on one table.
  std::span<const report::Problem> problems() const;

  std::string text(const report::ReportStyle& style = {}) const;
  std::string json() const;

 private:
  struct State {
    Found found;
    Facts facts;
    mutable std::once_flag once;
    mutable report::Report lines;
  };
  std::optional<uint64_t> sum_of(uint64_t Counts::*member) const;

  std::shared_ptr<const State> state_;
};

/// How a report is printed. Each form has a row of `report_forms`.
enum class ReportForm : uint8_t { Text, Json, Html, Junit, Github, Markdown, Management };

struct ReportFormRow {
  /// Its name in every interface.
  std::string_view word;
  /// Of files that get this form; "" if none does.
  std::string_view extension;
  std::string (*print)(const AnyReport& report, const report::ReportStyle& style,
                       const report::PageOrigin& origin);
};

/// Returns all forms in the order of their enumerators. `Management`, the last, is for reports of
/// `check` only.
std::span<const ReportFormRow> report_forms();
/// Returns those that every report has.
std::span<const ReportFormRow> common_report_forms();

/// Prints a report in a form. Only text uses the style, and only HTML the origin.
std::string print(const AnyReport& report, ReportForm form, const report::ReportStyle& style = {},
                  const report::PageOrigin& origin = {});
/// Returns the form with a word. Throws Error (Usage) for a word that is not of
/// `common_report_forms`.
ReportForm parse_report_form(std::string_view word);

}  // namespace xwalk::io
