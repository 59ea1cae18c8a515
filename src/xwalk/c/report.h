#pragma once

#include <string>

#include "xwalk/c/xwalk.h"
#include "xwalk/convert/conversion.h"
#include "xwalk/crosswalk/proof.h"
#include "xwalk/crosswalk/report_set.h"

namespace xwalk::c {

/// Make the C form of a report; the caller's from then on. `json` is all of it.
xwalk_report* make_report(const crosswalk::Report& report, std::string json);
xwalk_report* make_report(crosswalk::Check check);
/// The same for several tables: `rows` and `rejected` are their sums.
xwalk_report* make_report(const crosswalk::ReportSet& set);
xwalk_report* make_report(const crosswalk::Proof& proof);
xwalk_report* make_report(const crosswalk::Plan& plan, const std::string& name);
xwalk_report* make_report(const io::Converted& converted, const std::string& name);

}  // namespace xwalk::c
