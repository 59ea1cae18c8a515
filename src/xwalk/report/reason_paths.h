#pragma once

#include <map>
#include <string>
#include <vector>

#include "xwalk/hub/type.h"
#include "xwalk/report/report.h"

namespace xwalk::report {

/// Paths of YTsaurus's own messages, in which names have no quotes, as paths of reports.
class ReasonPaths {
 public:
  ReasonPaths(const std::vector<ReportLine>& lines, const hub::Schema& left,
              const hub::Schema& right);

  std::string of(const std::string& reason_path) const;

 private:
  /// Names of columns that paths of reports quote.
  std::map<std::string, std::string> quoted_;
  std::map<std::string, std::string> alternatives_;
};

}  // namespace xwalk::report
