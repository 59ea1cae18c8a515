#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "xwalk/base/error.h"
#include "xwalk/convert/info.h"
#include "xwalk/hub/option.h"
#include "xwalk/report/html.h"
#include "xwalk/report/report_set.h"

// The facts of several tables, and the forms in which they are shown together.

namespace xwalk::io {

/// The facts of each table of an input.
struct TableInfos {
  std::vector<Info> infos;
  std::vector<report::Problem> problems;
  std::vector<Error> errors;

  /// Returns true if there is one answer for everything that was named.
  bool is_one() const { return infos.size() == 1 && problems.empty(); }
};

/// Finds the facts of each table that names stand for. Throws Error if nothing can be read.
TableInfos table_infos(const Locations& names, const InfoOptions& options);

/// A line of the summary of several tables.
struct InfoSummary {
  std::string input;
  std::string format;
  std::optional<uint64_t> rows;
  std::optional<uint64_t> columns;
  std::optional<uint64_t> files;
  /// The size of all files.
  std::optional<uint64_t> bytes;
  /// Why the input has no facts, or does not belong to the others; empty for most.
  std::string problem;
};

/// Returns a line for each table, and for each input without facts; texts are spelled for an
/// interface.
std::vector<InfoSummary> summary_of(const TableInfos& found, hub::Interface interface);

/// Prints the facts as JSON: those of one table as `print_json(Info)`, else `summary`, `tables` and
/// `problems`.
std::string print_json(const TableInfos& found, hub::Interface interface);

/// Prints the facts as a page without scripts that states its origin, or as the part of one that
/// shows them. Several tables follow a table with a line for each. `scan` is the option that reads
/// rows.
std::string print_html(const TableInfos& found, std::string_view scan, hub::Interface interface,
                       const report::PageOrigin& origin);
std::string html_tables(const TableInfos& found, std::string_view scan, hub::Interface interface);

}  // namespace xwalk::io
