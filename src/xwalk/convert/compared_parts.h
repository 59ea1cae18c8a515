#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "xwalk/convert/comparison.h"
#include "xwalk/convert/convert_options.h"
#include "xwalk/convert/rejection_text.h"
#include "xwalk/hub/checksum.h"
#include "xwalk/hub/type.h"
#include "xwalk/report/proof.h"

// Comparing an output with its inputs by the checksums of their columns, whose parts many processes
// add up: one process opens both (`open_parts`), others read parts and return sums
// (`sums_of_source`, `sums_of_output`), and the first makes the proof (`proven_by`). Sums do not
// depend on the order of rows.

namespace xwalk::io {

/// What all processes know about one side. It is sent to them.
struct ComparedSide {
  Format format = kYsonRows;
  /// The columns of all its files.
  hub::Schema schema;
  /// Those of them that folders stand for.
  std::vector<hub::Field> partitions;
  /// The text of the table schema that was inferred for rows without one, "" for others.
  std::string inferred;
};

struct ComparedParts {
  ComparedSide source;
  ComparedSide output;
  /// The columns of the source as the conversion writes them.
  hub::Schema planned;
};

/// The same in the process that makes the proof.
struct OpenParts {
  ComparedParts parts;
  Locations source_files;
  Locations output_files;
  /// Lacks what the rows show.
  report::ProvenTable table;
  /// Never empty.
  std::optional<crosswalk::Plan> plan;
  /// By the names of columns.
  std::map<std::string, hub::Verdict> verdicts;
};

/// Counts and checksums of rows of one side.
struct SideSums {
  uint64_t rows = 0;
  /// The checksum of whole rows.
  uint64_t sum = 0;
  /// In the order of the columns that are compared.
  std::vector<hub::ColumnSum> columns;
  /// Rows that the conversion rejects, and why it rejects the first.
  uint64_t rejected = 0;
  std::string first_rejected;
  /// The same at each path; sums of other processes have texts of paths only.
  RowsByPath rejected_at = {};
  /// Rows with a value that the type in which both sides are compared cannot hold, and the first.
  uint64_t unfit = 0;
  std::string first_unfit;
};

/// Opens an output and its inputs and plans the conversion. Throws Error as `verify`.
OpenParts open_parts(const Locations& inputs, const Location& output, ConvertOptions options);

/// Reads a file of the source or of the output, or the part of it in `options.input.part`, and adds
/// up its rows, those of the source as the conversion with these options writes them. Throws Error
/// as `convert`.
SideSums sums_of_source(const ComparedParts& parts, const Location& file, ConvertOptions options);
SideSums sums_of_output(const ComparedParts& parts, const Location& file, ConvertOptions options);

/// Returns the table of a proof by the sums of all parts. Throws Error (Input) if more rows are
/// rejected than may be.
report::ProvenTable proven_by(const OpenParts& open, const SideSums& source, const SideSums& output,
                              const ConvertOptions& options);

}  // namespace xwalk::io
