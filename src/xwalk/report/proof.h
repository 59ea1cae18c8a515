#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "xwalk/crosswalk/row_diff.h"
#include "xwalk/hub/checksum.h"
#include "xwalk/hub/finding.h"
#include "xwalk/report/report_set.h"
#include "xwalk/report/text.h"

// What `verify` found: that the rows of an output are those of its inputs, under the plan of the
// conversion.

namespace xwalk::report {

/// A file, a folder or a dataset.
struct ProofFile {
  std::string name;
  /// Its size, if it is on a disk.
  std::optional<uint64_t> bytes;
};

/// One column of an output.
struct ProofColumn {
  std::string name;
  /// The Arrow type in which the values were compared.
  std::string type;
  /// The verdict of the plan on the column.
  hub::Verdict verdict = hub::Verdict::Exact;
  hub::ColumnSum source;
  hub::ColumnSum output;
  /// Rows that differ in it.
  uint64_t differing = 0;
};

/// One output and its inputs.
struct ProvenTable {
  std::vector<ProofFile> inputs;
  ProofFile output;
  /// The worst verdict of the plan.
  hub::Verdict verdict = hub::Verdict::Exact;
  /// Rows of the inputs that the conversion rejects, and why it rejects the first.
  uint64_t rejected = 0;
  std::string first_rejected;
  /// Whether rows were compared in their order.
  bool in_order = true;
  /// Whether only the numbers of rows and the checksums were compared.
  bool by_checksums = false;
  /// The inputs on the left, as the plan converts them; the output on the right.
  RowDiff diff;
  std::vector<ProofColumn> columns;
  /// Checksums of whole rows.
  uint64_t source_rows_sum = 0;
  uint64_t output_rows_sum = 0;
  /// What was decided about the conversion, and what its rows settle.
  std::vector<Decision> decisions = {};
  /// Why nothing was compared, "" if the rows were: the conversion failed, or a side is unreadable.
  std::string failure = {};

  /// Returns false if checksums were compared, and those or the numbers of rows differ.
  bool same_sums() const;
  bool passes() const { return failure.empty() && diff.same() && same_sums(); }
};

struct Proof {
  /// The version of xwalk.
  std::string version;
  /// The command line, "" if no program was called.
  std::string command;
  /// When it was made, in UTC: `2024-01-01T12:00:00Z`.
  std::string time;
  double seconds = 0;
  /// What pages call it, and who owns the migration; "" if not known.
  std::string title = {};
  std::string owner = {};
  std::vector<ProvenTable> tables;

  bool passes() const;
};

/// Returns one line: `3 rows, 2 columns: verified`, or for several tables how many passed.
std::string summary(const Proof& proof);
/// Returns a proof in the shape that the other report writers share.
Report report_of(const Proof& proof);
/// Prints a proof as JSON, as docs/report.schema.json describes it.
std::string print_json(const Proof& proof);
/// Prints one line per table, the first differences, and with `all` the checksums.
std::string print_text(const Proof& proof, const ReportStyle& style = {});

}  // namespace xwalk::report
