#pragma once

#include <map>
#include <string>

#include "xwalk/base/error.h"
#include "xwalk/hub/batch.h"
#include "xwalk/report/report.h"

namespace xwalk::io {

/// Returns the place of a rejected row and the reason, in one line. `file` is the name of the input
/// if the error has none.
std::string rejection_text(const Error& error, const std::string& file = "");

/// Rejected rows by the texts of their paths in the schema.
using RowsByPath = std::map<std::string, report::PathRows>;

/// Counts a rejected row at its path, and keeps the first of each.
void count_rejected(const hub::BadRow& bad, RowsByPath* rows);

}  // namespace xwalk::io
