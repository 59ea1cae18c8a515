#pragma once

#include <string>
#include <vector>

#include "xwalk/convert/comparison.h"
#include "xwalk/convert/convert_options.h"
#include "xwalk/convert/rejection_text.h"
#include "xwalk/report/decisions.h"
#include "xwalk/report/proof.h"

namespace xwalk::io {

/// How an output is verified.
struct VerifyOptions {
  /// Columns that pair rows; without them rows are paired by position.
  std::vector<std::string> key;
  /// The command line for the proof, "" if no program was called.
  std::string command;
  /// What pages of the proof call it, and who owns the migration.
  std::string title = {};
  std::string owner = {};
};

/// Reads an output and compares it with its inputs as a conversion with these options writes them:
/// values, order and number of rows. Nothing is written. An output that ends with `/` is a folder
/// with one file per input. Of several outputs, one that cannot be read fails alone. Folders by the
/// values of columns, and tables that several writers wrote, are compared in any order. Throws
/// Error as `convert` and `diff_rows`, Usage for a format that is only written and for options that
/// choose rows of several tables.
report::Proof verify(const Locations& inputs, const Location& output, ConvertOptions options,
                     const VerifyOptions& how);

/// The same for one output of rows without a name, such as a table in memory.
report::Proof verify(const OpenRows& open, const Location& output, ConvertOptions options,
                     const VerifyOptions& how);

/// Refuses an output that cannot be compared with its inputs: rows that are added to others, and
/// formats that are only written. Throws Error (Usage).
void check_comparable(const Location& output, const ConvertOptions& options);

/// Returns what was decided before a conversion was carried out, and what its rows settle. `read`
/// are the rows of the source, `rejected` those that were rejected, by path.
std::vector<report::Decision> decisions_of(const crosswalk::Plan& plan,
                                           const ConvertOptions& options, uint64_t read,
                                           RowsByPath rejected);

/// Compares one output with its inputs, as `verify` does for each.
report::ProvenTable verify_output(const OpenRows& open, const Location& output,
                                  ConvertOptions options, const VerifyOptions& how);
report::ProvenTable verify_output(const Locations& inputs, const Location& output,
                                  ConvertOptions options, const VerifyOptions& how);

/// Returns the table of an output that cannot be compared with its inputs.
report::ProvenTable unproven(const Locations& inputs, const Location& output, const Error& error,
                             hub::Interface interface);

/// Returns a proof of these tables, made by this version at this time.
report::Proof proof_of(std::vector<report::ProvenTable> tables, const VerifyOptions& how);

/// Gives a proof to `options.on_proof`. Without the function, throws Error (Input) if it fails.
void report_proof(const report::Proof& proof, const ConvertOptions& options);

/// Writes a proof to a file: HTML, JUnit (`.xml`), Markdown (`.md`) or text (`.txt`) by the
/// extension, else JSON. An existing file is replaced. Throws Error (Io).
void write_proof(const report::Proof& proof, const std::string& path,
                 const StorageOptions& storage);

}  // namespace xwalk::io
