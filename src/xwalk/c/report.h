#pragma once

#include "xwalk/c/xwalk.h"
#include "xwalk/convert/any_report.h"

namespace xwalk::c {

/// Makes the C form of a report; the caller's from then on.
xwalk_report* make_report(const io::AnyReport& report);

}  // namespace xwalk::c
