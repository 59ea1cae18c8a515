#pragma once

#include <string>

#include "xwalk/crosswalk/report.h"

namespace xwalk::crosswalk {

/// Print a report as JSON, as docs/report.schema.json describes it: an object whose member `report`
/// is "check", "diff" or "compat", then a line feed.
std::string print_json(const Check& check);
std::string print_json(const DiffCheck& check);
std::string print_json(const CompatCheck& check);

}  // namespace xwalk::crosswalk
