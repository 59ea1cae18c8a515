#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <variant>
#include <vector>

#include "xwalk/crosswalk/proof.h"
#include "xwalk/crosswalk/report_set.h"
#include "xwalk/xwalk.hpp"

namespace xwalk {

/// What a report is printed from.
struct Report::State {
  std::variant<crosswalk::Check, crosswalk::CompatCheck, crosswalk::DiffCheck, crosswalk::RowDiff,
               crosswalk::ReportSet, crosswalk::Proof>
      found;
  /// Keeps what `found` refers to.
  std::shared_ptr<const void> owner;
  /// The form that most printers share.
  crosswalk::Report common;
  /// Rows of each table, if any were read or written.
  struct Counts {
    uint64_t rows = 0;
    uint64_t rejected = 0;
  };
  std::vector<std::optional<Counts>> counts;
};

namespace api {

/// Make a report; `owner` keeps what it refers to.
Report make_report(crosswalk::Check check, std::shared_ptr<const void> owner,
                   std::optional<Report::State::Counts> counts = {});
Report make_report(crosswalk::CompatCheck check, std::shared_ptr<const void> owner);
Report make_report(crosswalk::DiffCheck check, std::shared_ptr<const void> owner);
Report make_report(crosswalk::RowDiff found);
Report make_report(crosswalk::Proof proof);
/// The report on several tables; `counts` has an entry per report, or none if they have their own.
Report make_report(crosswalk::ReportSet set, std::shared_ptr<const void> owner,
                   std::vector<std::optional<Report::State::Counts>> counts = {});

}  // namespace api
}  // namespace xwalk
